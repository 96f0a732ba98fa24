import type { Token } from 'markdown-it';

import type { Run, Style } from './chatFormat';

const STYLES: Record<string, Style> = { strong: 'bold', em: 'italic', s: 'strike' };

/** The lines of a paragraph, heading or table cell. */
export function inlineLines(tokens: Token[], styles: Style[] = []): Run[][] {
	const text = new InlineText(tokens, styles);
	for (const [at, token] of tokens.entries()) text.add(token, at);
	text.closeLinks();
	return text.lines;
}

/** Without styles. */
export const plainText = (lines: Run[][]): string =>
	lines.map((runs) => runs.map(({ text }) => text).join('')).join(' ');

interface Link {
	url: string;
	title: string;
	/** Where its label starts. */
	line: number;
	run: number;
	isHtml: boolean;
}

class InlineText {
	readonly lines: Run[][] = [[]];
	/** How deeply Markdown nests each style. */
	readonly #styles = new Map<Style, number>();
	readonly #links: Link[] = [];
	/** What follows a URL here could be read as a part of it. */
	#afterUrl = false;
	/** Inside a script or style sheet that ends. Others are text about the tag. */
	#isHidden = false;
	readonly #lastHiddenEnd: number;

	constructor(tokens: Token[], styles: Style[]) {
		this.#lastHiddenEnd = tokens.findLastIndex(
			({ type, content }) => type === 'html_inline' && /^<\/(?:script|style)/i.test(content),
		);
		for (const style of styles) this.#styles.set(style, 1);
	}

	add(token: Token, at: number): void {
		const { type, tag, content } = token;
		const style = STYLES[tag];
		if (type === 'html_inline') this.#html(content, at < this.#lastHiddenEnd);
		else if (style) this.#nest(style, token.nesting);
		else if (type === 'text') this.#text(content);
		else if (type === 'code_inline') this.#text(inlineCode(content), []);
		else if (type === 'image') this.#image(token);
		else if (type === 'link_open')
			this.#openLink(attribute(token, 'href'), attribute(token, 'title'));
		else if (type === 'link_close') this.closeLinks(token.markup);
		else if (tag === 'br') this.#newLine();
	}

	/** The innermost one, with the HTML elements inside it that were not closed. Without an argument, all. */
	closeLinks(markup?: string): void {
		for (let link = this.#links.pop(); link; link = this.#links.pop()) {
			this.#closeLink(link);
			// What follows a bare URL in the source does not belong to it.
			if (markup === 'linkify') this.#afterUrl = false;
			if (markup !== undefined && !link.isHtml) return;
		}
	}

	#nest(style: Style, change: number): void {
		const depth = (this.#styles.get(style) ?? 0) + change;
		if (depth > 0) this.#styles.set(style, depth);
		else this.#styles.delete(style);
	}

	#text(text: string, styles: Iterable<Style> = this.#styles.keys()): void {
		if (text === '' || this.#isHidden) return;
		const isApart = this.#afterUrl && !/^[\s.,;:!?)\]}"'»”’]/.test(text);
		if (isApart) this.lines.at(-1)!.push({ text: ' ', styles: new Set() });
		this.#afterUrl = false;
		this.lines.at(-1)!.push({ text, styles: new Set(styles) });
	}

	#newLine(): void {
		this.#afterUrl = false;
		this.lines.push([]);
	}

	/** Without style, because the mark at its end would become a part of the link. */
	#target(url: string, title: string): void {
		this.#text(url.replace(/\s/g, '%20'), []);
		this.#afterUrl = url !== '';
		if (title) this.#text(` (${title})`, []);
	}

	#openLink(url: string, title: string, isHtml = false): void {
		const line = this.lines.length - 1;
		this.#links.push({ url, title, line, run: this.lines[line]!.length, isHtml });
	}

	#closeLink({ url, title, line, run }: Link): void {
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
	#html(html: string, isBeforeHiddenEnd: boolean): void {
		const [, slash = '', name = ''] = /^<(\/?)(\w+)/.exec(html.toLowerCase()) ?? [];
		const [, value = ''] = /\s(?:href|src)\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/i.exec(html) ?? [];
		const url = value.replace(/^["']|["']$/g, '').replaceAll('&amp;', '&');
		if (name === 'script' || name === 'style') {
			if (slash || isBeforeHiddenEnd) this.#isHidden = !slash;
			else this.#text(html);
		} else if (name === 'br') {
			this.#newLine();
		} else if (name === 'a' && slash) {
			if (this.#links.at(-1)?.isHtml) this.#closeLink(this.#links.pop()!);
		} else if (name === 'a' && url !== '') {
			this.#openLink(url, '', true);
		} else if (!url.startsWith('data:')) {
			this.#target(url, '');
		}
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
	const plain = (text: string) =>
		text
			.toLowerCase()
			.replace(/^(?:https?:\/\/|mailto:|tel:|sms:|#)/, '')
			.replace(/\/$/, '');
	const letters = (text: string) => plain(text).replace(/[^\p{L}\p{N}+]/gu, '');
	return (
		plain(label) === plain(url) ||
		(/^(?:tel:|sms:|#)/i.test(url) && letters(label) === letters(url))
	);
}
