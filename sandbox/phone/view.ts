import type { Account } from '../account';
import { chatKey } from '../chat';
import type { Faults } from '../faults';
import type { DeferredDelivery, Delivered, SessionStatus } from '../ledger';
import type { PairingCode } from '../pairingCode';
import type { RecentFiles } from '../recentFiles';
import { describeFault } from './faultDescription';
import { pictureType } from './pictureType';

/** What the phone looks at. */
export interface Insides {
	account: Account;
	code: PairingCode;
	faults: Faults;
	files: RecentFiles;
}

/** How much of it one page wants to see. */
export interface Wanted {
	chat: string | null;
	chats: number;
	bubbles: number;
}

/** Everything one page shows, whole: a page that missed something is right again with the next view. */
export interface PhoneView {
	status: SessionStatus;
	paired: boolean;
	/** Only while there is one to scan. */
	qr?: string;
	messages: number;
	waiting: number;
	/** How many there are; the newest of them are in `chats`. */
	chatCount: number;
	chats: Chat[];
	open?: Chat & { bubbles: Bubble[] };
	faults: string[];
}

export interface Chat {
	id: string;
	kind: 'person' | 'group' | 'channel';
	count: number;
	last: Bubble;
}

export interface Bubble {
	/** Stays the same when a deferred message goes out. */
	id: string;
	state: 'sent' | 'deferred';
	kind: 'text' | 'picture' | 'file';
	at: string;
	/** When a deferred one is given up. */
	until?: string;
	/** The text, or the caption. */
	text?: string;
	/** How many characters were left out at the end of it. */
	more?: number;
	file?: { name: string; size: number; sha256: string; bytes: 'gone' | 'kept' | 'shown' };
}

type Shown = Delivered | DeferredDelivery;

const LONGEST_TEXT = 2_000;
const LONGEST_PREVIEW = 100;
const LONGEST_NAME = 200;
const MOST_FAULTS = 10;

export function phoneView(insides: Insides, wanted: Wanted): PhoneView {
	const { status, paired, delivered, deferred } = insides.account.state();
	const bubble = (message: Shown, longest: number) => bubbleOf(message, longest, insides.files);

	const chats = chatsOf([...delivered, ...deferred]);
	const described = ([id, messages]: [string, Shown[]]): Chat => ({
		id,
		kind: kindOf(id),
		count: messages.length,
		last: bubble(messages[messages.length - 1]!, LONGEST_PREVIEW),
	});
	const open = chats.get(wanted.chat ?? '');
	return {
		status,
		paired,
		...(status === 'AWAITING_QR' && { qr: insides.code.text() }),
		messages: delivered.length,
		waiting: deferred.length,
		chatCount: chats.size,
		chats: [...chats].slice(-wanted.chats).reverse().map(described),
		...(open && {
			open: {
				...described([wanted.chat ?? '', open]),
				bubbles: open.slice(-wanted.bubbles).map((message) => bubble(message, LONGEST_TEXT)),
			},
		}),
		faults: faultsInForce(insides.faults),
	};
}

/** The chat of the newest message is the last one. */
function chatsOf(messages: Shown[]): Map<string, Shown[]> {
	const chats = new Map<string, Shown[]>();
	for (const message of messages) {
		const id = chatKey(message.chatId);
		const chat = chats.get(id) ?? [];
		chat.push(message);
		chats.delete(id);
		chats.set(id, chat);
	}
	return chats;
}

function kindOf(chatId: string): Chat['kind'] {
	if (chatId.endsWith('@g.us')) return 'group';
	return chatId.endsWith('@newsletter') ? 'channel' : 'person';
}

function bubbleOf(message: Shown, longest: number, files: RecentFiles): Bubble {
	const text = message.text ?? message.caption ?? '';
	const shown = cut(text, longest);
	const deferred = 'expiresAt' in message;
	return {
		id: message.deliveryKey ?? (message as Delivered).messageId,
		state: deferred ? 'deferred' : 'sent',
		kind: bubbleKind(message),
		at: deferred ? message.createdAt : message.deliveredAt,
		...(deferred && { until: message.expiresAt }),
		...(shown !== '' && { text: shown }),
		...(shown.length < text.length && { more: text.length - shown.length }),
		...(message.media && { file: fileOf(message.media, files) }),
	};
}

function bubbleKind({ type, media }: Shown): Bubble['kind'] {
	if (!media) return 'text';
	return type === 'media' && /^image\/(png|jpeg|webp|gif)\b/i.test(media.mimetype)
		? 'picture'
		: 'file';
}

function fileOf(media: NonNullable<Shown['media']>, files: RecentFiles): Bubble['file'] {
	const { filename, byteLength, sha256 } = media;
	const bytes = files.get(sha256);
	return {
		name: cut(filename, LONGEST_NAME),
		size: byteLength,
		sha256,
		bytes: bytes ? (pictureType(bytes) ? 'shown' : 'kept') : 'gone',
	};
}

/** Never in the middle of a character that takes two. */
function cut(text: string, longest: number): string {
	return text.length <= longest ? text : text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
}

function faultsInForce(faults: Faults): string[] {
	return faults
		.list()
		.filter(({ timesLeft }) => timesLeft !== 0)
		.slice(0, MOST_FAULTS)
		.map(describeFault);
}
