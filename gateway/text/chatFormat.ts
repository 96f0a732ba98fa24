/** By HTML element. Characters that no text contains open and close a style until all text around it is known. */
const STYLES: Record<string, { open: string; close: string; mark: string }> = {
	strong: { open: '\ufdd0', close: '\ufdd3', mark: '*' },
	em: { open: '\ufdd1', close: '\ufdd4', mark: '_' },
	s: { open: '\ufdd2', close: '\ufdd5', mark: '~' },
};

export const isStyle = (tag: string) => Object.hasOwn(STYLES, tag);
export const opened = (tags: string[]) => tags.map((tag) => STYLES[tag]!.open).join('');
export const closed = (tags: string[]) => tags.map((tag) => STYLES[tag]!.close).join('');
export const withoutStyles = (text: string) => text.replace(/[\ufdd0-\ufdd5]/g, '');

const spaces = (text: string) => text.replace(/\S/g, '');
const ends = (text: string) => text.replace(/\s/g, '');

/** Chats show a style only between visible characters, not next to a word, and not around its own mark. */
const SHOWN = Object.values(STYLES).map(({ open, close, mark }) => {
	const [before, after] = [
		'(?<![\\p{L}\\p{M}\\p{N}][\ufdd0-\ufdd5]*)',
		'(?![\ufdd0-\ufdd5]*[\\p{L}\\p{M}\\p{N}])',
	];
	return { mark, span: new RegExp(`${before}${open}([^${close}${mark}]*)${close}${after}`, 'gu') };
});

/** A text with the marks of chats. A style that chats would not show is left out, so that no stray marks remain. */
export function formatted(text: string): string {
	let marked = text
		.replace(/[\ufdd0-\ufdd2][\ufdd0-\ufdd2\s]*/g, (all) => spaces(all) + ends(all))
		.replace(
			/(?<![\ufdd3-\ufdd5\s])[\ufdd3-\ufdd5\s]*[\ufdd3-\ufdd5]/g,
			(all) => ends(all) + spaces(all),
		);
	for (const { mark, span } of SHOWN) {
		marked = marked.replace(span, (all, content: string) =>
			withoutStyles(all) === '' ? '' : mark + content + mark,
		);
	}
	return withoutStyles(marked);
}
