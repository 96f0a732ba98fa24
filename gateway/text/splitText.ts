enum Level {
	/** A block ends at an empty line, and at the start and end of a code block. */
	Block,
	Line,
	Sentence,
	Word,
}
const LEVELS = [Level.Block, Level.Line, Level.Sentence, Level.Word];

/** The lines that open a code block again and close it are shorter in total, so this leaves room for code between them. */
export const MIN_PART_LENGTH = 100;

/** A part may end at a cut. The white space between `end` and `next`, the start of the next part, is dropped. */
interface Cut {
	end: number;
	next: number;
	level: Level;
	/** The part closes this code block, and the next part opens it again. */
	fence?: Fence;
}

/**
 * Splits a text into parts of at most `limit` UTF-16 units: at empty lines, then at the ends of lines, sentences and words, and inside a
 * long word between graphemes. Does not cut a paragraph, line or sentence that fits into a part, nor links and short inline code. Closes a
 * code block at the end of a part and opens it again in the next one. Only a link longer than the limit makes a part exceed it.
 */
export function splitText(text: string, limit: number): string[] {
	if (text.length <= limit || text.trim() === '') return [text];
	const splitter = new TextSplitter(text, limit);
	const parts: string[] = [];
	let start: Cut = { end: 0, next: 0, level: Level.Block };
	while (start.next < text.length) {
		const cut = splitter.cutAfter(start);
		const part = text.slice(start.next, cut.end);
		if (part.trim() !== '') parts.push(openingOf(start) + part + closingOf(cut));
		start = cut;
	}
	return parts;
}

class TextSplitter {
	readonly #fences: Fence[];
	readonly #links: RegExpExecArray[];
	readonly #cuts: Cut[];
	/** Counts the cuts up to the start of the current part. It only grows, so all parts together pass each cut once. */
	#passed = 0;

	constructor(
		private readonly text: string,
		private readonly limit: number,
	) {
		this.#fences = [...fencesIn(text)];
		this.#links = [...text.matchAll(LINK)];
		this.#cuts = [...cutsIn(text, this.#fences)];
	}

	/** Returns the last cut that fits, at the first level at which the part is half full or the unit after the cut stays whole. */
	cutAfter(start: Cut): Cut {
		while (this.#cuts[this.#passed]!.next <= start.next) this.#passed += 1;
		const near = this.#cuts.slice(this.#passed, this.#passed + 2 * this.limit);
		for (const level of LEVELS) {
			const units = near.filter((cut) => cut.level <= level);
			const last = units.findLastIndex((cut) => lengthOf(start, cut) <= this.limit);
			const [cut, following] = last < 0 ? [] : units.slice(last);
			if (!cut) continue;
			const isHalfFull = cut.next - start.next >= this.limit / 2;
			const isWhole = following && lengthOf(cut, following) <= this.limit;
			if (isHalfFull || isWhole || cut.next === this.text.length) return cut;
		}
		const { end, fence } = this.#cutInWord(start);
		const cut = near.find((one) => one.next === end || one.end === end);
		return cut ?? { end, next: end, level: Level.Word, fence };
	}

	#cutInWord(start: Cut): Pick<Cut, 'end' | 'fence'> {
		const from = start.next;
		const full = from + this.limit - openingOf(start).length;
		const fence = this.#fences.find((one) => one.from < full && full < one.to);
		const room = full - closingOf({ fence }).length - from;
		// The segmenter is created only here, because the first one of a process takes 10 ms and is rarely needed.
		const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
		const graphemes = segmenter.segment(this.text.slice(from, from + room + 2));
		const length = graphemes.containing(room)!.index;
		const end = from + (length || room);
		const link = this.#links.find(({ 0: url, index }) => index < end && end < index + url.length);
		if (!fence && link) return { end: link.index > from ? link.index : from + link[0].length };
		// A grapheme that is longer than a part is cut, but not between the surrogates of a character.
		const isCharacter = /[\ud800-\udbff]/.test(this.text[from + room - 1]!);
		return { end: length === 0 && isCharacter ? end - 1 : end, fence };
	}
}

const openingOf = ({ fence }: Pick<Cut, 'fence'>) => fence?.opening ?? '';
const closingOf = ({ fence }: Pick<Cut, 'fence'>) => fence?.closing ?? '';
const lengthOf = (from: Cut, to: Cut) =>
	openingOf(from).length + to.end - from.next + closingOf(to).length;

interface Fence {
	from: number;
	to: number;
	/** The next part starts with this line, the first one of the code block. It includes the line break. */
	opening: string;
	/** The part ends with this line, the last one of the code block. It includes the line break before it. */
	closing: string;
}

const FENCE_LINE = /^[ \t]{0,3}(`{3,6})([^`\r\n]{0,25})$/gm; // e.g. ```json

/** Finds the code blocks between two lines of backticks. Unclosed ones do not count, because chats show them as text. */
function* fencesIn(text: string): Generator<Fence> {
	let open: RegExpExecArray | undefined;
	for (const line of text.matchAll(FENCE_LINE)) {
		const [marks = '', info = ''] = line.slice(1);
		if (!open) {
			open = line;
		} else if (info.trim() === '' && marks.startsWith(open[1]!)) {
			const from = open.index;
			const to = line.index + line[0].trimEnd().length;
			const opening = text.slice(from, text.indexOf('\n', from) + 1);
			const closing = text.slice(line.index - 1, to);
			const content = text.slice(from + opening.length, to - closing.length);
			if (content.trim() !== '') yield { from, to, opening, closing };
			open = undefined;
		}
	}
}

/** Matches links. Chats end a link at the excluded characters: Chinese, Japanese and Korean text may follow it without a space. */
const LINK =
	/[\u0600-\u0605\u06dd]{0,9}https?:\/\/(?:[^\s()<>"`\u0600-\u0605\u06dd\u1100-\u11ff\u3000-\ufdff\ufe10-\uffff]|\([^\s()<>"`\u1100-\u11ff\u3000-\uffff]*\))+/gi;
/**
 * Matches white space, except non-breaking spaces and spaces inside a grapheme, and the ends of Chinese and Japanese sentences.
 * Also matches short inline code, so that no cut is found inside it.
 */
const BREAK =
	/((?:[\t-\r\u2028\u2029]|(?<![\u0600-\u0605\u06dd])[ \u1680\u2000-\u2006\u2008-\u200a\u205f\u3000](?![\p{M}\p{Cf}\u{1f3fb}-\u{1f3ff}\u0e33\u0eb3\uff9e\uff9f]))+)|([。！？｡][」』”’）】》〉]*)(?![\p{M}\p{Cf}\u{1f3fb}-\u{1f3ff}\u0e33\u0eb3\uff9e\uff9f])|`[^`\n]{1,80}`/gu;

function* cutsIn(text: string, fences: Fence[]): Generator<Cut> {
	let at = 0;
	let last = 0;
	for (const { 1: space = '', 2: stop = '', index } of text.matchAll(BREAK)) {
		if (space + stop === '') continue;
		const end = index + stop.length;
		// Indentation belongs to the next unit.
		const next = end + (space.lastIndexOf('\n') + 1 || space.length);
		while (fences[at] && fences[at]!.to < end) at += 1;
		const fence = fences[at];
		const isInside = fence !== undefined && fence.from <= end && end < fence.to;
		const isCode = isInside && end >= fence.from + fence.opening.length;
		if (isInside && !(isCode && next <= fence.to - fence.closing.length)) continue;
		const isEdge = end === 0 || next === text.length || end === fence?.to || next === fence?.from;
		const level = isEdge ? Level.Block : levelOf(text, end, next, space);
		last = next;
		if (isInside) yield { end, next, level: Math.max(level, Level.Line), fence };
		else yield { end, next, level };
	}
	if (last < text.length) yield { end: text.length, next: text.length, level: Level.Block };
}

function levelOf(text: string, end: number, next: number, space: string): Level {
	const lines = space.split('\n').length - 1;
	if (lines > 0) return lines > 1 ? Level.Block : Level.Line;
	const tail = text.slice(Math.max(0, end - SENTENCE_TAIL), end);
	const startsInLowerCase = /^\p{Ll}/u.test(text.slice(next, next + 2));
	const isSentence = SENTENCE_END.test(tail) && !ABBREVIATION.test(tail) && !startsInLowerCase;
	return isSentence ? Level.Sentence : Level.Word;
}

const SENTENCE_END = /[.!?…。！？｡؟।]["'»”’)\]*_~」』）】》〉]*$/; // e.g. He said "Go!"
/** Matches an initial, a title, or the number of a list entry, whose dot does not end a sentence: J., Dr., 12. */
const ABBREVIATION = /(?:^|[^\p{L}\p{N}])(?:\p{L}|\d{1,3}|Dr|Mr|Mrs|Ms|Nr|Prof|St)\.$/u;
/** The two expressions read this many characters, enough for a title, or for brackets and quotes after a sentence. */
const SENTENCE_TAIL = 16;
