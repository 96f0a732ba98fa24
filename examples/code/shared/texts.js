/** What a user enters is compared without case and spaces around it. */
const plain = (text) => String(text).trim().toLowerCase();

const escape = (text) =>
	String(text ?? '').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

module.exports = { plain, escape };
