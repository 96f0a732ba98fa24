import MarkdownIt, { type Token } from 'markdown-it';

import { formattedLine, type Run, type Style } from './chatFormat';
import { inlineLines, plainText } from './inlineText';
import { MAX_TEXT_LENGTH } from './inputValues';

/** Of quotes and lists. The parser drops what is deeper. */
const MAX_NESTING = 40;

const parser = new MarkdownIt({ html: true, linkify: true, maxNesting: MAX_NESTING });
// Underlined headings: a rule, or a sign between two lines, would make all text before it bold.
// HTML blocks: only tags are dropped, not the text between them.
parser.disable(['lheading', 'html_block']);
// linkify: there is also a rule that finds URLs while it parses, so that their underscores remain.
// strip_references: definitions that nothing refers to are text.
parser.core.ruler.disable(['linkify', 'strip_references']);
// Without a scheme, a file name would be a URL.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
parser.normalizeLink = (url) => url;
parser.normalizeLinkText = (url) => url;
// Everything else in round brackets is text: in [INFO]: done, and in f[i](x).
parser.validateLink = (url) =>
	/^(?:[a-z][a-z\d+.-]*:\/\/|mailto:|tel:|sms:|data:image\/|[#/?]|[^\s:]*\.\w)/i.test(url);

const ELEMENTS = new Set(
	'a abbr b blockquote body br center cite code dd del details div dl dt em figcaption figure font h1 h2 h3 h4 h5 h6 head hr html i iframe img ins kbd li mark ol p pre q s samp script small span strike strong style sub summary sup table tbody td tfoot th thead tr tt u ul var'.split(
		' ',
	),
);
const TAG =
	/<\/?([a-z]\w*)(?:\s+(?:open|[\w:.-]{2,}\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+)))*\s*\/?>/iy;

// Other names in angle brackets are text, such as <url>, and so is if a<b and c>d.
parser.inline.ruler.before('html_inline', 'no_html', (state, silent) => {
	if (state.src[state.pos] !== '<' || state.src.startsWith('<!--', state.pos)) return false;
	TAG.lastIndex = state.pos;
	const [, name = ''] = TAG.exec(state.src) ?? [];
	if (ELEMENTS.has(name.toLowerCase())) return false;
	if (!silent) state.pending += '<';
	state.pos += 1;
	return true;
});

/** A star between operands is an operator: 120*60, a*b, x**2. In 2**n it ends bold text at most, as in **24**h. */
parser.inline.State = class extends parser.inline.State {
	override scanDelims(start: number, canSplitWord: boolean) {
		const scanned = super.scanDelims(start, canSplitWord);
		const before = this.src.slice(Math.max(0, start - 2), start);
		const after = this.src.slice(start + scanned.length, start + scanned.length + 2);
		const isBetweenOperands =
			this.src[start] === '*' &&
			/[\p{Cased}\p{N}\p{Sc}%)\]}]$/u.test(before) &&
			/^[\p{Cased}\p{N}\p{Sc}([{]/u.test(after);
		if (!isBetweenOperands) return scanned;
		const isOperator = scanned.length === 1 || /^\p{N}/u.test(after);
		return {
			...scanned,
			can_open: scanned.can_open && !isOperator && !/\p{N}$/u.test(before),
			can_close: scanned.can_close && !isOperator,
		};
	}
};

/** The names of columns are repeated in each row. */
const MAX_COLUMN_NAME = 40;
const MAX_INDENT = 8;
const plain = (text: string): Run => ({ text, styles: new Set() });

/** Converts Markdown to what chats show. Returns the text as it is if nothing, or not all, would remain of it. */
export function chatText(markdown: string): string {
	const references: Record<string, { href: string; title: string }> = {};
	const tokens = parser.parse(markdown, { references });
	if (tokens.some(({ level }) => level >= MAX_NESTING - 1)) return markdown;
	const used = labelsUsedIn(tokens);
	const lengths = used.map((label) => {
		const { href = '', title = '' } = references[label] ?? {};
		return href.length + title.length;
	});
	// All links that refer to the same definition repeat it, so the text could become a thousand times as long.
	if (lengths.reduce((sum, length) => sum + length, 0) > MAX_TEXT_LENGTH) return markdown;
	const document = new ChatDocument(markdown.split(/\r\n?|\n/), new Set(used));
	for (const token of tokens) document.add(token);
	return document.lines.join('\n') || markdown;
}

const labelsUsedIn = (tokens: Token[]): string[] =>
	tokens.flatMap(({ type, meta, children }) => [
		...(meta && type !== 'reference_definition' ? [String(meta.label)] : []),
		...labelsUsedIn(children ?? []),
	]);

interface Table {
	token: Token;
	/** Each with its line in the source. */
	rows: Array<{ cells: Run[][]; line: number }>;
}

class ChatDocument {
	readonly lines: string[] = [];
	/** The line of the source after the last block. */
	#sourceLine = 0;
	/** The tags of the open quotes and lists. */
	readonly #containers: string[] = [];
	/** The list items that have no text yet. */
	#items: Token[] = [];
	#styles: Style[] = [];
	#table?: Table;

	constructor(
		private readonly source: string[],
		/** The labels that something refers to and whose definition was not found yet. */
		private readonly labels: Set<unknown>,
	) {}

	add(token: Token): void {
		const { type, tag, nesting } = token;
		if (type === 'inline') this.#inline(token);
		else if (type === 'fence' || type === 'code_block') this.#code(token);
		else if (type === 'reference_definition') this.#definition(token);
		else if (type === 'hr') this.#block(token.map!, ['---']);
		else if (type === 'list_item_open') this.#items.push(token);
		else if (type === 'list_item_close') this.#endItem();
		else if (type === 'table_open') this.#table = { token, rows: [] };
		else if (type === 'tr_open') this.#table!.rows.push({ cells: [], line: token.map![0] });
		else if (type === 'table_close') this.#endTable(this.#table!);
		else if (/^h\d$/.test(tag)) this.#styles = nesting > 0 ? ['bold'] : [];
		else if (/^(?:blockquote|ol|ul)$/.test(tag)) {
			if (nesting > 0) this.#containers.push(tag);
			else this.#containers.pop();
		}
	}

	#inline({ children, map }: Token): void {
		const lines = inlineLines(children ?? [], this.#styles);
		if (this.#table) this.#table.rows.at(-1)!.cells.push(onOneLine(lines));
		else this.#block(map!, lines.map(formattedLine));
	}

	/** A definition that nothing refers to, and a second one of the same label, are text. */
	#definition({ meta, map }: Token): void {
		if (this.labels.delete(meta!.label)) return;
		const [first = '', ...others] = this.source.slice(...map!);
		// Without the marks of quotes and lists around it.
		const text = [
			first.slice(first.indexOf('[')),
			...others.map((line) => line.replace(/^[\s>]+/, '')),
		];
		this.#block(map!, parsedLines(text.join('\n')).map(formattedLine));
	}

	/** Not changed by lists and quotes around it. */
	#code({ info, content, map }: Token): void {
		// Anything but the name of a language is a line of the code.
		const title = /^\s*(?:[a-z]\S*)?\s*$/i.test(info) ? '' : `${info.trim()}\n`;
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
			return [...cells, ...others.map((cell) => onOneLine(parsedLines(cell)))];
		});
		const names = head.map((cell) => plainText([cell]));
		const isNamed = (cell: Run[], at: number) =>
			cell.length > 0 && names[at] && names[at].length <= MAX_COLUMN_NAME;
		const areNamed = head.every(
			(name, at) => name.length === 0 || body.some((cells) => isNamed(cells[at]!, at)),
		);
		const named = body.map((cells) =>
			cells.map((cell, at) => (isNamed(cell, at) ? [plain(`${names[at]}: `), ...cell] : cell)),
		);
		const lines = (areNamed ? named : [head, ...named])
			.map((cells) => cells.filter((cell) => cell.length > 0))
			.map((cells) => cells.flatMap((cell, at) => (at > 0 ? [plain(' · '), ...cell] : cell)));
		this.#block(
			token.map!,
			lines.map((line) => (line.length > 0 ? `- ${formattedLine(line)}` : '')),
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

const parsedLines = (markdown: string): Run[][] =>
	inlineLines(parser.parseInline(markdown, {})[0]?.children ?? []);

const onOneLine = (lines: Run[][]): Run[] =>
	lines.flatMap((runs, at) => (at > 0 ? [plain(' '), ...runs] : runs));
