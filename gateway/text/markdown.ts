import MarkdownIt, { type Token } from './markdown.library';

import { formatted, inlineText, withoutStyles } from './inlineText';

/** The parser drops the text of quotes and lists that are nested more deeply. */
const MAX_NESTING = 40;

const parser = new MarkdownIt({ linkify: true, maxNesting: MAX_NESTING });
parser.disable([
	// A line of hyphens or equals signs would make all text before it bold.
	'lheading',
	// Definitions of links are text, because a line such as [Price]: 19.99 looks the same.
	'reference',
]);
// Another rule of the same name finds URLs while it parses, so that their underscores remain.
parser.core.ruler.disable('linkify');
// If a URL needed no scheme, a file name could be one.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
// An ampersand that is written as an entity is one in a bare URL too, which the parser does not decode.
parser.normalizeLink = parser.normalizeLinkText = (url) => url.replaceAll('&amp;', '&');
// Anything else in round brackets is text, such as the x of f[i](x).
parser.validateLink = (url) =>
	/^(?:[a-z][a-z\d+.-]*:\/\/|mailto:|tel:|sms:|data:image\/|[#/?]|[^\s:]*\.\w)/i.test(url);

// All other HTML is text. This one is how language models break lines in tables.
const LINE_BREAK = /<br *\/?>/iy;
parser.inline.ruler.before('autolink', 'line_break', (state, silent) => {
	LINE_BREAK.lastIndex = state.pos;
	if (!LINE_BREAK.test(state.src)) return false;
	if (!silent) state.push('hardbreak', 'br', 0);
	state.pos = LINE_BREAK.lastIndex;
	return true;
});

/** Matches stars that are text, e.g. in a*b (between operands), x**2 (next to a digit), count(*) and src/**.js. */
const NO_MARK =
	/(?<=[\p{Cased}\p{N}\p{Sc}%)\]}])(?:\*|(?<=\p{N})\*+|\*+(?=\p{N}))(?=[\p{Cased}\p{N}\p{Sc}([{])|(?<=[([{,])\*+(?=[)\]},;])|(?<=\/)\*+(?=\/|\.\w)/uy;
/** Matches underscores of a name that continues before or after them, as in __init__.py, __init__() and self.__dict__. */
const IN_NAME =
	/_+(?=(?:[\p{L}\p{N}_]{0,64}__)?(?:\.[a-z\d]|\())|(?<=[\p{L}\p{N})]\.(?:__[\p{L}\p{N}_]{0,64})?)_+/uy;
parser.inline.State = class extends parser.inline.State {
	override scanDelims(start: number, canSplitWord: boolean) {
		const scanned = super.scanDelims(start, canSplitWord);
		const isText = [NO_MARK, IN_NAME].some((pattern) => {
			pattern.lastIndex = start;
			return pattern.test(this.src);
		});
		return isText ? { ...scanned, can_open: false, can_close: false } : scanned;
	}
};

/** Each row repeats the names of columns up to this length. Longer ones are shown once, above the rows. */
const MAX_COLUMN_NAME = 40;
const MAX_INDENT = 8;
/** Converts Markdown to what chats show. Returns the text as it is if nothing, or not all, would remain of it. */
export function chatText(markdown: string): string {
	const tokens = parser.parse(markdown, {});
	if (tokens.some(({ level }) => level >= MAX_NESTING - 1)) return markdown;
	const document = new ChatDocument(markdown.split(/\r\n?|\n/));
	for (const token of tokens) document.add(token);
	return document.lines.join('\n') || markdown;
}

interface Table {
	token: Token;
	/** A row's line in the source has cells that the parser drops. */
	rows: Array<{ cells: string[]; line: number }>;
}

class ChatDocument {
	readonly lines: string[] = [];
	/** The last block ends before this line of the source. */
	#sourceLine = 0;
	readonly #containers: string[] = [];
	/** These list items have no text yet, so the next line starts with their marks. */
	#items: Token[] = [];
	#style?: string;
	#table?: Table;

	constructor(private readonly source: string[]) {}

	add(token: Token): void {
		const { type, tag, nesting } = token;
		if (type === 'inline') this.#inline(token);
		else if (type === 'fence' || type === 'code_block') this.#code(token);
		else if (type === 'hr') this.#block(token.map!, ['---']);
		else if (type === 'list_item_open') this.#items.push(token);
		else if (type === 'list_item_close') this.#endItem();
		else if (type === 'table_open') this.#table = { token, rows: [] };
		else if (type === 'tr_open') this.#table!.rows.push({ cells: [], line: token.map![0] });
		else if (type === 'table_close') this.#endTable(this.#table!);
		else if (/^h\d$/.test(tag)) this.#style = nesting > 0 ? 'strong' : undefined;
		else if (/^(?:blockquote|ol|ul)$/.test(tag)) {
			if (nesting > 0) this.#containers.push(tag);
			else this.#containers.pop();
		}
	}

	#inline({ children, map }: Token): void {
		const text = inlineText(children ?? [], this.#style);
		if (this.#table) this.#table.rows.at(-1)!.cells.push(text.trim().replace(/\n+/g, ' '));
		else this.#block(map!, formatted(text).split('\n'));
	}

	/** Adds a code block, whose lines get neither the indent of lists nor the marks of quotes around it. */
	#code({ info, content, map }: Token): void {
		// Anything but the name of a language is the first line of the code.
		const title = /^(?:[a-z]\S*)?$/i.test(info.trim()) ? '' : `${info.trim()}\n`;
		const code = title + content.replace(/\n$/, '');
		if (code.trim() === '') return;
		this.#startBlock(map!);
		if (this.#items.length > 0) this.lines.push(this.#prefix().trimEnd());
		// Chats would end the block at a fence inside it.
		this.lines.push(...(code.includes('```') ? [code] : ['```', code, '```']));
	}

	/** Keeps the mark of a list item without text, because it may be text, such as a line with only `4711.` */
	#endItem(): void {
		if (this.#items.length === 0) return;
		const [line] = this.#items[0]!.map!;
		this.#startBlock([line, line + 1]);
		this.lines.push(this.#prefix().trimEnd());
	}

	/** Adds one line per row, in which each cell follows the name of its column. */
	#endTable({ token, rows }: Table): void {
		this.#table = undefined;
		const [head = [], ...body] = rows.map(({ cells, line }) => {
			// The parser drops cells without a column, so the source has the whole row.
			const all = this.source[line]!.replace(/^[\s>]*\|?/, '').split(/(?<!\\)\|/);
			const others = all.slice(cells.length).map((cell) => cell.trim().replaceAll('\\|', '|'));
			return [...cells, ...others];
		});
		const names = head.map(withoutStyles);
		const texts = body.map((row) => row.map(formatted));
		const nameOf = (cell: string, at: number) =>
			cell !== '' && names[at] && names[at].length <= MAX_COLUMN_NAME ? `${names[at]}: ` : '';
		const areNamed = names.every((name, at) => !name || texts.some((row) => nameOf(row[at]!, at)));
		const lines = texts.map((row) => row.map((cell, at) => nameOf(cell, at) + cell));
		const visible = (areNamed ? lines : [head.map(formatted), ...lines]).map((line) =>
			line.filter((cell) => cell !== '').join(' · '),
		);
		this.#block(
			token.map!,
			visible.map((line) => line && `- ${line}`),
		);
	}

	#block(map: [number, number], lines: string[]): void {
		const visible = lines.map((line) => line.trim()).filter((line) => line !== '');
		if (visible.length === 0) return;
		this.#startBlock(map);
		for (const line of visible) this.lines.push(this.#prefix() + line);
	}

	/** Adds an empty line before a block if the source has at least one there. */
	#startBlock([from, to]: [number, number]): void {
		if (this.lines.length > 0 && from > this.#sourceLine) this.lines.push('');
		this.#sourceLine = to;
	}

	/** Returns the start of the next line. Chats have only one level of quotes, so the indent counts from the innermost one. */
	#prefix(): string {
		// A plus sign stays, because it may belong to a number. Numbers stay, because only the author knows what they mean.
		const marks = this.#items.map(({ info, markup }) => `${info}${markup === '*' ? '-' : markup} `);
		this.#items = [];
		const quote = this.#containers.lastIndexOf('blockquote');
		const indent = Math.max(0, this.#containers.length - 1 - quote - marks.length);
		return (quote >= 0 ? '> ' : '') + '  '.repeat(Math.min(indent, MAX_INDENT)) + marks.join('');
	}
}
