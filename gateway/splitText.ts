/** A code block between two lines of backticks. */
interface Fence {
	from: number;
	contentFrom: number;
	contentTo: number;
	to: number;
}

enum Level {
	/** An empty line, or the start or end of a code block. */
	Block,
	Line,
	Sentence,
	Word,
}

/** A place to cut. What is between `end` and `next`, white space or nothing, is dropped. */
interface Break {
	end: number;
	next: number;
	level: Level;
	/** The code block that is cut. */
	fence?: Fence;
}

/** What opens a code block again, and what closes it, are shorter, so there is room for code between them. */
export const MIN_PART_LENGTH = 100;

/**
 * Splits a text into parts of at most `limit` UTF-16 units: at empty lines, then at the ends of lines, sentences and
 * words, and inside a long word only between graphemes. A paragraph, line or sentence that fits into a part is not
 * cut, and neither are links and short inline code. Code blocks are closed at the end of a part and opened again in
 * the next one. Only a link that is longer than the limit makes a part longer.
 */
export const splitText = (text: string, limit: number): string[] =>
	text.length <= limit ? [text] : new TextSplitter(text, limit, fencesIn(text)).parts();

class TextSplitter {
	/** The first code block that does not end before the current part. */
	#fence = 0;

	constructor(
		private readonly text: string,
		private readonly limit: number,
		private readonly fences: Fence[],
	) {}

	parts(): string[] {
		const parts: string[] = [];
		let start = 0;
		let prefix = '';
		while (prefix.length + this.text.length - start > this.limit) {
			const { end, next, fence } = this.#cut(start, this.limit - prefix.length);
			parts.push(prefix + this.text.slice(start, end) + this.#closing(fence));
			start = next;
			prefix = this.#opening(fence);
			this.#fence = this.#fenceFrom(start);
		}
		parts.push(prefix + this.text.slice(start));
		return parts.filter((part) => part.trim() !== '');
	}

	#opening = (fence?: Fence) => (fence ? this.text.slice(fence.from, fence.contentFrom) : '');
	#closing = (fence?: Fence) => (fence ? this.text.slice(fence.contentTo, fence.to) : '');

	/** The index of the first code block, from a known one on, that does not end before the position. */
	#fenceFrom(position: number, known = this.#fence): number {
		let index = known;
		while (this.fences[index] && this.fences[index]!.to < position) index++;
		return index;
	}

	#cut(start: number, room: number): Break {
		/** By level: the last break of this level, or of one before it, that is within the part. */
		const last: Array<Break | undefined> = [];
		for (const found of this.#breaks(start, room)) {
			if (found.end - start + this.#closing(found.fence).length > room) continue;
			for (let level = found.level; level <= Level.Word; level++) last[level] = found;
		}
		// What would fill the next part anyway, or would be cut there, starts in this one.
		const best = last.find(
			(found, level) =>
				found && (found.end - start >= room / 2 || this.#isFollowedByUnit(found, level)),
		);
		return best ?? this.#cutWord(start, room, last[Level.Word]);
	}

	/** Whether what comes after the break, up to the next one of its level, fits into a part. */
	#isFollowedByUnit({ next, fence }: Break, level: Level): boolean {
		const room = this.limit - this.#opening(fence).length - this.#closing(fence).length;
		if (this.text.length - next <= room) return true;
		for (const following of this.#breaks(next, room)) if (following.level <= level) return true;
		return false;
	}

	/** The places between words, up to `room` units after `from`. */
	*#breaks(from: number, room: number): Generator<Break> {
		const { text } = this;
		let index = this.#fence;
		for (const match of text.slice(from, from + room + MAX_SPACE).matchAll(BREAK)) {
			const { 1: space = '', 2: stop = '' } = match;
			const end = from + match.index + stop.length;
			if (end > from + room) return;
			if (end === from || match[0].startsWith('`')) continue;
			const line = space.lastIndexOf('\n') + 1;
			const next = end + (line || space.length);
			index = this.#fenceFrom(end, index);
			const fence = this.fences[index];
			const isInside = fence && fence.from < end && end < fence.to;
			if (isInside && (end <= fence.contentFrom || next >= fence.contentTo)) continue;
			let level = line > 0 ? Level.Line : Level.Word;
			if (isInside) {
				yield { end, next, level, fence };
				continue;
			}
			const isEdge = end === fence?.to || next === fence?.from;
			if (line > 0 && (isEdge || space.indexOf('\n') + 1 < line)) level = Level.Block;
			if (line === 0 && isSentenceEnd(text, end, next)) level = Level.Sentence;
			yield { end, next, level };
		}
	}

	/** `before` is the last break within the part, if it has one. */
	#cutWord(start: number, room: number, before?: Break): Break {
		const { text } = this;
		let to = start + room;
		let fence = this.fences[this.#fenceFrom(to + 1)];
		if (fence && fence.from < to)
			to = Math.min(to - this.#closing(fence).length, fence.contentTo - 1);
		if (fence && to <= fence.contentFrom) {
			to = Math.min(to, fence.from);
			fence = undefined;
		}
		if (!fence) to = this.#outsideLink(start, to);
		if (before && before.next >= to) return before;
		for (const found of this.#breaks(start, to - start)) if (found.end === to) return found;
		if (/[\udc00-\udfff]/.test(text[to] ?? '')) to--;
		const graphemes = GRAPHEMES.segment(text.slice(start, to + 2));
		const end = start + (graphemes.containing(to - start)?.index || to - start);
		return { end, next: end, level: Level.Word, fence };
	}

	/** The position, or the start or end of a link that it is inside of. */
	#outsideLink(start: number, position: number): number {
		for (const { index } of this.text.slice(start, position + 'https://'.length).matchAll(LINK)) {
			const from = start + index;
			const [[link] = ['']] = this.text.slice(from).matchAll(LINK);
			const to = from + link.length;
			if (from < position && to > position) return from > start ? from : to;
		}
		return position;
	}
}

const FENCE_LINE = /^[ \t]{0,3}(`{3,10})([^`\r\n]{0,30})$/gm;

/** Without those that are not closed: a chat shows them as text. */
function fencesIn(text: string): Fence[] {
	const fences: Fence[] = [];
	let open: RegExpExecArray | undefined;
	for (const line of text.matchAll(FENCE_LINE)) {
		const [marks = '', info = ''] = line.slice(1);
		if (!open) {
			open = line;
		} else if (info.trim() === '' && marks.startsWith(open[1]!)) {
			const contentFrom = text.indexOf('\n', open.index) + 1;
			const contentTo = line.index - 1;
			const isEmpty = text.slice(contentFrom, contentTo).trim() === '';
			const to = line.index + line[0].trimEnd().length;
			if (!isEmpty) fences.push({ from: open.index, contentFrom, contentTo, to });
			open = undefined;
		}
	}
	return fences;
}

/** Chats do not take these characters for a part of a link; Chinese and Japanese text may follow without a space. */
const LINK = /https?:\/\/(?:[^\s()<>"`\u3000-\uffff]|\([^\s()<>"`\u3000-\uffff]*\))+/gi;
/**
 * White space, without the spaces that do not break and those in a grapheme with another character; ends of Chinese and
 * Japanese sentences; short inline code, which is not cut.
 */
const BREAK =
	/((?:[\t-\r\u2028\u2029]|(?<![\u0600-\u0605\u06dd])[ \u1680\u2000-\u2006\u2008-\u200a\u205f\u3000](?![\p{M}\p{Cf}\u{1f3fb}-\u{1f3ff}\u0e33\u0eb3\uff9e\uff9f]))+)|([。！？｡][」』”’）】》〉]*)(?![\p{M}\p{Cf}\u{1f3fb}-\u{1f3ff}\u0e33\u0eb3\uff9e\uff9f])|`[^`\n]{1,80}`/gu;
/** White space that is longer starts the next part. */
const MAX_SPACE = 1_000;
const SENTENCE_END = /[.!?…。！？｡؟।]["'»”’)\]*_~」』）】》〉]*$/;
/** An initial, a title, or the number of a list entry. */
const ABBREVIATION = /(?:^|[^\p{L}\p{N}])(?:\p{L}|\d{1,3}|Dr|Mr|Mrs|Ms|Nr|Prof|St)\.$/u;
/** Enough for a title, and for brackets and quotes after a sentence. */
const SENTENCE_TAIL = 16;

function isSentenceEnd(text: string, end: number, next: number): boolean {
	const tail = text.slice(Math.max(0, end - SENTENCE_TAIL), end);
	const startsInLowerCase = /^\p{Ll}/u.test(text.slice(next, next + 2));
	return SENTENCE_END.test(tail) && !ABBREVIATION.test(tail) && !startsInLowerCase;
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
