enum Level {
	/** An empty line, or the start or end of a code block. */
	Block,
	Line,
	Sentence,
	Word,
}

/** What opens a code block again, and what closes it, are shorter, so there is room for code between them. */
export const MIN_PART_LENGTH = 100;

/**
 * Splits a text into parts of at most `limit` UTF-16 units: at empty lines, then at the ends of lines, sentences and
 * words, and inside a long word only between graphemes. A paragraph, line or sentence that fits into a part is not
 * cut, and neither are links and short inline code. Code blocks are closed at the end of a part and opened again in
 * the next one. Only a link that is longer than the limit makes a part longer.
 */
export function splitText(text: string, limit: number): string[] {
	if (text.length <= limit || text.trim() === '') return [text];
	const splitter = new TextSplitter(limit);
	let from = 0;
	for (const fence of fencesIn(text)) {
		splitter.add(text.slice(from, fence.from));
		splitter.addCode(fence);
		from = fence.to;
	}
	splitter.add(text.slice(from));
	splitter.end();
	return splitter.parts;
}

class TextSplitter {
	readonly parts: string[] = [];
	#part = '';
	/** The white space after the part, which is dropped if the part ends here. */
	#gap = '';
	/** The lines around the open code block. */
	#opening = '';
	#closing = '';

	constructor(private readonly limit: number) {}

	addCode({ opening, content, closing }: Fence): void {
		const block = opening + content + closing;
		if (block.length <= this.limit) {
			this.#addUnit(block, Level.Block);
			return;
		}
		const [line = ''] = content.split('\n', 1);
		const start = this.#part + this.#gap + opening + line + closing;
		if (start.length > this.limit || this.#part.length >= this.limit / 2) this.end();
		this.#append(opening);
		[this.#opening, this.#closing] = [opening, closing];
		this.add(content, Level.Line);
		[this.#opening, this.#closing] = ['', ''];
		this.#append(closing);
	}

	end(): void {
		const isEmpty = this.#part.trim() === '' || this.#part === this.#opening;
		if (!isEmpty) this.parts.push(this.#part + this.#closing);
		[this.#part, this.#gap] = [this.#opening, ''];
	}

	#append(text: string): void {
		this.#part += this.#gap + text;
		this.#gap = '';
	}

	add(text: string, level = Level.Block): void {
		for (const { unit, gap } of unitsOf(text, level)) {
			if (unit !== '') this.#addUnit(unit, level);
			this.#gap += gap;
		}
	}

	#addUnit(unit: string, level: Level): void {
		const limit = this.limit - this.#closing.length;
		const joined = this.#part + this.#gap + unit;
		const fits = this.#opening.length + unit.length <= limit;
		// A unit that will be cut starts in this part, unless it is half full.
		if (joined.length > limit && (fits || this.#part.length >= limit / 2)) this.end();
		if (joined.length <= limit || fits) this.#append(unit);
		else if (level < Level.Word) this.add(unit, level + 1);
		else this.#addWord(unit);
	}

	#addWord(word: string): void {
		let from = 0;
		for (const { 0: link, index } of this.#opening ? [] : word.matchAll(LINK)) {
			this.#addGraphemes(word.slice(from, index));
			if (this.#room() < link.length) this.end();
			this.#append(link);
			from = index + link.length;
		}
		this.#addGraphemes(word.slice(from));
	}

	#addGraphemes(text: string): void {
		let rest = text;
		while (rest !== '') {
			const room = Math.max(0, this.#room());
			let length = Math.min(room, rest.length);
			if (length < rest.length) {
				// Not once for all texts: the first one of a process takes 10 ms, and is rarely needed.
				const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
				const graphemes = segmenter.segment(rest.slice(0, room + 2));
				length = graphemes.containing(room)!.index;
				// A grapheme that is longer than a part is cut, but not inside a character.
				if (length === 0 && this.#part === this.#opening)
					length = /[\ud800-\udbff]/.test(rest[room - 1]!) ? room - 1 : room;
			}
			if (length > 0) this.#append(rest.slice(0, length));
			rest = rest.slice(length);
			if (rest !== '') this.end();
		}
	}

	#room = () => this.limit - this.#part.length - this.#gap.length - this.#closing.length;
}

interface Fence {
	from: number;
	to: number;
	/** The first line. */
	opening: string;
	content: string;
	/** The last line, and the end of the one before. */
	closing: string;
}

const FENCE_LINE = /^[ \t]{0,3}(`{3,10})([^`\r\n]{0,30})$/gm;

/** The code blocks between two lines of backticks. Chats show those that are not closed as text. */
function* fencesIn(text: string): Generator<Fence> {
	let open: RegExpExecArray | undefined;
	for (const line of text.matchAll(FENCE_LINE)) {
		const [marks = '', info = ''] = line.slice(1);
		if (!open) {
			open = line;
		} else if (info.trim() === '' && marks.startsWith(open[1]!)) {
			const from = open.index;
			const to = line.index + line[0].trimEnd().length;
			const contentFrom = text.indexOf('\n', from) + 1;
			const opening = text.slice(from, contentFrom);
			const content = text.slice(contentFrom, line.index - 1);
			const closing = text.slice(line.index - 1, to);
			if (content.trim() !== '') yield { from, to, opening, content, closing };
			open = undefined;
		}
	}
}

/** Chats do not take these characters for a part of a link; Chinese, Japanese and Korean text may follow without a space. */
const LINK =
	/[\u0600-\u0605\u06dd]{0,9}https?:\/\/(?:[^\s()<>"`\u0600-\u0605\u06dd\u1100-\u11ff\u3000-\ufdff\ufe10-\uffff]|\([^\s()<>"`\u1100-\u11ff\u3000-\uffff]*\))+/gi;
/**
 * White space, without the spaces that do not break and those in a grapheme with another character; ends of Chinese and
 * Japanese sentences; short inline code, which is not cut.
 */
const BREAK =
	/((?:[\t-\r\u2028\u2029]|(?<![\u0600-\u0605\u06dd])[ \u1680\u2000-\u2006\u2008-\u200a\u205f\u3000](?![\p{M}\p{Cf}\u{1f3fb}-\u{1f3ff}\u0e33\u0eb3\uff9e\uff9f]))+)|([。！？｡][」』”’）】》〉]*)(?![\p{M}\p{Cf}\u{1f3fb}-\u{1f3ff}\u0e33\u0eb3\uff9e\uff9f])|`[^`\n]{1,80}`/gu;

/** The paragraphs, lines, sentences or words of a text, each with the white space after it. */
function* unitsOf(text: string, level: Level): Generator<{ unit: string; gap: string }> {
	let from = 0;
	for (const { 1: space = '', 2: stop = '', index } of text.matchAll(BREAK)) {
		const end = index + stop.length;
		const line = space.lastIndexOf('\n') + 1;
		// Indentation belongs to the next unit.
		const next = end + (line || space.length);
		if (space + stop === '') continue;
		// White space around code belongs to it.
		const isEdge = end === 0 || next === text.length;
		if (isEdge ? level > Level.Block : levelOf(text, end, next, space) > level) continue;
		yield { unit: text.slice(from, end), gap: text.slice(end, next) };
		from = next;
	}
	yield { unit: text.slice(from), gap: '' };
}

function levelOf(text: string, end: number, next: number, space: string): Level {
	const lines = space.split('\n').length - 1;
	if (lines > 0) return lines > 1 ? Level.Block : Level.Line;
	const tail = text.slice(Math.max(0, end - SENTENCE_TAIL), end);
	const startsInLowerCase = /^\p{Ll}/u.test(text.slice(next, next + 2));
	const isSentence = SENTENCE_END.test(tail) && !ABBREVIATION.test(tail) && !startsInLowerCase;
	return isSentence ? Level.Sentence : Level.Word;
}

const SENTENCE_END = /[.!?…。！？｡؟।]["'»”’)\]*_~」』）】》〉]*$/;
/** An initial, a title, or the number of a list entry. */
const ABBREVIATION = /(?:^|[^\p{L}\p{N}])(?:\p{L}|\d{1,3}|Dr|Mr|Mrs|Ms|Nr|Prof|St)\.$/u;
/** Enough for a title, and for brackets and quotes after a sentence. */
const SENTENCE_TAIL = 16;
