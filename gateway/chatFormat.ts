export type Style = 'bold' | 'italic' | 'strike';

/** A part of a line. Its styles are in the order in which they were opened. */
export interface Run {
	text: string;
	styles: readonly Style[];
}

/** How chats mark a style. Each pattern finds what ends it too early, or starts it in the wrong place. */
const MARKS: Record<Style, { mark: string; misread: RegExp }> = {
	bold: { mark: '*', misread: /^\*|\S\*(?![\p{L}\p{M}\p{N}])/u },
	italic: { mark: '_', misread: /^_|\S_(?![\p{L}\p{M}\p{N}])/u },
	strike: { mark: '~', misread: /^~|\S~(?![\p{L}\p{M}\p{N}])/u },
};

/** A line with the marks of chats. A style that chats would not show is left out, so that no stray marks remain. */
export function formattedLine(line: Run[]): string {
	let runs = line;
	for (const style of Object.keys(MARKS) as Style[]) runs = withShown(style, runs);
	let text = '';
	const open: Style[] = [];
	for (const run of [...runs, { text: '', styles: [] }]) {
		const firstChange = open.findIndex((style, at) => run.styles[at] !== style);
		if (firstChange >= 0) text += open.splice(firstChange).reverse().map(markOf).join('');
		const opened = run.styles.slice(open.length);
		open.push(...opened);
		text += opened.map(markOf).join('') + run.text;
	}
	return text;
}

const markOf = (style: Style) => MARKS[style].mark;

const without = (style: Style, { text, styles }: Run): Run => ({
	text,
	styles: styles.filter((other) => other !== style),
});

function withShown(style: Style, runs: Run[]): Run[] {
	const result: Run[] = [];
	for (let from = 0; from < runs.length;) {
		let to = from;
		while (runs[to]?.styles.includes(style)) to++;
		if (to === from) {
			result.push(runs[from]!);
			from++;
			continue;
		}
		const span = trimmed(style, runs.slice(from, to));
		const styled = span.filter(({ styles }) => styles.includes(style));
		const text = styled.map((run) => run.text).join('');
		const [first] = span;
		const last = span.at(-1);
		const before = first === styled[0] ? (runs[from - 1]?.text ?? '') : ' ';
		const after = last === styled.at(-1) ? (runs[to]?.text ?? '') : ' ';
		const isShown =
			!endsWithWord(before) && !startsWithWord(after) && !MARKS[style].misread.test(text);
		// Not as arguments of one call, which would overflow the stack.
		for (const run of span) result.push(isShown ? run : without(style, run));
		from = to;
	}
	return result;
}

/** Chats show a style only if it starts and ends with visible characters, and not inside a word. */
const endsWithWord = (text: string) => /[\p{L}\p{M}\p{N}]$/u.test(text.slice(-2));
const startsWithWord = (text: string) => /^[\p{L}\p{M}\p{N}]/u.test(text.slice(0, 2));

/** Takes the style from the spaces around the runs. */
function trimmed(style: Style, runs: Run[]): Run[] {
	const isSpace = ({ text }: Run) => text.trim() === '';
	const start = runs.findIndex((run) => !isSpace(run));
	if (start < 0) return runs.map((run) => without(style, run));
	const end = runs.findLastIndex((run) => !isSpace(run));
	return runs.flatMap((run, at) => {
		if (at < start || at > end) return [without(style, run)];
		const head = at === start ? run.text.length - run.text.trimStart().length : 0;
		const tail = at === end ? run.text.trimEnd().length : run.text.length;
		return [
			without(style, { ...run, text: run.text.slice(0, head) }),
			{ ...run, text: run.text.slice(head, tail) },
			without(style, { ...run, text: run.text.slice(tail) }),
		].filter(({ text }) => text !== '');
	});
}
