enum Level {
	/** A block ends at an empty line, and at the start and end of a code block. */
	Block,
	Line,
	Sentence,
	Word,
}
const LEVELS = [Level.Block, Level.Line, Level.Sentence, Level.Word];

/** A part may end at a cut. The white space between `end` and `next`, the start of the next part, is dropped. */
interface Cut {
	end: number;
	next: number;
	level: Level;
}

/**
 * Splits a text into parts of at most `limit` UTF-16 units: at empty lines, then at the ends of lines, sentences and words, and inside a
 * long word between graphemes. Does not cut a paragraph, code block, line or sentence that fits into a part, nor links and short inline
 * code. Only a link longer than the limit makes a part exceed it.
 */
export function splitText(text: string, limit: number): string[] {
	if (text.length <= limit || text.trim() === '') return [text];
	const cuts = [...cutsIn(text)];
	const links = [...text.matchAll(LINK)];
	const parts: string[] = [];
	let start = 0;
	// It only grows, so all parts together pass each cut once.
	let passed = 0;
	while (start < text.length) {
		while (cuts[passed]!.next <= start) passed += 1;
		const near = cuts.slice(passed, passed + 2 * limit);
		const cut = bestCut(near, start, limit) ?? cutInWord(text, start, limit, links, near);
		const part = text.slice(start, cut.end);
		if (part.trim() !== '') parts.push(part);
		start = cut.next;
	}
	return parts;
}

/** Returns the last cut that fits, at the first level at which the part is half full or the unit after the cut stays whole. */
function bestCut(near: Cut[], start: number, limit: number): Cut | undefined {
	for (const level of LEVELS) {
		const units = near.filter((cut) => cut.level <= level);
		const last = units.findLastIndex(({ end }) => end - start <= limit);
		const [cut, following] = last < 0 ? [] : units.slice(last);
		if (!cut) continue;
		const isHalfFull = cut.next - start >= limit / 2;
		const isWhole = following && following.end - cut.next <= limit;
		// The last cut is the end of the text.
		if (isHalfFull || isWhole || cut === near.at(-1)) return cut;
	}
	return undefined;
}

function cutInWord(
	text: string,
	start: number,
	limit: number,
	links: RegExpExecArray[],
	near: Cut[],
): Cut {
	// The segmenter is created only here, because the first one of a process takes 10 ms and is rarely needed.
	const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
	const graphemes = segmenter.segment(text.slice(start, start + limit + 2));
	const length = graphemes.containing(limit)!.index;
	const full = start + (length || limit);
	const link = links.find(({ 0: url, index }) => index < full && full < index + url.length);
	// A grapheme that is longer than a part is cut, but not between the surrogates of a character.
	const isCharacter = length === 0 && /[\ud800-\udbff]/.test(text[full - 1]!);
	const inWord = isCharacter ? full - 1 : full;
	const end = !link ? inWord : link.index > start ? link.index : start + link[0].length;
	const cut = near.find((one) => one.next === end || one.end === end);
	return cut ?? { end, next: end, level: Level.Word };
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

const FENCE = / {0,3}```+[^`\n]*(\n|$)/y; // e.g. ```json

function* cutsIn(text: string): Generator<Cut> {
	let isInCode = false;
	// A fence without another one after it is text.
	const isFenceAt = (at: number) => {
		FENCE.lastIndex = at;
		return FENCE.test(text) && (isInCode || text.includes('```', FENCE.lastIndex));
	};
	let isFence = isFenceAt(0);
	isInCode = isFence;
	let last = 0;
	for (const { 1: space = '', 2: stop = '', index } of text.matchAll(BREAK)) {
		if (space + stop === '') continue;
		const end = index + stop.length;
		// Indentation belongs to the next unit.
		const next = end + (space.lastIndexOf('\n') + 1 || space.length);
		let level = levelOf(text, end, next, space);
		if (isInCode) level = Math.max(level, Level.Line);
		if (space.includes('\n')) {
			const isAfterCode = isFence && !isInCode;
			isFence = isFenceAt(next);
			if (isFence) isInCode = !isInCode;
			if (isAfterCode || (isFence && isInCode)) level = Level.Block;
		}
		last = next;
		yield { end, next, level: next === text.length ? Level.Block : level };
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
