import type { Token } from 'markdown-it';

import type { Run, Style } from './chatFormat';

const STYLES: Record<string, Style> = { strong: 'bold', em: 'italic', s: 'strike' };

/** Other names in angle brackets are placeholders of the author, such as <url>, and remain. */
const HTML_TAGS = new Set(
	'a abbr b blockquote body br center cite code dd del details div dl dt em figcaption figure font h1 h2 h3 h4 h5 h6 head hr html i iframe img ins kbd li mark ol p pre q s samp script small span strike strong style sub summary sup table tbody td tfoot th thead tr tt u ul var'.split(
		' ',
	),
);

/** The lines of a paragraph, heading or table cell. */
export function inlineLines(tokens: Token[], styles: Style[] = []): Run[][] {
	const text = new InlineText(styles);
	for (const token of tokens) text.add(token);
	return text.lines;
}

class InlineText {
	readonly lines: Run[][] = [[]];
	/** Each style once, however deeply Markdown nests it. */
	readonly #styles: Style[] = [];
	readonly #depths: Record<Style, number> = { bold: 0, italic: 0, strike: 0 };
	/** The open link, with the position of its label. */
	#link?: { url: string; line: number; run: number };
	/** What follows a URL here could be read as a part of it. */
	#afterUrl = false;
	/** The name of the open HTML element whose content is not text. */
	#hidden?: string;

	constructor(styles: Style[]) {
		for (const style of styles) this.#nest(style, 1);
	}

	add(token: Token): void {
		const style = STYLES[token.tag];
		if (token.type === 'html_inline') this.#html(token.content);
		else if (style) this.#nest(style, token.nesting);
		else if (token.type === 'text') this.#text(token.content);
		else if (token.type === 'code_inline') this.#text(inlineCode(token.content), []);
		else if (token.type === 'image') this.#image(token);
		else if (token.type === 'link_open') this.#openLink(token);
		else if (token.type === 'link_close') this.#closeLink(token);
		else if (/^(soft|hard)break$/.test(token.type)) this.#newLine();
	}

	#nest(style: Style, change: number): void {
		const depth = (this.#depths[style] += change);
		if (depth === 1 && change > 0) this.#styles.push(style);
		else if (depth === 0) this.#styles.splice(this.#styles.indexOf(style), 1);
	}

	#text(text: string, styles: readonly Style[] = this.#styles): void {
		if (text === '' || this.#hidden) return;
		if (this.#afterUrl && !/^[\s.,;:!?)\]}"'»”’]/.test(text)) this.#push(' ', []);
		this.#push(text, styles);
	}

	#push(text: string, styles: readonly Style[]): void {
		this.#afterUrl = false;
		this.lines.at(-1)!.push({ text, styles: [...styles] });
	}

	#newLine(): void {
		this.#afterUrl = false;
		this.lines.push([]);
	}

	/** Without style, because the mark at its end would become a part of the link. */
	#url(url: string): void {
		this.#text(url.replace(/\s/g, '%20'), []);
		this.#afterUrl = true;
	}

	#openLink(token: Token): void {
		const url = String(token.attrGet('href') ?? '');
		this.#link = { url, line: this.lines.length - 1, run: this.lines.at(-1)!.length };
	}

	#closeLink({ markup }: Token): void {
		const { url, line, run } = this.#link!;
		this.#link = undefined;
		const label = this.lines
			.slice(line)
			.flatMap((runs, at) => runs.slice(at === 0 ? run : 0))
			.map(({ text }) => text)
			.join('')
			.trim();
		const isLabelOnly =
			url.startsWith('#') || (/^(mailto|tel|sms):/i.test(url) && isSame(label, url));
		if (label !== '' && isLabelOnly) return;
		if (label === '' || isSame(label, url)) {
			this.lines.length = line + 1;
			this.lines[line]!.length = run;
		} else {
			this.#text(label.endsWith(':') ? ' ' : ': ', []);
		}
		this.#url(url);
		// What follows a bare URL in the source does not belong to it.
		if (markup === 'linkify') this.#afterUrl = false;
	}

	#image(token: Token): void {
		const url = String(token.attrGet('src') ?? '');
		const alt = (token.children ?? []).map(({ content }) => content).join('');
		this.#text(alt);
		// A link around the image has its own URL.
		if (this.#link || url.startsWith('data:')) return;
		if (alt !== '') this.#text(': ', []);
		this.#url(url);
	}

	#html(html: string): void {
		const [, slash, tag = ''] = /^<(\/?)([a-z][a-z\d]*)(?![\w-])/i.exec(html) ?? [];
		const name = tag.toLowerCase();
		if (this.#hidden) {
			if (slash && name === this.#hidden) this.#hidden = undefined;
		} else if (name === 'br') {
			this.#newLine();
		} else if (name === 'script' || name === 'style') {
			if (!slash) this.#hidden = name;
		} else if (/^<\/?[a-z]/i.test(html) && !HTML_TAGS.has(name)) {
			this.#text(html);
		}
	}
}

/** Chats have no escape for the backticks, but three of them may surround one. */
function inlineCode(code: string): string {
	const fence = code.includes('`') ? '```' : '`';
	return code.includes('```') || code.trim() === '' ? code : fence + code + fence;
}

/** Whether a label repeats the URL, perhaps without scheme or with spaces in a phone number. */
function isSame(label: string, url: string): boolean {
	const plain = (text: string) =>
		text
			.toLowerCase()
			.replace(/^(?:https?:\/\/|mailto:|tel:|sms:)/, '')
			.replace(/\/$/, '');
	const digits = (text: string) => text.replace(/[\s()./-]/g, '');
	return (
		plain(label) === plain(url) ||
		(/^(tel|sms):/i.test(url) && digits(label) === digits(plain(url)))
	);
}
