/** Half-open, in UTF-16 units. */
interface Range {
	from: number;
	to: number;
}

/** A code block between two lines of backticks. */
interface Fence extends Range {
	contentFrom: number;
	contentTo: number;
	/** What opens the block again in the next part, and what closes it in this one. */
	prefix: string;
	suffix: string;
}

enum Level {
	/** An empty line, or the start or end of a code block. */
	Block,
	Line,
	Sentence,
	Word,
}

/** A place to cut. What is between `end` and `next`, white space or nothing, is dropped. */
interface Cut {
	end: number;
	next: number;
	/** The code block that is cut. */
	fence?: Fence;
}

interface Break extends Cut {
	level: Level;
}

/** Prefix and suffix of a fence are shorter, so there is room for code between them. */
export const MIN_PART_LENGTH = 100;
const MAX_FENCES = 64;

/**
 * Splits a text into parts of at most `limit` UTF-16 units: at empty lines, then at the ends of lines, sentences and
 * words, and inside a long word only between graphemes. A paragraph, line or sentence that fits into a part is not
 * cut, and neither are links and inline code. Code blocks are closed at the end of a part and opened again in the
 * next one. Only a link or grapheme that is longer than the limit makes a part longer.
 */
export const splitText = (text: string, limit: number): string[] =>
	text.length <= limit ? [text] : new TextSplitter(text, limit).parts();

class TextSplitter {
	readonly #fences: Fence[];
	/** Links and inline code. */
	readonly #units: Range[];
	readonly #breaks: Break[];
	/** The first break that is not behind the current part. */
	#first = 0;

	constructor(
		private readonly text: string,
		private readonly limit: number,
	) {
		this.#fences = fencesIn(text);
		this.#units = unitsIn(text).filter(({ from, to }) => {
			if (!isGraphemeBoundary(text, from)) return false;
			if (rangeAround(this.#fences, from)) return to - from <= limit - MAX_FENCES;
			return to - from <= limit || /h/i.test(text[from]!);
		});
		this.#breaks = breaksIn(text, this.#fences, this.#units);
	}

	parts(): string[] {
		const parts: string[] = [];
		const add = (part: string) => {
			if (part.trim() !== '') parts.push(part);
		};
		let start = 0;
		let prefix = '';
		while (prefix.length + this.text.length - start > this.limit) {
			const { end, next, fence } = this.#cut(start, this.limit - prefix.length);
			add(prefix + this.text.slice(start, end) + (fence?.suffix ?? ''));
			start = this.#skipSpace(next);
			prefix = fence?.prefix ?? '';
		}
		add(prefix + this.text.slice(start));
		return parts;
	}

	/** Also drops the white space after a cut inside a word that turned out to end there. */
	#skipSpace(from: number): number {
		const breaks = this.#breaks;
		let start = from;
		for (; this.#first < breaks.length && breaks[this.#first]!.end <= start; this.#first++) {
			start = Math.max(start, breaks[this.#first]!.next);
		}
		return start;
	}

	#cut(start: number, room: number): Cut {
		/** By level: the last break of this level, or of one before it, that is within the part. */
		const last: Array<Break | undefined> = [];
		let at = this.#first;
		for (; at < this.#breaks.length && this.#breaks[at]!.end - start <= room; at++) {
			const candidate = this.#breaks[at]!;
			if (candidate.end - start + (candidate.fence?.suffix.length ?? 0) > room) continue;
			for (let level = candidate.level; level <= Level.Word; level++) last[level] = candidate;
		}
		// What would fill the next part anyway, or would be cut there, starts in this one.
		const found = last.find(
			(candidate, level) =>
				candidate &&
				(candidate.end - start >= room / 2 || this.#isFollowedByUnit(candidate, level, at)),
		);
		return found ?? this.#cutWord(start, room, last[Level.Word]);
	}

	/** Whether what comes after the break, up to the next one of its level, fits into a part. */
	#isFollowedByUnit({ next, fence }: Break, level: Level, from: number): boolean {
		const room = fence ? this.limit - fence.prefix.length - fence.suffix.length : this.limit;
		for (let at = from; at < this.#breaks.length; at++) {
			const following = this.#breaks[at]!;
			if (following.end - next > room) return false;
			if (following.level <= level) return true;
		}
		return this.text.length - next <= room;
	}

	/** `before` is the last break within the part, if it has one. */
	#cutWord(start: number, room: number, before?: Break): Cut {
		let to = start + room;
		let fence = rangeAround(this.#fences, to);
		if (fence) {
			to = Math.min(to - fence.suffix.length, fence.contentTo - 1);
			if (to <= fence.contentFrom) {
				to = fence.from;
				fence = undefined;
			}
		}
		const unit = rangeAround(this.#units, to);
		const isLongLink = unit !== undefined && unit.from <= start;
		if (unit) to = isLongLink ? unit.to : unit.from;
		if (before && before.next >= to) return before;
		const graphemes = graphemesIn(this.text, before?.next ?? start, to);
		const last = graphemes.boundaries.at(-1);
		if (before && last === undefined) return before;
		let end = last ?? graphemes.next;
		if (isLongLink && end < to) end = graphemes.next;
		if (!unit) end = wordBoundary(this.text, graphemes.boundaries) ?? end;
		return { end, next: end, fence };
	}
}

/** The range that the position is inside of, not at its edge. They are sorted and do not overlap. */
function rangeAround<R extends Range>(ranges: R[], position: number): R | undefined {
	let [low, high] = [0, ranges.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if (ranges[middle]!.to <= position) low = middle + 1;
		else high = middle;
	}
	const range = ranges[low];
	return range && range.from < position ? range : undefined;
}

const FENCE_LINE = /^[ \t]{0,3}(`{3,10})([^`\r\n]{0,30})$/gm;

/** Without those that are not closed: a chat shows them as text. */
function fencesIn(text: string): Fence[] {
	const fences: Fence[] = [];
	let open: RegExpExecArray | undefined;
	for (const line of text.matchAll(FENCE_LINE)) {
		const [, marks, info] = line as unknown as [string, string, string];
		if (!open) {
			open = line;
			continue;
		}
		if (info.trim() !== '' || marks.length < open[1]!.length) continue;
		const contentFrom = text.indexOf('\n', open.index) + 1;
		const contentTo = line.index - 1;
		const to = line.index + line[0].trimEnd().length;
		if (text.slice(contentFrom, contentTo).trim() !== '') {
			const prefix = text.slice(open.index, contentFrom);
			const suffix = text.slice(contentTo, to);
			fences.push({ from: open.index, to, contentFrom, contentTo, prefix, suffix });
		}
		open = undefined;
	}
	return fences;
}

/** Chats do not take these characters for a part of a link; Chinese and Japanese text may follow without a space. */
const URL = /https?:\/\/(?:[^\s()<>"`\u3000-\uffff]|\([^\s()<>"`\u3000-\uffff]*\))+/gi;
const MARKDOWN_LINK = /\[[^[\]\n]*\]\((?:[^\s()]|\([^\s()]*\))*\)/g;

/** Links and inline code, in order. Of two that overlap, the first. */
function unitsIn(text: string): Range[] {
	const units = [...text.matchAll(URL), ...text.matchAll(MARKDOWN_LINK)]
		.map((match) => ({ from: match.index, to: match.index + match[0].length }))
		.concat(codeSpansIn(text))
		.sort((a, b) => a.from - b.from || b.to - a.to);
	let end = 0;
	return units.filter(({ from, to }) => {
		if (from < end) return false;
		end = to;
		return true;
	});
}

/** Code between two runs of equally many backticks in a line. */
function codeSpansIn(text: string): Range[] {
	const spans: Range[] = [];
	let runs: Range[] = [];
	const endLine = () => {
		const closing = new Map<number, Range>();
		const pairs = new Map<Range, Range | undefined>();
		for (const run of runs.reverse()) {
			const length = run.to - run.from;
			pairs.set(run, closing.get(length));
			closing.set(length, run);
		}
		let end = 0;
		for (const run of runs.reverse()) {
			const closed = pairs.get(run);
			if (run.from < end || !closed) continue;
			end = closed.to;
			spans.push({ from: run.from, to: end });
		}
		runs = [];
	};
	for (const { 0: match, index } of text.matchAll(/`+|\n/g)) {
		if (match === '\n') endLine();
		else runs.push({ from: index, to: index + match.length });
	}
	endLine();
	return spans;
}

/** White space, without the spaces that do not break, and the ends of Chinese and Japanese sentences. */
const BREAK =
	/[ \t\n\v\f\r\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]+|[。！？｡][」』”’）】》〉]*/g;
/** Deeper indentation does not start a part. */
const MAX_INDENT = 32;

function breaksIn(text: string, fences: Fence[], units: Range[]): Break[] {
	const breaks: Break[] = [];
	for (const { 0: match, index } of text.matchAll(BREAK)) {
		const to = index + match.length;
		const isSpace = match.trim() === '';
		const line = isSpace ? match.lastIndexOf('\n') + 1 : 0;
		const isIndent = line > 0 && match.length - line <= MAX_INDENT;
		const end = isSpace ? index : to;
		const next = isIndent ? index + line : to;
		const fence = rangeAround(fences, end) ?? rangeAround(fences, next);
		if (end === 0 || (fence && (end <= fence.contentFrom || next >= fence.contentTo))) continue;
		if (rangeAround(units, end) ?? rangeAround(units, next)) continue;
		if (!isGraphemeBoundary(text, end) || !isGraphemeBoundary(text, next)) continue;
		let level = Level.Word;
		if (line > 0) {
			const isBlock = match.indexOf('\n') + 1 < line || isFenceEdge(fences, end, next);
			level = isBlock && !fence ? Level.Block : Level.Line;
		} else if (!fence && isSentenceEnd(text, end, next)) {
			level = Level.Sentence;
		}
		breaks.push({ end, next, level, fence });
	}
	return breaks;
}

/** One position further, it is inside. */
const isFenceEdge = (fences: Fence[], end: number, next: number) =>
	rangeAround(fences, end - 1) !== undefined || rangeAround(fences, next + 1) !== undefined;

const SENTENCE_END = /[.!?…。！？｡؟।](?:["'»”’)\]*_~」』）】》〉]*)$/;
/** The last word before the dot, and what is before it. */
const LAST_WORD = /(^|[^\p{L}\p{N}])([\p{L}\p{N}]{1,4})\.$/u;
const TITLES = ['Dr', 'Mr', 'Mrs', 'Ms', 'Nr', 'Prof', 'St'];
/** Enough for a title, and for brackets and quotes after a sentence. */
const SENTENCE_TAIL = 16;

function isSentenceEnd(text: string, end: number, next: number): boolean {
	const tail = text.slice(Math.max(0, end - SENTENCE_TAIL), end);
	const startsInLowerCase = /^\p{Ll}/u.test(text.slice(next, next + 2));
	return SENTENCE_END.test(tail) && !endsInAbbreviation(tail) && !startsInLowerCase;
}

/** An initial, a title, or the number of a list entry. */
function endsInAbbreviation(tail: string): boolean {
	const match = LAST_WORD.exec(tail);
	if (!match) return false;
	const [, , word = ''] = match;
	const lineStart = tail.slice(tail.lastIndexOf('\n') + 1, match.index + match[1]!.length);
	const isListNumber = /^\d{1,3}$/.test(word) && lineStart.trim() === '';
	return isListNumber || /^\p{L}$/u.test(word) || TITLES.includes(word);
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
const WORDS = new Intl.Segmenter('en', { granularity: 'word' });
/** The segmenter needs quadratic time in Node.js 20, so it gets short pieces. */
const PIECE = 200;
/** How far to look for a boundary between words, in text that has no spaces. */
const WORD_SEARCH = 60;

/** The boundaries after `from` and up to `to`, and the next one. */
function graphemesIn(text: string, from: number, to: number) {
	const boundaries: number[] = [];
	let start = from;
	let length = PIECE;
	for (;;) {
		const piece = text.slice(start, start + length);
		const isLast = start + length >= text.length;
		let next: number | undefined;
		for (const { index } of GRAPHEMES.segment(piece)) {
			// What follows decides about a boundary, so the end of the piece is none.
			if (index === 0 || (!isLast && index > length - 2)) continue;
			next = start + index;
			if (next > to) return { boundaries, next };
			boundaries.push(next);
			// A long piece has a long grapheme. Only that one is needed.
			if (length > PIECE) break;
		}
		if (next === undefined && isLast) return { boundaries, next: text.length };
		length = next === undefined ? 2 * length : PIECE;
		start = next ?? start;
	}
}

/** The last boundary between words among those between graphemes, if one is near the last of them. */
function wordBoundary(text: string, boundaries: number[]): number | undefined {
	const last = boundaries.at(-1) ?? 0;
	const near = boundaries.slice(-WORD_SEARCH).filter((boundary) => last - boundary < PIECE);
	const [from = 0] = near;
	let found: number | undefined;
	for (const { index } of WORDS.segment(text.slice(from, last + SENTENCE_TAIL))) {
		if (index > 0 && near.includes(from + index)) found = from + index;
	}
	return found;
}

/** Only these characters can be in a grapheme with white space. */
const MAY_EXTEND = /^[\p{M}\p{Cf}\p{Sk}\u0e33\u0eb3\uff9e\uff9f]/u;
const MAY_PREPEND = /[\p{Cf}\u0d4e\u{11000}-\u{11fff}]$/u;

function isGraphemeBoundary(text: string, at: number): boolean {
	const before = text.slice(Math.max(0, at - 2), at);
	const after = text.slice(at, at + 2);
	if (!MAY_EXTEND.test(after) && !MAY_PREPEND.test(before)) return true;
	for (const { index } of GRAPHEMES.segment(before + after)) {
		if (index === before.length) return true;
	}
	return after === '';
}
