/** By HTML element: characters that no text contains open and close a style until all text around it is known. */
const STYLES: Record<string, [open: string, close: string]> = {
	strong: ['\ufdd0', '\ufdd3'],
	em: ['\ufdd1', '\ufdd4'],
	s: ['\ufdd2', '\ufdd5'],
};

export const isStyle = (tag: string) => Object.hasOwn(STYLES, tag);
export const opened = (tags: string[]) => tags.map((tag) => STYLES[tag]![0]).join('');
export const closed = (tags: string[]) => tags.map((tag) => STYLES[tag]![1]).join('');
export const withoutStyles = (text: string) => text.replace(/[\ufdd0-\ufdd5]/g, '');

/** Chats show a style only between visible characters, not next to a word, and not around its own mark. */
const SHOWN: Array<[mark: string, span: RegExp]> = [
	[
		'*',
		/(?<![\p{L}\p{M}\p{N}][\ufdd0-\ufdd5]{0,9})\ufdd0([^\ufdd0\ufdd3*]*)\ufdd3(?![\ufdd0-\ufdd5]{0,9}[\p{L}\p{M}\p{N}])/gu,
	],
	[
		'_',
		/(?<![\p{L}\p{M}\p{N}][\ufdd0-\ufdd5]{0,9})\ufdd1([^\ufdd1\ufdd4_]*)\ufdd4(?![\ufdd0-\ufdd5]{0,9}[\p{L}\p{M}\p{N}])/gu,
	],
	[
		'~',
		/(?<![\p{L}\p{M}\p{N}][\ufdd0-\ufdd5]{0,9})\ufdd2([^\ufdd2\ufdd5~]*)\ufdd5(?![\ufdd0-\ufdd5]{0,9}[\p{L}\p{M}\p{N}])/gu,
	],
];

const spaces = (text: string) => text.replace(/\S/g, '');
const ends = (text: string) => text.replace(/\s/g, '');

/** A text with the marks of chats. A style that chats would not show is left out, so that no stray marks remain. */
export function formatted(text: string): string {
	let marked = text
		.replace(/[\ufdd0-\ufdd2][\ufdd0-\ufdd2\s]*/g, (all) => spaces(all) + ends(all))
		.replace(
			/(?<![\ufdd3-\ufdd5\s])[\ufdd3-\ufdd5\s]*[\ufdd3-\ufdd5]/g,
			(all) => ends(all) + spaces(all),
		);
	for (const [mark, span] of SHOWN) {
		marked = marked.replace(span, (all, content: string) =>
			withoutStyles(all) === '' ? '' : mark + content + mark,
		);
	}
	return withoutStyles(marked);
}
