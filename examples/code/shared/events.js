// What calendars have in common.

/** The first number in a text that starts with + or 00, or follows a word such as "Tel:". Check reads it. */
function phoneIn(...texts) {
	const text = texts
		.filter(Boolean)
		.join('\n')
		.replace(/<[^<>]*>/g, ' ');
	const [found = ''] =
		/(?:\+|\b00)\d[\d ()./-]{5,20}\d/.exec(text) ??
		/(?<=(?:phone|tel|telefon|mobile|mobil|handy)[.:]? {0,3})\d[\d ()./-]{5,20}\d/i.exec(text) ??
		[];
	return found.trim();
}

/** The marks that this workflow puts before a title. */
const withoutMark = (title) => String(title ?? '').replace(/^[✓✗↻]\s*/u, '');

/** `Ada Lovelace: Haircut` or `Haircut - Ada Lovelace` is usual, but not certain, so the whole title is the name. */
const nameIn = (title) =>
	withoutMark(title)
		.replace(/(?:\+|\b00)\d[\d ()./-]{5,20}\d/, '')
		.trim();

module.exports = { phoneIn, withoutMark, nameIn };
