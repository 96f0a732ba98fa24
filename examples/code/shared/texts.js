/** What a user enters is compared without case and spaces around it. */
const plain = (text) => String(text).trim().toLowerCase();

const escape = (text) =>
	String(text ?? '').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Matches what a person calls, writes to or opens. */
const CONTACT =
	/(https?:\/\/\S*[^\s.,;)]|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+|\+?\d[\d ().\/-]{4,20}\d)/;

function linkOf(text) {
	const scheme = /^http/.test(text) ? '' : text.includes('@') ? 'mailto:' : 'tel:';
	const address = scheme === 'tel:' ? text.replace(/[^+\d]/g, '') : text;
	return `<a href="${escape(scheme + address)}">${escape(text)}</a>`;
}

/** HTML in which phone numbers and addresses are links. */
const linked = (text) =>
	String(text ?? '')
		.split(CONTACT)
		.map((part, at) => (at % 2 ? linkOf(part) : escape(part)))
		.join('');

module.exports = { plain, escape, linked };
