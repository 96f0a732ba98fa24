import type { Token } from './markdown.library';

import type { Run, Style } from './chatFormat';

const STYLES: Record<string, Style> = { strong: 'bold', em: 'italic', s: 'strike' };

/** The lines of a paragraph, heading or table cell. */
export function inlineLines(tokens: Token[], styles: Style[] = []): Run[][] {
	const text = new InlineText(styles);
	for (const token of tokens) text.add(token);
	text.closeHtmlLink();
	return text.lines;
}

/** Without styles. */
export const plainText = (lines: Run[][]): string =>
	lines.map((runs) => runs.map(({ text }) => text).join('')).join(' ');

interface Link {
	token: Token;
	/** Where its label starts. */
	line: number;
	run: number;
}

class InlineText {
	readonly lines: Run[][] = [[]];
	/** How deeply Markdown nests each style. */
	readonly #styles = new Map<Style, number>();
	#link?: Link;
	/** The target of the open HTML link. */
	#href = '';
	/** What follows a URL here could be read as a part of it. */
	#afterUrl = false;

	constructor(styles: Style[]) {
		for (const style of styles) this.#styles.set(style, 1);
	}

	add(token: Token): void {
		const { type, tag, content } = token;
		const style = STYLES[tag];
		if (type === 'html_inline') this.#html(content);
		else if (style) this.#nest(style, token.nesting);
		else if (type === 'text') this.#text(content);
		else if (type === 'code_inline') this.#text(inlineCode(content), []);
		else if (type === 'image') this.#image(token);
		else if (type === 'link_open') this.#openLink(token);
		else if (type === 'link_close') this.#closeLink(token);
		else if (tag === 'br') this.lines.push([]);
	}

	closeHtmlLink(): void {
		const [last] = this.lines.at(-1)!.slice(-1);
		const [url, isLabel] = [this.#href, last?.text === this.#href];
		this.#href = '';
		if (url === '' || isLabel) return;
		this.#text(': ', []);
		this.#target(url);
	}

	#nest(style: Style, change: number): void {
		const depth = (this.#styles.get(style) ?? 0) + change;
		if (depth > 0) this.#styles.set(style, depth);
		else this.#styles.delete(style);
	}

	#text(text: string, styles: Iterable<Style> = this.#styles.keys()): void {
		if (text === '') return;
		const isApart =
			this.#afterUrl && this.lines.at(-1)!.length > 0 && !/^[\s.,;:!?)\]}"'»”’]/.test(text);
		if (isApart) this.lines.at(-1)!.push({ text: ' ', styles: new Set() });
		this.#afterUrl = false;
		this.lines.at(-1)!.push({ text, styles: new Set(styles) });
	}

	/** Without style, because the mark at its end would become a part of the link. */
	#target(url: string, title = ''): void {
		this.#text(url.replace(/\s/g, '%20'), []);
		this.#afterUrl = url !== '';
		if (title) this.#text(` (${title})`, []);
	}

	#openLink(token: Token): void {
		const line = this.lines.length - 1;
		this.#link = { token, line, run: this.lines[line]!.length };
	}

	#closeLink({ markup }: Token): void {
		const { token, line, run } = this.#link!;
		this.#link = undefined;
		const [url, title] = [attribute(token, 'href'), attribute(token, 'title')];
		const [first = [], ...others] = this.lines.slice(line);
		const label = plainText([first.slice(run), ...others]).trim();
		if (url === '') {
			first.splice(run, 0, { text: '[', styles: new Set() });
			this.#text(']()');
		} else if (label !== '' && !isSame(label, url)) {
			this.#text(label.endsWith(':') ? ' ' : ': ', []);
			this.#target(url, title);
		} else if (label !== '' && /^(?:#|tel:|sms:|mailto:)/i.test(url)) {
			this.#target('', title);
		} else {
			this.lines.length = line + 1;
			first.length = run;
			this.#target(url, title);
		}
		// What follows a bare URL in the source does not belong to it.
		if (markup === 'linkify') this.#afterUrl = false;
	}

	#image(token: Token): void {
		const url = attribute(token, 'src');
		const alt = plainText(inlineLines(token.children ?? []));
		if (url === '') this.#text(`![${alt}]()`);
		else this.#text(alt);
		if (url === '' || url.startsWith('data:')) return;
		if (alt !== '') this.#text(': ', []);
		this.#target(url, attribute(token, 'title'));
	}

	/** An element or a comment. */
	#html(html: string): void {
		const [, name = ''] = /^<\/?(\w+)/.exec(html.toLowerCase()) ?? [];
		const [, value = ''] = /\s(?:href|src)\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/i.exec(html) ?? [];
		const url = value.replace(/^["']|["']$/g, '').replaceAll('&amp;', '&');
		if (name === 'br') this.lines.push([]);
		else if (name === 'a') {
			this.closeHtmlLink();
			this.#href = url;
		} else if (!url.startsWith('data:')) this.#target(url);
	}
}

const attribute = (token: Token, name: string): string => String(token.attrGet(name) ?? '');

/** Chats have no escape for the backticks, but three of them may surround one. */
function inlineCode(code: string): string {
	const fence = code.includes('`') ? '```' : '`';
	return code.includes('```') || code.trim() === '' ? code : fence + code + fence;
}

/** Whether a label repeats the URL, perhaps without scheme, or with other punctuation in a number or anchor. */
function isSame(label: string, url: string): boolean {
	const punctuation = /^(?:tel:|sms:|#)/i.test(url) ? /[^\p{L}\p{N}+]/gu : /\/$/;
	const plain = (text: string) =>
		text
			.toLowerCase()
			.replace(/^(?:https?:\/\/|mailto:|tel:|sms:)/, '')
			.replace(punctuation, '');
	return plain(label) === plain(url);
}
