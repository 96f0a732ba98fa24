import { chatKind, type ChatKind, normalizeChatId } from '../account/chatId';
import type { RecordedRequest, RequestLog } from '../api/requestLog';

/** A request as the page shows it. It contains no headers, body, query or secrets. */
export interface RequestLine {
	id: string;
	at: string;
	method: string;
	path: string;
	/** The recipient of a message. */
	to: { id: string; kind: ChatKind } | null;
	/** The number of polls that share this row. */
	count: number;
	isSigned: boolean;
	outcome: RecordedRequest['outcome'];
	status: number | null;
	/** Whether the request succeeded. The rejection that the credential test expects counts as success. */
	isAccepted: boolean;
	reason: string | null;
}

const MAX_ROWS = 100;
/** The rows are built from at most this many requests. */
const MAX_REQUESTS = 2_000;

const MASK = '•••';
const MAX_PATH = 200;
const MAX_REASON = 500;

/** Segments of at least this length may be tokens. Words in the paths of gateways are shorter. */
const MIN_TOKEN = 20;

/** Returns the rows, newest first. Polls (GET) with the same URL and result share a row, unless another kind of request is between them. */
export function requestLines(log: RequestLog, secrets: string[]): RequestLine[] {
	const rows: Row[] = [];
	const polls = new Map<string, Row>();
	const newest = log.newest(MAX_REQUESTS).reverse();
	for (const [index, [number, recorded]] of newest.entries()) {
		const isPoll = recorded.method === 'GET';
		if (!isPoll) polls.clear();
		const { url, isSigned, outcome, status, reason } = recorded;
		const key = JSON.stringify([url, isSigned, outcome, status, reason]);
		const row = isPoll ? polls.get(key) : undefined;
		if (row) {
			row.count += 1;
			// The row has the number of its oldest request, which stays the same when newer requests join it.
			row.number = number;
			continue;
		}
		if (rows.length === MAX_ROWS) break;
		const isLookup = recorded.endpoint === 'inviteInfo';
		const [, before] =
			newest.slice(index + 1).find(([, { endpoint }]) => isLookup && endpoint === 'inviteInfo') ??
			[];
		const added = { number, recorded, before, count: 1 };
		rows.push(added);
		if (isPoll) polls.set(key, added);
	}
	return rows.map((row) => requestLine(row, secrets));
}

interface Row {
	number: number;
	/** The newest request of the row. */
	recorded: RecordedRequest;
	/** The lookup before this one, if this is a lookup of an invite code. */
	before: RecordedRequest | undefined;
	count: number;
}

function requestLine({ number, recorded, before, count }: Row, secrets: string[]): RequestLine {
	const { receivedAt, method, url, isSigned, outcome, status } = recorded;
	const test = credentialTest(recorded, before);
	const reason = test ?? CLOSED[outcome] ?? recorded.reason;
	const chatId = recorded.chatId && normalizeChatId(recorded.chatId);
	return {
		id: String(number),
		at: receivedAt,
		method,
		path: maskedPath(url, secrets).slice(0, MAX_PATH),
		to: chatId ? { id: chatId, kind: chatKind(chatId) } : null,
		count,
		isSigned,
		outcome,
		status,
		isAccepted: test !== undefined || (status !== null && status < 400),
		reason: reason && withoutSecrets(reason, secrets).slice(0, MAX_REASON),
	};
}

const CLOSED: Partial<Record<RecordedRequest['outcome'], string>> = {
	cut: 'The sandbox closed the connection without a response.',
	left: 'The client closed the connection before it got a response.',
};

const FIRST =
	"The test of n8n's credential, which looks up an empty invite code. Token and signature are right.";
const SECOND =
	"The second request of the test of n8n's credential. Its signature is wrong on purpose, and was rejected as it should be.";

/** What to say about the requests of a credential test whose token and signature are right. */
function credentialTest(recorded: RecordedRequest, before?: RecordedRequest): string | undefined {
	if (isEmptyLookup(recorded, 422)) return FIRST;
	return before && isEmptyLookup(before, 422) && isEmptyLookup(recorded, 401) ? SECOND : undefined;
}

/** A 422 means that only the code was rejected, and not the signature. */
const isEmptyLookup = ({ endpoint, status, bodyText }: RecordedRequest, expected: number) =>
	endpoint === 'inviteInfo' && status === expected && bodyText === '{"inviteCode":""}';

/** Returns the path without secrets. Also masks the token of another gateway, which can be anywhere in a wrong path. */
function maskedPath(url: string, secrets: string[]): string {
	const [path = '', query] = url.replace(/^[a-z]+:\/\/[^/]*/i, '').split('?');
	const segments = path.split('/');
	const masked = segments.map((segment, index) => {
		const isToken = segments[index - 1]?.toLowerCase() === 'whatsapp' && segment !== '';
		const decoded = decode(segment);
		const isSecret = isToken || decoded.length >= MIN_TOKEN;
		return isSecret || withoutSecrets(decoded, secrets) !== decoded ? MASK : segment;
	});
	return masked.join('/') + (query === undefined ? '' : `?${MASK}`);
}

function withoutSecrets(text: string, secrets: string[]): string {
	return secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
}

function decode(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}
