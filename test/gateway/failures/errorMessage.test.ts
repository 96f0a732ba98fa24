import { errorMessage, failureDetails } from '../../../gateway/failures/errorMessage';
import { InvalidInput } from '../../../gateway/inputValues';
import { connectionFailure, type RequestFailure } from '../../../gateway/responses/failure';
import { failureInResponse } from '../../../gateway/responses/responseFailure';
import { UNWANTED_WORDS } from '../../harness/refused';
import { response } from '../../harness/responses';

// The list of errors in the documents has each text, and its test compares them.

const DATE = 'Tue, 14 Nov 2023 22:13:20 GMT';
/** The same moment, in milliseconds since the epoch (date -d "$DATE" +%s000). */
const NOW = 1_700_000_000_000;

const answer = (status: number, body: unknown = {}, headers = {}) =>
	response(typeof body === 'string' ? body : JSON.stringify(body), headers, status);

function explained(status: number, body?: unknown, headers?: Record<string, unknown>, now = NOW) {
	jest.setSystemTime(now);
	return errorMessage(failureInResponse(answer(status, body, headers)));
}

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

test('an error of n8n or of an expression keeps its message, without the item, and may have no description', () => {
	const error = new Error('The file is missing [item 2]');
	const expected = { message: 'The file is missing', description: '', cause: 'invalid_input' };
	expect(errorMessage({ kind: 'invalidInput', error })).toEqual(expected);
});

test.each(['recipient_not_allowed', 'request_not_allowed', 'rehearsal'] as const)(
	'another attempt does not help after what the credential refuses: %s',
	(cause) => {
		const error = new InvalidInput('Refused', 'Nothing was sent', undefined, cause);
		const failure: RequestFailure = { kind: 'invalidInput', error };
		expect(failureDetails({ failure, attempts: 0 })).toEqual({ cause, retry: 'never' });
	},
);

const LIMIT = "The gateway's rate limit was reached";

describe('an error response with a code', () => {
	test('is recognized wherever the code is, with any status', () => {
		expect(explained(401, { code: ' token_expired ' }).cause).toBe('token_expired');
		expect(explained(403, { error: { error: 'Token_Expired' } }).cause).toBe('token_expired');
	});

	// n8n replaces messages that contain a code such as ECONNRESET.
	test.each([
		[409, 'SESSION_NOT_ONLINE', 'The session is not online (409, SESSION_NOT_ONLINE)'],
		[429, 'plan_limit_reached', `${LIMIT} (429, plan_limit_reached)`],
		[429, 'ECONNRESET', `${LIMIT} (429)`],
		[429, `limit${'x'.repeat(5000)}`, `${LIMIT} (429)`],
		[404, 'constructor', 'The gateway found nothing at this address (404)'],
		[403, 'plan_limit_reached', 'The gateway does not allow this (403)'],
	])('has it in the message only if it is known: %i %.30s', (status, code, message) => {
		const explanation = explained(status, { error: code });
		expect(explanation.message).toBe(message);
		const isQuoted = message.includes(code);
		expect(explanation.description.includes(` Its code is ${code.slice(0, 100)}.`)).toBe(!isQuoted);
	});
});

describe('an error response without a known code', () => {
	// docs/errors.md has those of single statuses.
	test.each<[cause: string, statuses: number[]]>([
		['redirect', [301, 302, 303, 307, 308]],
		['denied', [200]],
		['insufficient_balance', [402]],
		['rate_limit_exceeded', [429]],
		['server_error', [500, 503, 599]],
		['rejected', [199, 300, 304, 399, 418]],
	])('has the cause %s with %j', (expected, statuses) => {
		for (const status of statuses) {
			expect(explained(status, { error: 'made_up' }).cause).toBe(expected);
		}
	});

	test('uses the message of the operation for a 404 from a gateway', () => {
		const notFound = { message: 'There is no such delivery', description: 'It went out already.' };
		const told = (status: number, body: unknown) =>
			errorMessage({ ...failureInResponse(answer(status, body)), notFound } as RequestFailure);
		expect(told(404, { message: 'Not there' })).toEqual({
			message: 'There is no such delivery (404)',
			description: 'It went out already. The gateway says: Not there.',
		});
		const causes = [
			...[told(404, 'Not Found'), told(404, '[]'), told(400, {})],
			told(404, { error: 'invalid_token' }),
		].map(({ cause }) => cause);
		expect(causes).toEqual(['not_found', 'not_found', 'bad_request', 'invalid_token']);
	});
});

describe('the description includes', () => {
	const description = (...args: Parameters<typeof explained>) => explained(...args).description;

	test('the start of the message of the gateway, as a sentence', () => {
		expect(description(400, { message: 'x'.repeat(100_000) })).toMatch(/says: x{500}\.$/);
		expect(description(400, { message: 'Who are you?' })).toMatch(/says: Who are you\?$/);
	});

	test('the target of a redirect without its query, and Retry-After', () => {
		const target = description(302, {}, { location: 'https://h/x?token=abc' });
		expect(target).toContain('It redirects to https://h/x.');
		expect(target).not.toContain('token=abc');
		expect(description(429, {}, { 'retry-after': '30' })).toContain('Retry-After 30.');
	});

	test.each(['<html>Bad Gateway</html>', '', '[]', '5', 'null'])(
		'that the response is not the JSON of a gateway: %j',
		(body) => {
			expect(description(502, body)).toMatch(
				/The response \(status 502\) was not JSON, so it may not be from the gateway\.$/,
			);
		},
	);
});

describe('the clock skew', () => {
	const clock = (ahead: number, status = 401, date: string | null = DATE, error?: string) =>
		explained(status, { error }, { date }, NOW + ahead).description;
	const LIMIT = ' The node corrects no more than 24 hours.';

	test.each([
		[30_001, '30 s ahead of', ''],
		[86_400_000, '86400 s ahead of', ''],
		[-45_400, '45 s behind', ''],
		[-86_400_001, '86400 s behind', LIMIT],
	])('of %i ms is reported', (ahead, words, limit) => {
		const text = `The clock of this n8n is ${words} the gateway's: set it first (NTP), because the signature contains the time.${limit} `;
		for (const error of [undefined, 'invalid_signature', 'made_up']) {
			const description = clock(ahead, 401, DATE, error);
			expect(description.startsWith(text)).toBe(true);
			expect(description.includes(LIMIT)).toBe(limit !== '');
		}
	});

	test('is not mentioned if it is tolerated, with another status, or without a date', () => {
		for (const description of [
			...[clock(30_000), clock(-30_000), clock(3_600_000, 429)],
			...[clock(3_600_000, 401, null), clock(3_600_000, 401, 'yesterday')],
		]) {
			expect(description).not.toMatch(/clock of this n8n is/);
		}
	});
});

describe('a request without a response', () => {
	test.each<[cause: string, codes: string]>([
		['refused', 'ECONNREFUSED'],
		['host_name', 'ENOTFOUND ENODATA EBADNAME ENONAME EAI_NONAME EAI_NODATA'],
		['dns', 'EAI_AGAIN EAI_FAIL ESERVFAIL EREFUSED EFORMERR ENOTIMP EBADRESP ETIMEOUT'],
		['certificate', 'CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN'],
		['certificate', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_TLS_CERT_ALTNAME_INVALID INVALID_CA'],
		['tls', 'EPROTO ERR_SSL_WRONG_VERSION_NUMBER ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE'],
		['tls', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION ERR_SSL_TLSV1_UNRECOGNIZED_NAME'],
		['tls', 'ERR_TLS_HANDSHAKE_TIMEOUT ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'],
		['unreachable', 'EHOSTUNREACH ENETUNREACH ENETDOWN EADDRNOTAVAIL'],
		['timeout', 'ETIMEDOUT ECONNABORTED ESOCKETTIMEDOUT TIMEOUT'],
		['canceled', 'ERR_CANCELED'],
		['too_large', 'RESPONSE_TOO_LARGE'],
		// Requests may have been sent before these.
		['disconnected', 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC ERR_SSL_UNEXPECTED_MESSAGE'],
		['disconnected', 'ERR_SSL_UNEXPECTED_EOF_WHILE_READING ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR'],
		['disconnected', 'ECONNRESET EPIPE HPE_INVALID_CONSTANT constructor __proto__ econnrefused '],
	])('has the cause %s: %s', (expected, codes) => {
		for (const code of codes.split(' ')) {
			const { message, description, cause } = errorMessage(connectionFailure(code));
			expect([code, cause]).toEqual([code, expected]);
			expect(`${message} ${description}`).not.toMatch(UNWANTED_WORDS);
			const isSafe = /^(refused|host_name|dns|certificate|tls)$/.test(expected);
			expect(description.startsWith('Nothing was sent.')).toBe(isSafe);
			expect(/unknown whether the gateway processed/.test(description)).toBe(!isSafe);
		}
	});
});
