// Which texts a draft has. Whoever starts it has to be able to read them all.

/** What a chat message can be. */
const MAX_TEXT = 4096;
/** So many different texts are shown. With more, nothing is started. */
const SHOWN_TEXTS = 200;
const PLACEHOLDER = /\{[^{}]+\}/;
const MAX_VALUE = 60;

/** What a messenger shows as a link, or as a text of its own. A price such as 19.99 is none. */
const LINK_OR_LINE = /\/\/|[^.]\.\p{L}|\d\.\d+\.\d|[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Whether it can be the value of a placeholder. What is longer, or has a link, is shown. */
function isValue(value) {
	const visible = value
		.normalize('NFKC')
		.replace(/\p{Cf}/gu, '')
		.replaceAll('。', '.');
	return value.length <= MAX_VALUE && !LINK_OR_LINE.test(visible);
}

/** Without the two parts of the opt-out link that differ for each recipient. */
function withoutLink({ text, token }) {
	const parts = String(text ?? '').split(`&t=${token}&s=`);
	if (!token || parts.length !== 2) return String(text ?? '');
	return `${parts[0]}&t=…&s=…${parts[1].replace(/^[0-9a-f]*/, '')}`;
}

/** The text of a row with the placeholders in place of their values. A text that is not made of `template` stays as it is. */
function textOf(row, template) {
	const shown = withoutLink(row);
	const [first, ...literals] = String(template ?? '').split(PLACEHOLDER);
	if (!first && literals.length === 0) return shown;
	if (!shown.startsWith(first)) return shown;
	let end = first.length;
	for (const literal of literals) {
		const at = shown.indexOf(literal || '\n', end);
		if (at < 0 || !isValue(shown.slice(end, at))) return shown;
		end = at + literal.length;
	}
	return template + shown.slice(end);
}

/** Each different text of the rows, and how many messages have it, most frequent first. */
function textsOf(rows, template) {
	const counts = new Map();
	for (const row of rows) {
		const text = textOf(row, template);
		counts.set(text, (counts.get(text) ?? 0) + 1);
	}
	return [...counts].map(([text, count]) => ({ text, count })).sort((a, b) => b.count - a.count);
}

module.exports = { MAX_TEXT, SHOWN_TEXTS, textsOf, withoutLink };
