import type { Token } from './markdown.library';

/** Maps the HTML element of a style to the mark that chats write around it. */
const MARKS: Record<string, string> = { strong: '*', em: '_', s: '~' };
/** Until all text around a style is known, a noncharacter, which Unicode reserves for internal use, stands before each of its marks. */
const opened = (tags: string[]) => tags.map((tag) => `\ufdd0${MARKS[tag]}`).join('');
const closed = (tags: string[]) => tags.map((tag) => `\ufdd1${MARKS[tag]}`).join('');
export const withoutStyles = (text: string) => text.replace(/[\ufdd0\ufdd1][*_~]/g, '');

/** Matches a style that chats show, as in a *b* c: not a*b*c (next to a word), * b * (between spaces) or around its own mark. */
const SHOWN =
	/(?<![\p{L}\p{M}\p{N}](?:[\ufdd0\ufdd1][*_~]){0,9})\ufdd0([*_~])((?:(?!\1)[^])*)\ufdd1\1(?!(?:[\ufdd0\ufdd1][*_~]){0,9}[\p{L}\p{M}\p{N}])/gu;
const marked = (text: string): string =>
	text.replace(SHOWN, (_, mark: string, content: string) =>
		withoutStyles(content) === '' ? '' : mark + marked(content) + mark,
	);

const spaces = (text: string) => text.replace(/\S/g, '');
const ends = (text: string) => text.replace(/\s/g, '');

/** Returns a text with the marks of chats. Leaves out a style that chats would not show, so that no stray marks remain. */
export function formatted(text: string): string {
	const trimmed = text
		.replace(/\ufdd0[*_~](?:\ufdd0[*_~]|\s)*/g, (all) => spaces(all) + ends(all))
		.replace(
			/(?<!\ufdd1[*_~]|\s)(?:\ufdd1[*_~]|\s)*\ufdd1[*_~]/g,
			(all) => ends(all) + spaces(all),
		);
	return withoutStyles(marked(trimmed));
}

/** Returns the text of a paragraph, heading or table cell, with its line breaks and with styles for formatted(). */
export function inlineText(tokens: Token[], style?: string): string {
	const text = new InlineText();
	if (style) text.nest(style, 1);
	for (const [at, token] of tokens.entries()) text.add(token, tokens[at - 1]);
	if (style) text.nest(style, -1);
	return text.pieces.join('');
}

interface Link {
	url: string;
	title: string;
	/** The label starts with this piece. */
	at: number;
	/** Whether the link follows a URL, which counts again if its label is dropped. */
	afterUrl: boolean;
}

class InlineText {
	/** The pieces are joined at the end, because joining them for each link would take quadratic time. */
	readonly pieces: string[] = [];
	readonly #styles: string[] = [];
	/** The open links. Only a URL in angle brackets is a link inside another one. */
	readonly #links: Link[] = [];
	/** Whether chats could read the next text as a part of a URL. */
	#afterUrl = false;

	add(token: Token, previous?: Token): void {
		const { type, tag, content } = token;
		if (Object.hasOwn(MARKS, tag)) this.nest(tag, token.nesting);
		// The parser has found the end of a bare URL, so the next text does not belong to it.
		else if (type === 'text') this.#add(content, previous?.markup === 'linkify');
		else if (type === 'code_inline') this.#addUnstyled(inlineCode(content));
		else if (type === 'image') this.#image(token);
		else if (type === 'link_open') this.#openLink(token);
		else if (type === 'link_close') this.#closeLink(this.#links.pop()!);
		else if (tag === 'br') this.#addUnstyled('\n');
	}

	/** Opens or closes a style. A style inside itself changes nothing. */
	nest(style: string, nesting: number): void {
		if (nesting < 0) this.#styles.pop();
		const isOpen = this.#styles.includes(style);
		if (!isOpen) this.pieces.push(nesting < 0 ? closed([style]) : opened([style]));
		if (nesting > 0) this.#styles.push(style);
	}

	#add(text: string, isSeparate = false): void {
		if (this.#afterUrl && !isSeparate && !/^(?:$|[\s.,;:!?)\]}"'»”’])/.test(text))
			this.pieces.push(' ');
		this.pieces.push(text);
		this.#afterUrl &&= text === '';
	}

	/** Adds text without styles: code, and links, because a mark at their end would become a part of them. */
	#addUnstyled(text: string): void {
		if (text === '') return;
		const styles = [...new Set(this.#styles)];
		this.pieces.push(closed(styles.toReversed()));
		this.#add(text);
		this.pieces.push(opened(styles));
	}

	#addUrl(url: string, title = ''): void {
		this.#addUnstyled(url.replace(/\s/g, '%20'));
		this.#afterUrl = url !== '';
		if (title) this.#addUnstyled(` (${title})`);
	}

	#openLink(token: Token): void {
		const [url, title] = [attribute(token, 'href'), attribute(token, 'title')];
		this.#links.push({ url, title, at: this.pieces.length, afterUrl: this.#afterUrl });
	}

	#closeLink({ url, title, at, afterUrl }: Link): void {
		// Without the empty pieces at the end, the URL is in the last line of its label.
		while (this.pieces.length > at && this.pieces.at(-1)!.trim() === '') this.pieces.pop();
		const label = withoutStyles(this.pieces.slice(at).join('')).trim();
		if (url === '') {
			this.pieces.splice(at, 0, '[');
			this.pieces.push(']()');
		} else if (label !== '' && !isSame(label, url)) {
			this.#addUnstyled(label.endsWith(':') ? ' ' : ': ');
			this.#addUrl(url, title);
		} else if (label !== '' && /^(?:#|tel:|sms:|mailto:)/i.test(url)) {
			this.#addUrl('', title);
		} else {
			this.pieces.length = at;
			this.#afterUrl = afterUrl;
			this.#addUrl(url, title);
		}
	}

	#image(token: Token): void {
		const url = attribute(token, 'src');
		const alt = withoutStyles(inlineText(token.children ?? []));
		this.#add(url === '' ? `![${alt}]()` : alt);
		if (url === '' || url.startsWith('data:')) return;
		if (alt !== '') this.#addUnstyled(': ');
		this.#addUrl(url, attribute(token, 'title'));
	}
}

const attribute = (token: Token, name: string): string => String(token.attrGet(name) ?? '');

/** Returns code in the backticks of chats, which have no escape for a backtick. Three of them may surround a single one. */
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
