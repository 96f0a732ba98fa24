import type { Bubble, Chat } from '../../view';
import { element, icon } from '../base/elements';
import { plural } from '../base/format';
import { chatBlocks } from './chatText';

const kindNames = { person: 'Person', group: 'Group', channel: 'Channel' } as const;

/** Returns the title of a chat. IDs of groups and channels are long and begin alike, so the title has only their end. */
export function chatTitle({ id, kind }: Pick<Chat, 'id' | 'kind'>): string {
	if (kind === 'person') return formatPhoneNumber(id);
	const [number = id] = id.split('@');
	return `${kindNames[kind]} …${number.slice(-6)}`;
}

/** Matches calling codes of one or two digits. All others have three digits. */
const SHORT_CODES = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** Separates only the calling code, because the grouping of the other digits depends on the country. */
export function formatPhoneNumber(digits: string): string {
	const code = SHORT_CODES.exec(digits)?.[0] ?? digits.slice(0, 3);
	return `+${code} ${digits.slice(code.length)}`.trim();
}

export function chatSubtitle({ id, kind, count }: Chat): string {
	return `${kind === 'person' ? kindNames.person : id}, ${plural(count, 'message')}`;
}

/** Returns the title that the recipient sees. For a person, the chat is with the paired number. */
export function recipientTitle(chat: Chat): string {
	return chat.kind === 'person' ? 'Your number' : chatTitle(chat);
}

export function recipientSubtitle(chat: Chat): string {
	if (chat.kind === 'person') return `As ${chatTitle(chat)} sees it`;
	return chat.kind === 'group' ? 'As its members see it' : 'As its subscribers see it';
}

export function preview({ text, file, kind }: Bubble): string {
	if (text !== undefined) return withoutMarks(text);
	return kind === 'picture' ? 'Image' : (file?.name ?? '');
}

/** Returns the text without marks on one line, for previews and screen readers. */
export function withoutMarks(text: string): string {
	return chatBlocks(text)
		.map(({ pieces }) => pieces.map((piece) => piece.text).join(''))
		.join(' ');
}

const AVATAR_HUES = 6;

/** Creates the avatar of a chat. Its color depends only on the chat ID, so a chat keeps its color. */
export function avatar({ id, kind }: Pick<Chat, 'id' | 'kind'>): HTMLElement {
	let hash = 7;
	for (const character of id) hash = Math.imul(hash, 31) + character.charCodeAt(0);
	const label = element('span', 'visually-hidden', kindNames[kind]);
	const created = element('span', 'avatar', icon(kind), label);
	created.dataset.hue = String(((hash ^ (hash >>> 15)) >>> 0) % AVATAR_HUES);
	return created;
}
