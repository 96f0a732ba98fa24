import {
	noQrCodeText,
	notOnlineText,
	offlineText,
	permanentStatusText,
	UNREADABLE_STATUS,
} from '../../gateway/failures/sessionTexts';
import causes from '../../gateway/responses/causes.json';
import { errorMessage, failureDetails } from '../../gateway/failures/errorMessage';
import howToGetOnline from '../../gateway/failures/howToGetOnline.json';
import { retryPolicy } from '../../gateway/failures/retryPolicy';
import {
	type Cause,
	connectionFailure,
	notUsable,
	type RequestFailure,
} from '../../gateway/responses/failure';
import { failureInResponse, unclear } from '../../gateway/responses/responseFailure';
import { checkPlaceholders, missingValue } from '../../nodes/MessagingGateway/fields/missingValues';
import { checkRequest } from '../../gateway/wire/guard';
import { readResponse } from '../../gateway/wire/response';
import { downloadError } from '../../nodes/MessagingGateway/message/fileErrors';
import { failureInInput } from '../../nodes/MessagingGateway/request/inputErrors';
import fileErrors from '../../nodes/MessagingGateway/message/fileErrors.json';
import { DOCUMENTED_CODES } from '../harness/apiDocument';
import { failureIn } from '../harness/responses';
import { compare } from './generated';

const received = (status: number, body: unknown, headers = {}) => {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return readResponse({ status, headers, bytes: Buffer.from(text) }, (value) => value);
};
const response = (status: number, body: unknown, headers = {}) =>
	failureInResponse(received(status, body, headers));

interface Entry {
	/** What the user sees in brackets, or how the machine names it. */
	label?: string;
	failure: RequestFailure;
}

const rejected = (status: number, code?: string): Entry => ({
	label: code ? `${status} \`${code}\`` : String(status),
	failure: response(status, code ? { error: code } : {}),
});
const notConnected = (code: string): Entry => ({
	label: `\`${code}\``,
	failure: connectionFailure(code),
});
const invalidInput = (error: Error): RequestFailure => ({ kind: 'invalidInput', error });
function thrownBy(check: () => void): Entry {
	try {
		check();
	} catch (error) {
		return { failure: invalidInput(error as Error) };
	}
	throw new Error('It is allowed.');
}
/** A message to this recipient, with a credential that allows one other. */
const refusedBy = (chatId: string) =>
	thrownBy(() => {
		const limits = { sendTo: 'allowed', allowedRecipients: '4915123456789' };
		const body = Buffer.from(JSON.stringify({ chatId }));
		checkRequest(limits, 'POST', '/api/whatsapp/tok/sendMessage', body);
	});
const URL_OF_FILE = new URL('https://x.example/a.pdf');
const notDownloaded = ({ label, failure }: Entry): Entry => ({
	label,
	failure: invalidInput(downloadError(URL_OF_FILE, failure)),
});
const notSent = (cause: Cause): Entry => ({ failure: { kind: 'notSent', cause } });

const WEB_PAGE = '<!doctype html><html><body>Sign in</body></html>';
const WEB_HEADERS = { 'content-type': 'text/html' };
const STATUSES = [400, 401, 403, 404, 405, 408, 409, 413, 422, 500, 302, 418];
const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CERT_HAS_EXPIRED', 'EPROTO'];
const NOT_SENT_CAUSES: Cause[] = [
	...(['proxyUnreachable', 'proxyClosed', 'proxySignIn', 'blocked'] as const),
	...(['paused', 'late', 'noConnection'] as const),
];
const NO_RESPONSE = [
	...['ETIMEDOUT', 'ECONNRESET', 'EHOSTUNREACH', 'RESPONSE_TOO_LARGE', 'ERR_CANCELED'],
];
const DOWNLOAD = [...NOT_SENT, 'ETIMEDOUT', 'ERR_FR_TOO_MANY_REDIRECTS', 'ECONNRESET'];

/** One list per heading. */
const LISTS: Record<string, Entry[]> = {
	'The gateway rejected the request, with a code': [
		...DOCUMENTED_CODES.map(([status, code]) => rejected(status, code)),
		rejected(409, 'session_offline'),
	],
	'The gateway rejected the request, without a known code': [
		...STATUSES.map((status) => rejected(status)),
		{ label: '503, with Retry-After', failure: response(503, {}, { 'retry-after': '30' }) },
		{ label: '200, a web page', failure: response(200, WEB_PAGE, WEB_HEADERS) },
		{ label: '200, a denial', failure: failureIn(received(200, { status: 'failed' }), 'sent')! },
	],
	'Nothing was sent': [
		...NOT_SENT.map(notConnected),
		...NOT_SENT_CAUSES.map(notSent),
		failureInInput(new RangeError('Maximum call stack size exceeded')),
		refusedBy('4915123456780'),
		refusedBy('4915123456789.0'),
		{ failure: invalidInput(missingValue('Text', '$json.firstName')) },
		thrownBy(() => checkPlaceholders('Hello undefined', 'Text')),
	],
	'The outcome is unknown': [
		...NO_RESPONSE.map(notConnected),
		{ label: '200', failure: unclear(received(200, {}), 'noEvidence') },
		{ label: '200', failure: failureIn(received(200, { message: 'It is on its way' }), 'sent')! },
		{ label: '200', failure: failureIn(received(200, WEB_PAGE, WEB_HEADERS), 'sent')! },
		failureInInput(new TypeError('x is not a function')),
	],
	'The session': [
		...['DISCONNECTED', 'QR_EXPIRED', 'LOGGED_OUT', 'BANNED', 'MY_WORD'].map(offlineText),
		...['AWAITING_QR', undefined].map((status) => notOnlineText(status, 120)),
		...['DISCONNECTED', 'MY_WORD'].map((status) => noQrCodeText(status, 60)),
		...['AUTH_FAILURE', 'BANNED'].map((status) => permanentStatusText(status)!),
		UNREADABLE_STATUS,
	].map((text) => notUsable(text)),
	'The file of Media URL': [
		...[400, 401, 404, 429].map((status) => ({ failure: response(status, 'Not here') })),
		...DOWNLOAD.map(notConnected),
		...(['blocked', 'noConnection'] as const).map(notSent),
	].map(notDownloaded),
};

test('the list of errors', () => {
	const lists = Object.entries(LISTS).map(([heading, entries]) => {
		const lines = entries.map(({ label, failure }) => {
			const { message, description } = errorMessage(failure);
			const title = message.replace(/ \(\d{3}(, \w+)?\)$/, '').replace(URL_OF_FILE.href, '…');
			const isUncertain = retryPolicy(failure).mayRepeat === 'withKey';
			const { cause, retry } = failureDetails({ failure, isUncertain });
			const text = `**${title}**${label ? ` (${label})` : ''}. ${description}`;
			return wrapped(`${text.trim()} → \`${cause}\`, \`${retry}\``);
		});
		return `## ${heading}\n\n${[...new Set(lines)].join('\n')}`;
	});
	compare('errors', lists.join('\n\n'));
});

/** Lines of a list entry, with at most 149 characters and the indent. */
const wrapped = (entry: string) => `- ${entry.match(/\S.{0,148}(?= |$)/g)!.join('\n  ')}`;

test('the list has each text of the catalog', () => {
	// The texts for the dialog of the credential are parts of the same ones.
	const rows = [...Object.values(causes), fileErrors].flatMap((group) => Object.values(group));
	const texts = [
		...Object.values(howToGetOnline),
		...rows.flatMap(({ happened, whatToDo }) => [happened, whatToDo]),
	];
	// The longest part between values that are inserted.
	const parts = texts.map(
		(text) => text.split(/\$\{[^}]*\}/).sort((a, b) => b.length - a.length)[0]!,
	);
	const sentences = parts.map((text) => text.trim()).filter((text) => / .+ .+ /.test(text));
	const listed = Object.values(LISTS)
		.flat()
		.map(({ failure }) => errorMessage(failure))
		.map(({ message, description }) => `${message} ${description}`);
	const all = listed.join('\n');
	expect(sentences.length).toBeGreaterThan(50);
	expect(sentences.filter((text) => !all.includes(text))).toEqual([]);
});
