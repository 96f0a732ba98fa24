export type Style = 'bold' | 'italic' | 'strike';

/** A part of a line. Its styles are in the order in which they were opened. */
export interface Run {
	text: string;
	styles: ReadonlySet<Style>;
}

const MARKS: Record<Style, string> = { bold: '*', italic: '_', strike: '~' };

const endsWithWord = (text = '') => /[\p{L}\p{M}\p{N}]$/u.test(text.slice(-2));
const startsWithWord = (text = '') => /^[\p{L}\p{M}\p{N}]/u.test(text);
const isSpace = ({ text }: Run) => text.trim() === '';

/** A line with the marks of chats. A style that chats would not show is left out, so that no stray marks remain. */
export function formattedLine(line: Run[]): string {
	// The spaces around a run become runs of their own.
	const runs = line.flatMap(({ text, styles }) =>
		[/^\s*/, /\S.*\S|\S/s, /(?<=\S)\s+$/].flatMap((part) => {
			const [found] = part.exec(text) ?? [''];
			return found === '' ? [] : [{ text: found, styles: new Set(styles) }];
		}),
	);
	for (const style of Object.keys(MARKS) as Style[]) keepShown(runs, style);
	let text = '';
	const open: Style[] = [];
	for (const run of [...runs, { text: '', styles: new Set<Style>() }]) {
		const firstClosed = open.findIndex((style) => !run.styles.has(style));
		const closed = firstClosed < 0 ? [] : open.splice(firstClosed).reverse();
		const opened = [...run.styles].filter((style) => !open.includes(style));
		open.push(...opened);
		text += [...closed, ...opened].map((style) => MARKS[style]).join('') + run.text;
	}
	return text;
}

/** Chats show a style only between visible characters, not next to a word, and not around its own mark. */
function keepShown(runs: Array<Run & { styles: Set<Style> }>, style: Style): void {
	for (let from = 0; from < runs.length; from++) {
		let to = from;
		while (runs[to]?.styles.has(style)) to++;
		const span = runs.slice(from, to);
		const first = from + span.findIndex((run) => !isSpace(run));
		const last = from + span.findLastIndex((run) => !isSpace(run));
		const isShown =
			first >= from &&
			!endsWithWord(runs[first - 1]?.text) &&
			!startsWithWord(runs[last + 1]?.text) &&
			!span.some(({ text }) => text.includes(MARKS[style]));
		for (let at = from; at < to; at++) {
			if (!isShown || at < first || at > last) runs[at]!.styles.delete(style);
		}
		from = to;
	}
}
