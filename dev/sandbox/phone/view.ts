import type { Account } from '../account/account';
import type { DeferredDelivery, DeliveredMessage, SessionStatus } from '../account/accountStore';
import { chatKind, type ChatKind, normalizeChatId } from '../account/chatId';
import type { QrCode } from '../account/qrCode';
import { imageType, type RecentFiles } from '../account/recentFiles';
import type { RequestLog } from '../api/requestLog';
import type { ActiveFaults } from '../faults/activeFaults';
import { describeFault } from '../faults/faultDescription';
import type { Example, Guide } from '../guide/guide';
import { type RequestLine, requestLines } from './requestLine';

export interface ViewSource {
	account: Account;
	qrCode: QrCode;
	faults: ActiveFaults;
	files: RecentFiles;
	log: RequestLog;
	guide: Guide;
	credential: Credential;
	controlKey: string;
}

/** The values that a client needs to use this sandbox. */
export interface Credential {
	baseUrl: string;
	token: string;
	secret: string;
}

/** What the page shows: the open chat ('' for none), the number of chats and bubbles, and whether the guide or the request log is open. */
export interface ViewOptions {
	chat: string;
	chats: number;
	bubbles: number;
	guide: boolean;
	requests: boolean;
}

/** Everything that a page shows. A view is complete and not a delta, so a page can miss one. */
export interface PhoneView {
	status: SessionStatus;
	paired: boolean;
	/** The view has a code only while the session waits for a scan. */
	qr?: string;
	/** Opens the example in n8n that pairs a phone, if the sandbox knows it. */
	pairingUrl?: string;
	messages: number;
	waiting: number;
	/** The number of all chats. `chats` contains only the newest ones. */
	chatCount: number;
	chats: Chat[];
	open?: Chat & { bubbles: Bubble[] };
	faults: string[];
	/** The guide contains secrets, so only a page that shows it gets it. */
	guide?: { credential: Credential; examples: ShownExample[] };
	/** The newest request is first. Only a page that shows the request log gets them. */
	requests?: RequestLine[];
}

/** An example for the page. `request` is the label of the button that sends it. */
export type ShownExample = Omit<Example, 'request'> & { request?: string };

export interface Chat {
	id: string;
	kind: ChatKind;
	count: number;
	last: Bubble;
}

export interface Bubble {
	/** The ID does not change when a deferred message is delivered. */
	id: string;
	state: 'sent' | 'deferred';
	kind: 'text' | 'picture' | 'file';
	at: string;
	/** The time at which a deferred message expires. */
	until?: string;
	/** The shortened text or caption. */
	text?: string;
	/** The number of characters that are cut off at the end of the text. */
	more?: number;
	file?: { name: string; size: number; sha256: string; bytes: 'gone' | 'kept' | 'shown' };
}

type AccountMessage = DeliveredMessage | DeferredDelivery;

const MAX_TEXT = 2_000;
/** A preview is much longer than the part that is shown, so that it contains both marks of a bold text. */
const MAX_PREVIEW = 1_000;
const MAX_NAME = 200;
const MAX_FAULTS = 10;

export function phoneView(source: ViewSource, options: ViewOptions): PhoneView {
	const { status, paired, delivered, deferred } = source.account.state();
	const bubble = (message: AccountMessage, maxText: number) =>
		bubbleOf(message, maxText, source.files);

	const chats = chatsOf([...delivered, ...deferred]);
	const describeChat = ([id, messages]: [string, AccountMessage[]]): Chat => ({
		id,
		kind: chatKind(id),
		count: messages.length,
		last: bubble(messages[messages.length - 1]!, MAX_PREVIEW),
	});
	const open = chats.get(options.chat);
	const { credential, controlKey } = source;
	const { pairingUrl } = source.guide;
	const secrets = [credential.token, credential.secret, controlKey];
	return {
		status,
		paired,
		...(status === 'AWAITING_QR' && { qr: source.qrCode.text() }),
		...(pairingUrl !== undefined && { pairingUrl }),
		messages: delivered.length,
		waiting: deferred.length,
		chatCount: chats.size,
		chats: [...chats].slice(-options.chats).reverse().map(describeChat),
		...(open && {
			open: {
				...describeChat([options.chat, open]),
				bubbles: open.slice(-options.bubbles).map((message) => bubble(message, MAX_TEXT)),
			},
		}),
		faults: describeFaults(source.faults),
		...(options.guide && {
			guide: { credential, examples: source.guide.examples.map(shownExample) },
		}),
		...(options.requests && { requests: requestLines(source.log, secrets) }),
	};
}

function shownExample({ request, ...example }: Example): ShownExample {
	return { ...example, ...(request && { request: request.label }) };
}

/** Returns the messages of each chat. The chat with the newest message is last. */
function chatsOf(messages: AccountMessage[]): Map<string, AccountMessage[]> {
	const chats = new Map<string, AccountMessage[]>();
	for (const message of messages) {
		const id = normalizeChatId(message.chatId);
		const chat = chats.get(id) ?? [];
		chat.push(message);
		chats.delete(id);
		chats.set(id, chat);
	}
	return chats;
}

function bubbleOf(message: AccountMessage, maxText: number, files: RecentFiles): Bubble {
	const text = message.text ?? message.caption ?? '';
	const shortened = truncate(text, maxText);
	const deferred = 'expiresAt' in message;
	return {
		id: message.deliveryKey ?? (message as DeliveredMessage).messageId,
		state: deferred ? 'deferred' : 'sent',
		kind: bubbleKind(message),
		at: deferred ? message.createdAt : message.deliveredAt,
		...(deferred && { until: message.expiresAt }),
		...(shortened !== '' && { text: shortened }),
		...(shortened.length < text.length && { more: text.length - shortened.length }),
		...(message.media && { file: fileOf(message.media, files) }),
	};
}

function bubbleKind({ type, media }: AccountMessage): Bubble['kind'] {
	if (!media) return 'text';
	return type === 'media' && /^image\/(png|jpeg|webp|gif)\b/i.test(media.mimetype)
		? 'picture'
		: 'file';
}

function fileOf(media: NonNullable<AccountMessage['media']>, files: RecentFiles): Bubble['file'] {
	const { filename, byteLength, sha256 } = media;
	const bytes = files.get(sha256);
	return {
		name: truncate(filename, MAX_NAME),
		size: byteLength,
		sha256,
		bytes: bytes ? (imageType(bytes) ? 'shown' : 'kept') : 'gone',
	};
}

/** Shortens a text without splitting a surrogate pair. */
function truncate(text: string, maxLength: number): string {
	return text.length <= maxLength ? text : text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '');
}

function describeFaults(faults: ActiveFaults): string[] {
	return faults
		.list()
		.filter(({ timesLeft }) => timesLeft !== 0)
		.slice(0, MAX_FAULTS)
		.map(describeFault);
}
