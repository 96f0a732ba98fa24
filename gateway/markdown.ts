import MarkdownIt, { type Token } from 'markdown-it';

import { formattedLine, type Run } from './chatFormat';
import { inlineLines } from './inlineText';
import { MAX_TEXT_LENGTH } from './inputValues';

/** Of quotes and lists. The parser drops what is deeper. */
const MAX_NESTING = 40;

const parser = new MarkdownIt({ html: true, linkify: true, maxNesting: MAX_NESTING });
// Only tags are dropped, not the text between them.
parser.disable('html_block');
// Finds URLs while it parses, so that their underscores remain. Without a scheme, a file name would be a URL.
parser.core.ruler.disable('linkify');
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
parser.normalizeLink = (url) => url;
parser.normalizeLinkText = (url) => url;
// Everything else in round brackets is text: in [INFO]: done, and in f[i](x).
parser.validateLink = (url) =>
	/^(?:[a-z][a-z\d+.-]*:\/\/|mailto:|tel:|sms:|data:image\/|[#/?]|[^\s:]*\.\w)/i.test(url);

/** The names of columns are repeated in each row. */
const MAX_COLUMN_NAME = 40;
const MAX_INDENT = 8;
const SEPARATOR: Run = { text: ' · ', styles: [] };

/** Converts Markdown to what chats show. Returns the text as it is if nothing, or not all, would remain of it. */
export function chatText(markdown: string): string {
	const tokens = parser.parse(markdown, {});
	if (tokens.some(({ level }) => level >= MAX_NESTING - 1)) return markdown;
	if (lengthOfUrls(tokens) > MAX_TEXT_LENGTH) return markdown;
	const document = new ChatDocument();
	for (const token of tokens) document.add(token);
	return document.lines.join('\n') || markdown;
}

/** All links that refer to the same definition repeat its URL, so the text could become a thousand times as long. */
function lengthOfUrls(tokens: Token[]): number {
	const urls = tokens
		.flatMap(({ children }) => children ?? [])
		.map((token) => String(token.attrGet('href') ?? token.attrGet('src') ?? ''));
	return urls.reduce((length, url) => length + url.length, 0);
}

interface List {
	/** Of the next item of an ordered list. */
	number?: number;
}

interface Table {
	token: Token;
	rows: Run[][][];
}

class ChatDocument {
	readonly lines: string[] = [];
	/** The line of the source after the last block. */
	#sourceLine = 0;
	#heading?: Token;
	/** The lists around each open quote. */
	readonly #quotes: List[][] = [];
	/** The open lists inside the innermost quote. */
	#lists: List[] = [];
	/** The mark of a list item that has no text yet. */
	#mark = '';
	#table?: Table;

	add(token: Token): void {
		switch (token.type) {
			case 'inline':
				if (this.#table)
					this.#table.rows.at(-1)!.push(onOneLine(inlineLines(token.children ?? [])));
				else this.#paragraph(token);
				break;
			case 'fence':
			case 'code_block':
				this.#code(token);
				break;
			case 'hr':
				this.#block(token, ['---']);
				break;
			case 'heading_open':
				this.#heading = token;
				break;
			case 'heading_close':
				this.#heading = undefined;
				break;
			case 'blockquote_open':
				this.#quotes.push(this.#lists);
				this.#lists = [];
				break;
			case 'blockquote_close':
				this.#lists = this.#quotes.pop()!;
				break;
			case 'ordered_list_open':
				this.#lists.push({ number: Number(token.attrGet('start') ?? 1) });
				break;
			case 'bullet_list_open':
				this.#lists.push({});
				break;
			case 'list_item_open':
				this.#listItem(token);
				break;
			case 'list_item_close':
				this.#mark = '';
				break;
			case 'ordered_list_close':
			case 'bullet_list_close':
				this.#lists.pop();
				break;
			case 'table_open':
				this.#table = { token, rows: [] };
				break;
			case 'tr_open':
				this.#table!.rows.push([]);
				break;
			case 'table_close':
				this.#closeTable(this.#table!);
				this.#table = undefined;
		}
	}

	#listItem({ markup }: Token): void {
		const list = this.#lists.at(-1)!;
		this.#mark = list.number === undefined ? '- ' : `${list.number++}${markup} `;
	}

	#paragraph(token: Token): void {
		const lines = inlineLines(token.children ?? [], this.#heading ? ['bold'] : []);
		// Only the token of the heading knows the line under it.
		this.#block(this.#heading ?? token, lines.map(formattedLine));
	}

	/** Not changed by lists and quotes around it. */
	#code(token: Token): void {
		const code = token.content.replace(/\n$/, '');
		if (code.trim() === '') return;
		this.#startBlock(token);
		if (this.#mark) this.lines.push(this.#prefix().trimEnd());
		// Chats would end the block at a fence inside it.
		this.lines.push(...(code.includes('```') ? [code] : ['```', code, '```']));
	}

	/** One line per row. */
	#closeTable({ token, rows: [head = [], ...rows] }: Table): void {
		const columns = head.map((runs) => runs.map(({ text }) => text).join(''));
		const named = rows.map((cells) => cells.map((cell, at) => withName(columns[at] ?? '', cell)));
		const lines = (rows.length > 0 ? named : [head]).map((cells) => {
			const filled = cells.filter((cell) => cell.length > 0);
			return formattedLine(filled.flatMap((cell, at) => (at > 0 ? [SEPARATOR, ...cell] : cell)));
		});
		this.#block(
			token,
			lines.map((line) => (line === '' ? '' : `- ${line}`)),
		);
	}

	#block(token: Token, lines: string[]): void {
		const visible = lines.map((line) => line.trim()).filter((line) => line !== '');
		if (visible.length === 0) return;
		this.#startBlock(token);
		for (const line of visible) this.lines.push(this.#prefix() + line);
	}

	/** Keeps one blank line where the source has some. */
	#startBlock({ map }: Token): void {
		const [from, to] = map!;
		if (this.lines.length > 0 && from > this.#sourceLine) this.lines.push('');
		this.#sourceLine = to;
	}

	/** Chats have only one level of quotes. */
	#prefix(): string {
		const mark = this.#mark;
		this.#mark = '';
		// Before a quote, the mark is that of a list around it.
		const indent = Math.max(0, this.#lists.length - (mark ? 1 : 0));
		return (this.#quotes.length > 0 ? '> ' : '') + '  '.repeat(Math.min(indent, MAX_INDENT)) + mark;
	}
}

function withName(column: string, cell: Run[]): Run[] {
	const hasName = cell.length > 0 && column !== '' && column.length <= MAX_COLUMN_NAME;
	return hasName ? [{ text: `${column}: `, styles: [] }, ...cell] : cell;
}

const onOneLine = (lines: Run[][]): Run[] =>
	lines.flatMap((runs, at) => (at > 0 ? [{ text: ' ', styles: [] }, ...runs] : runs));
