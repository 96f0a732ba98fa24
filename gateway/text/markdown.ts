import MarkdownIt, { type Token } from './markdown.library';

import { formatted, inlineText, withoutStyles } from './inlineText';

/** Of quotes and lists. The parser drops what is deeper. */
const MAX_NESTING = 40;

const parser = new MarkdownIt({ html: true, linkify: true, maxNesting: MAX_NESTING });
parser.disable([
	// A rule, or a sign between two lines, would make all text before it bold.
	'lheading',
	// Definitions of links are text, because a line such as [Price]: 19.99 looks the same.
	'reference',
	// Only tags are dropped, not the text between them.
	'html_block',
]);
// There is a rule of the same name that finds URLs while it parses, so that their underscores remain.
parser.core.ruler.disable('linkify');
// Without a scheme, a file name would be a URL.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
// Markdown has it in a bare URL as well.
parser.normalizeLink = parser.normalizeLinkText = (url) => url.replaceAll('&amp;', '&');
// Everything else in round brackets is text: in [INFO]: done, and in f[i](x).
parser.validateLink = (url) =>
	/^(?:[a-z][a-z\d+.-]*:\/\/|mailto:|tel:|sms:|data:image\/|[#/?]|[^\s:]*\.\w)/i.test(url);

// Other names in angle brackets are text, such as <url>, and so is if a<b and c>d.
const ELEMENT =
	/<\/?(?:a|abbr|b|blockquote|body|br|center|cite|code|dd|del|details|div|dl|dt|em|figcaption|figure|font|h[1-6]|head|hr|html|i|iframe|img|ins|kbd|li|mark|ol|p|pre|q|s|samp|small|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var)(?:\s+(?:open|[\w:.-]{2,}\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+)))*\s*\/?>|<!--/iy;
parser.inline.ruler.before('html_inline', 'no_html', (state, silent) => {
	ELEMENT.lastIndex = state.pos;
	if (state.src[state.pos] !== '<' || ELEMENT.test(state.src)) return false;
	if (!silent) state.pending += '<';
	state.pos += 1;
	return true;
});

/** A star between operands, as in a*b, several next to a digit, as in x**2, and those of count(*) and src/**.js. */
const NO_MARK =
	/(?<=[\p{Cased}\p{N}\p{Sc}%)\]}])(?:\*|(?<=\p{N})\*+|\*+(?=\p{N}))(?=[\p{Cased}\p{N}\p{Sc}([{])|(?<=[([{,])\*+(?=[)\]},;])|(?<=\/)\*+(?=\/|\.\w)/uy;
/** Underscores of a name that goes on before or after them, as in __init__.py, __init__() and self.__dict__. */
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

/** The names of columns are repeated in each row. */
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
	/** Each with its line in the source. */
	rows: Array<{ cells: string[]; line: number }>;
}

class ChatDocument {
	readonly lines: string[] = [];
	/** The line of the source after the last block. */
	#sourceLine = 0;
	/** The tags of the open quotes and lists. */
	readonly #containers: string[] = [];
	/** The list items that have no text yet. */
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

	/** Not changed by lists and quotes around it. */
	#code({ info, content, map }: Token): void {
		// Anything but the name of a language is a line of the code.
		const title = /^(?:[a-z]\S*)?$/i.test(info.trim()) ? '' : `${info.trim()}\n`;
		const code = title + content.replace(/\n$/, '');
		if (code.trim() === '') return;
		this.#startBlock(map!);
		if (this.#items.length > 0) this.lines.push(this.#prefix().trimEnd());
		// Chats would end the block at a fence inside it.
		this.lines.push(...(code.includes('```') ? [code] : ['```', code, '```']));
	}

	/** A list item without text is text, such as a line with nothing but `4711.` */
	#endItem(): void {
		if (this.#items.length === 0) return;
		const [line] = this.#items[0]!.map!;
		this.#startBlock([line, line + 1]);
		this.lines.push(this.#prefix().trimEnd());
	}

	/** One line per row. */
	#endTable({ token, rows }: Table): void {
		this.#table = undefined;
		const [head = [], ...body] = rows.map(({ cells, line }) => {
			// The parser drops what has no column.
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

	/** Keeps one blank line where the source has some. */
	#startBlock([from, to]: [number, number]): void {
		if (this.lines.length > 0 && from > this.#sourceLine) this.lines.push('');
		this.#sourceLine = to;
	}

	/** Chats have only one level of quotes. */
	#prefix(): string {
		// A plus sign may be one of a number. As written, because only the author knows what the numbers mean.
		const marks = this.#items.map(({ info, markup }) => `${info}${markup === '*' ? '-' : markup} `);
		this.#items = [];
		const quote = this.#containers.lastIndexOf('blockquote');
		const indent = Math.max(0, this.#containers.length - 1 - quote - marks.length);
		return (quote >= 0 ? '> ' : '') + '  '.repeat(Math.min(indent, MAX_INDENT)) + marks.join('');
	}
}
