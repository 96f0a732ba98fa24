/**
 * What a chat must show of a Markdown text: letters, digits, URLs and operators. It is found in the source, without a
 * parser: what may go is removed first. Where one source can be read in two ways, this judge demands less.
 */
export interface Content {
	characters: string;
	/** Not with a table, which repeats its head. */
	isInOrder: boolean;
}

/** The marks of quotes and lists. Numbers and plus signs are content. */
const LINE_START = /^(?:[ \t>]|[*+-](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))+/gm;
const FRAME = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

export function contentOf(markdown: string): Content {
	const lines = markdown.replace(LINE_START, (marks) => marks.replace(/[^\d.)+]/g, '')).split('\n');
	const isTable = lines.some((line, at) => FRAME.test(line) && lines[at - 1]?.includes('|'));
	const text = lines
		.filter((line) => !isTable || !FRAME.test(line))
		.filter((line) => !/^[-_* \t]*$/.test(line))
		// The language of a code block.
		.map((line) => line.replace(/^([\d.)+]*)(?:`{3,}|~{3,})[ \t]*[a-z][^\s`]*[ \t]*$/i, '$1'))
		.join('\n');
	const content = text
		.replace(/<br *\/?>/gi, '¤')
		.replace(/<([a-z][a-z\d+.-]{1,31}:[^<>\s]*|[^\s<>@]+@[^\s<>]+)>/gi, '$1')
		// URLs in angle brackets.
		.replace(/\]\(\s*<([^<>\n]*)>/g, '$1')
		// A link whose label is its URL.
		.replace(/\[([^[\]]*)\]\(\1\)/g, '$1')
		.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi, '¤');
	const characters = [...content.matchAll(CONTENT)].map(([found]) => found).join('');
	return {
		characters: isTable ? characters.replaceAll('|', '') : characters,
		isInOrder: !isTable,
	};
}

/** Stars and minus signs only where they cannot be marks. */
const CONTENT =
	/[\p{L}\p{N}+=<>%/^|]|(?<=\d)[.,](?=\d)|(?<=[a-z\d])\*(?=[a-z\d])|(?<=\d)\*+(?=\d)|(?<=[^\s] )\*+(?= [^\s])|(?<=[\p{L}\p{N}])-(?=[\p{L}\p{N}])/giu;

/** The part of the content, in order, from where on the chat lacks some. Empty if nothing is missing. */
export function missingFrom(chat: string, { characters, isInOrder }: Content): string {
	if (isInOrder) {
		let from = 0;
		for (let at = 0; at < characters.length; at++) {
			from = chat.indexOf(characters[at]!, from) + 1;
			if (from === 0) return characters.slice(at);
		}
		return '';
	}
	const rest = new Map<string, number>();
	for (const character of chat) rest.set(character, (rest.get(character) ?? 0) + 1);
	return [...characters]
		.filter((character) => {
			const left = (rest.get(character) ?? 0) - 1;
			rest.set(character, left);
			return left < 0;
		})
		.join('');
}
