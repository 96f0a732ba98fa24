// Text as HTML, for the page of a question.

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Any text, as text in HTML. */
export const escaped = (text: string) =>
	text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

const STYLES = [
	['strong', /(?<![\p{L}\p{N}])\*(?=\S)([^*\n]*[^*\s])\*(?![\p{L}\p{N}])/gu],
	['em', /(?<![\p{L}\p{N}])_(?=\S)([^_\n]*[^_\s])_(?![\p{L}\p{N}])/gu],
	['s', /(?<![\p{L}\p{N}])~(?=\S)([^~\n]*[^~\s])~(?![\p{L}\p{N}])/gu],
] as const;

/** The text as a chat shows it. Nothing in code or in a link is a mark. */
export function styled(text: string): string {
	const pieces = text.split(/(```[^]+?```|`[^`\n]+`|https?:\/\/\S+)/);
	const shown = pieces.map((piece, index) => {
		if (index % 2 === 0) return STYLES.reduce(withStyle, escaped(piece));
		const marks = /^(```\n?|`)?/.exec(piece)![0];
		const content = escaped(piece.slice(marks.length, piece.length - marks.trim().length));
		return marks === '' ? content : `<code>${content}</code>`;
	});
	return shown.join('');
}

const withStyle = (html: string, [tag, span]: (typeof STYLES)[number]) =>
	html.replace(span, `<${tag}>$1</${tag}>`);
