/** A part of a message with the styles of its marks, as on a phone. Only a link has a URL. */
export interface Piece {
	text: string;
	styles: Style[];
	url?: string;
}

export type Style = 'bold' | 'italic' | 'strike' | 'code';

/** A line, or a block of code, whose only piece may have several lines. */
export interface Block {
	kind: 'line' | 'quote' | 'item' | 'code';
	pieces: Piece[];
	/** The number of spaces before a list item. */
	indent?: number;
}

const MARKS: Record<string, Style> = { '*': 'bold', _: 'italic', '~': 'strike' };
const FENCE = '```';

export function chatBlocks(text: string): Block[] {
	const blocks: Block[] = [];
	let at = 0;
	while (at < text.length) {
		const open = text.indexOf(FENCE, at);
		const close = open < 0 ? -1 : text.indexOf(FENCE, open + FENCE.length);
		const code = close < 0 ? '' : text.slice(open + FENCE.length, close);
		// Code without a line break is part of its line.
		if (!code.includes('\n')) {
			const end = close < 0 ? text.length : close + FENCE.length;
			const lineEnd = text.indexOf('\n', end);
			const to = close < 0 || lineEnd < 0 ? text.length : lineEnd;
			blocks.push(...lineBlocks(text.slice(at, to)));
			at = to + 1;
			continue;
		}
		if (open > at) blocks.push(...lineBlocks(text.slice(at, open).replace(/\n$/, '')));
		const content = code.replace(/^\n/, '').replace(/\n$/, '');
		blocks.push({ kind: 'code', pieces: [{ text: content, styles: [] }] });
		at = close + FENCE.length;
		if (text[at] === '\n') at += 1;
	}
	return blocks;
}

const lineBlocks = (text: string): Block[] => text.split('\n').map(lineBlock);

function lineBlock(line: string): Block {
	if (/^> ./.test(line)) {
		const { pieces } = lineBlock(line.slice(2));
		return { kind: 'quote', pieces };
	}
	const [, spaces = '', mark, text] = /^( *)([-*]|\d+\.) (?=\S)(.*)$/.exec(line) ?? [];
	if (mark === undefined) return { kind: 'line', pieces: inlinePieces(line) };
	const shown = /\d/.test(mark) ? mark : '•';
	const pieces = [{ text: `${shown} `, styles: [] }, ...inlinePieces(text ?? '')];
	return { kind: 'item', pieces, indent: spaces.length };
}

function inlinePieces(line: string, styles: Style[] = []): Piece[] {
	const pieces: Piece[] = [];
	let plain = '';
	/** The rest of the line has no closing mark for these styles, so it is not searched again. */
	const unclosed = new Set<Style>();
	const add = (...found: Piece[]) => {
		if (plain) pieces.push({ text: plain, styles });
		plain = '';
		pieces.push(...found);
	};
	for (let at = 0; at < line.length;) {
		const style: Style | undefined = MARKS[line[at]!];
		const url = urlAt(line, at);
		const code = codeAt(line, at);
		const opens = style !== undefined && !unclosed.has(style) && isOpening(line, at);
		const end = opens ? closingMark(line, at) : -1;
		if (opens && end < 0) unclosed.add(style);
		if (url) {
			add({ text: url, styles, url });
			at += url.length;
		} else if (code) {
			add({ text: code.text, styles: [...styles, 'code'] });
			at = code.end;
		} else if (style && end > 0) {
			add(...inlinePieces(line.slice(at + 1, end), [...styles, style]));
			at = end + 1;
		} else {
			plain += line[at];
			at += 1;
		}
	}
	add();
	return pieces;
}

/** Returns the URL at a position. Only http and https are links, because other schemes can run scripts. */
function urlAt(line: string, at: number): string | undefined {
	const pattern = /https?:\/\/[^\s<>"]+/iy;
	pattern.lastIndex = at;
	const [found] = pattern.exec(line) ?? [];
	const url = found?.replace(/(?<![.,;:!?')\]}])[.,;:!?')\]}]+$/, '');
	return url && URL.canParse(url) ? url : undefined;
}

function codeAt(line: string, at: number): { text: string; end: number } | undefined {
	if (line[at] !== '`') return undefined;
	const fence = line.startsWith(FENCE, at) ? FENCE : '`';
	const start = at + fence.length;
	const end = line.indexOf(fence, start);
	if (end <= start) return undefined;
	return { text: line.slice(start, end), end: end + fence.length };
}

const isWord = (character = '') => /[\p{L}\p{M}\p{N}]/u.test(character);
const isSpace = (character = ' ') => /\s/.test(character);

/** Returns whether the mark can open a style. Marks surround words, so a mark inside a word or before a space opens nothing. */
const isOpening = (line: string, at: number) => !isWord(line[at - 1]) && !isSpace(line[at + 1]);

function closingMark(line: string, at: number): number {
	for (let end = line.indexOf(line[at]!, at + 2); end > 0; end = line.indexOf(line[at]!, end + 1)) {
		if (!isSpace(line[end - 1]) && !isWord(line[end + 1])) return end;
	}
	return -1;
}
