import fc from 'fast-check';

import { errorMessage } from '../../../gateway/errors/errorMessage';
import {
	connectionFailure,
	rejection,
	type RequestFailure,
} from '../../../gateway/replies/failure';
import { type GatewayResponse, readResponse } from '../../../gateway/wire/response';
import { DOCUMENTED_CODES } from '../../harness/apiDocument';
import { UNWANTED_WORDS } from '../../harness/refused';

const DATE = 'Tue, 14 Nov 2023 22:13:20 GMT';
/** The same moment, in milliseconds since the epoch (date -d "$DATE" +%s000). */
const NOW = 1_700_000_000_000;

function answer(
	status: number,
	body?: unknown,
	headers: Record<string, unknown> = {},
): GatewayResponse {
	const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
	return readResponse({ status, headers, bytes: Buffer.from(text) }, (value) => value);
}

function explained(status: number, body?: unknown, headers?: Record<string, unknown>, now = NOW) {
	jest.setSystemTime(now);
	return errorMessage(rejection(answer(status, body, headers)));
}

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

describe('an error response with a code', () => {
	// The list of errors in the documents has each text, and its test compares them.
	test('has a distinct message for each code, except for two with the same meaning', () => {
		const messages = DOCUMENTED_CODES.map(([status, code]) => {
			const { message, description, cause } = explained(status, { error: code, message: 'Nope' });
			expect([message, cause]).toEqual([
				expect.stringMatching(new RegExp(`^[A-Z].{15,} \\(${status}, ${code}\\)$`)),
				code,
			]);
			expect(`${message} ${description}`.replaceAll(code, '')).not.toMatch(UNWANTED_WORDS);
			expect(description).toMatch(/^[A-Z].{30,} The gateway says: Nope\.$/);
			expect(description).not.toContain('Its code is');
			return message.replace(/ \(.*$/, '');
		});
		expect(new Set(messages).size).toBe(DOCUMENTED_CODES.length - 1);
	});

	test.each<[number, unknown]>([
		[400, { error: 'TOKEN_EXPIRED' }],
		[401, { code: ' token_expired ' }],
		[403, { error: { error: 'Token_Expired', message: 'x' } }],
		[500, { error: { code: 'token_expired' } }],
	])('is recognized wherever the code is, with any status: %i %j', (status, body) => {
		expect(explained(status, body).cause).toBe('token_expired');
	});

	test.each(['session_offline', 'SESSION_NOT_ONLINE', 'disconnected'])(
		'%s reports that the session is not online',
		(code) => {
			expect(explained(409, { error: code }).message).toBe(
				`The session is not online (409, ${code})`,
			);
		},
	);

	test.each(['plan_limit_reached', 'window_limit_exceeded', 'DAILY_LIMIT'])(
		'%s reports a rate limit',
		(code) => {
			expect(explained(429, { error: code }).message).toBe(
				`The gateway's rate limit was reached (429, ${code})`,
			);
		},
	);

	test.each([
		[413, 'file_size_limit_exceeded', 'The message is too large for the gateway (413)'],
		[403, 'plan_limit_reached', 'The gateway does not allow this (403)'],
		[422, 'text_limit', 'The gateway did not accept a value in the request (422)'],
	])('%i %s is not a rate limit', (status, code, message) => {
		expect(explained(status, { error: code }).message).toBe(message);
	});

	test.each(['constructor', '__proto__', 'ECONNRESET'])(
		'is explained by its status if the code is %s, which is quoted',
		(code) => {
			const { message, description } = explained(404, { error: code });
			expect(message).toBe('The gateway found nothing at this address (404)');
			expect(description).toContain(` Its code is ${code}.`);
		},
	);

	test('truncates a long code in the description', () => {
		const { message, description } = explained(400, { error: 'x'.repeat(5000) });
		expect(message).toBe('The gateway did not understand the request (400)');
		expect(description).toMatch(/ Its code is x{20,}\.$/);
		expect(description.length).toBeLessThan(300);
	});

	// n8n replaces messages that contain codes like these.
	test.each(['made_up', 'ECONNRESET', 'Too many requests', 'x'.repeat(5000)])(
		'has no unknown code in the message of a 429: %s',
		(code) => {
			expect(explained(429, { error: code }).message).toBe(
				"The gateway's rate limit was reached (429)",
			);
		},
	);
});

describe('an error response without a known code', () => {
	test.each<[cause: string, statuses: number[]]>([
		['redirect', [301, 302, 303, 307, 308]],
		['denied', [200]],
		['bad_request', [400]],
		['unauthorized', [401]],
		['insufficient_balance', [402]],
		['forbidden', [403]],
		['not_found', [404]],
		['not_supported', [405]],
		['request_timeout', [408]],
		['conflict', [409]],
		['message_too_large', [413]],
		['unprocessable', [422]],
		['rate_limit_exceeded', [429]],
		['server_error', [500, 501, 502, 503, 504, 520, 599]],
		['unknown', [199, 300, 304, 399, 418, 451]],
	])('has the cause %s with %j', (expected, statuses) => {
		const bodies = [{}, { error: 'made_up' }, { message: 'Nope' }];
		for (const [status, body] of statuses.flatMap((status) =>
			bodies.map((body) => [status, body] as const),
		)) {
			const { message, description, cause } = explained(status, body);
			expect(message).toMatch(new RegExp(`^[A-Z].{15,} \\(${status}\\)$`));
			expect(`${message} ${description}`).not.toMatch(UNWANTED_WORDS);
			expect(cause).toBe(expected);
		}
	});

	test('is reported by its number if it has no text of its own', () => {
		expect(explained(418).message).toBe('The gateway rejected the request (418)');
		expect(explained(418).description).toMatch(/console or documentation.*status 418\.$/);
	});

	describe('if the operation defines what a 404 means', () => {
		const GONE = { message: 'There is no such delivery', description: 'It went out already.' };
		const told = (status: number, body: unknown) =>
			errorMessage({ ...rejection(answer(status, body)), notFound: GONE } as RequestFailure);

		test('uses that message', () => {
			expect(told(404, { message: 'Not there' })).toEqual({
				message: 'There is no such delivery (404)',
				description: 'It went out already. The gateway says: Not there.',
			});
			expect(told(404, { error: 'not_found' })).toEqual({
				message: 'There is no such delivery (404)',
				description: 'It went out already. Its code is not_found.',
			});
		});

		test('does not use it for a response that is not from a gateway', () => {
			for (const body of ['<html>Not Found</html>', 'Not Found', '[]', '']) {
				expect(told(404, body).message).toBe('The gateway found nothing at this address (404)');
			}
		});

		test('does not use it for another status or a known code', () => {
			expect(told(400, {}).message).toBe('The gateway did not understand the request (400)');
			expect(told(404, { error: 'invalid_token' }).message).toBe(
				'The gateway does not know the token (404, invalid_token)',
			);
		});
	});
});

describe('the description includes', () => {
	test('the message of the gateway as a sentence', () => {
		expect(explained(400, { message: 'chatId is missing' }).description).toMatch(
			/ The gateway says: chatId is missing\.$/,
		);
		expect(explained(400, { message: 'Who are you?' }).description).toMatch(
			/ The gateway says: Who are you\?$/,
		);
	});

	test('only the start of a long message', () => {
		expect(explained(400, { message: 'x'.repeat(100_000) }).description.length).toBeLessThan(1000);
	});

	test('the target of a redirect without its query', () => {
		const { description } = explained(302, {}, { location: 'https://h/x?token=abc' });
		expect(description).toContain('It redirects to https://h/x.');
		expect(description).not.toContain('token=abc');
	});

	test('the value of Retry-After', () => {
		expect(explained(429, {}, { 'retry-after': '30' }).description).toContain('Retry-After 30.');
		expect(explained(429).description).not.toContain('Retry-After');
	});

	test.each(['<html>Bad Gateway</html>', '', '[]', '5', 'null'])(
		'that the response is not the JSON of a gateway: %j',
		(body) => {
			expect(explained(502, body).description).toMatch(
				/The response \(status 502\) was not JSON, so it may not be from the gateway\.$/,
			);
		},
	);
});

describe('the clock skew', () => {
	const clock = (ahead: number, status = 401, date: string | null = DATE) =>
		explained(status, { error: 'invalid_signature' }, { date }, NOW + ahead).description;

	test.each([
		[30_001, '30 s ahead of'],
		[3_600_000, '3600 s ahead of'],
		[-45_400, '45 s behind'],
		[-86_400_000, '86400 s behind'],
	])('of %i ms is reported as %s the gateway’s clock', (ahead, words) => {
		expect(clock(ahead)).toMatch(
			new RegExp(`^The clock of this n8n is ${words} the gateway's: set it first`),
		);
		expect(clock(ahead)).not.toMatch(UNWANTED_WORDS);
	});

	test('of more than 24 hours is not corrected', () => {
		const limit = 'The node corrects no more than 24 hours.';
		expect(clock(-86_400_001)).toContain(limit);
		expect(clock(157_680_000_000)).toContain(limit);
		expect(clock(86_400_000)).not.toContain(limit);
	});

	test.each([1, 30_000, -30_000])('of %i ms is tolerated and not mentioned', (ahead) => {
		expect(clock(ahead)).not.toMatch(/clock of this n8n is/);
	});

	test.each([200, 429])('is not mentioned with status %i', (status) => {
		expect(clock(3_600_000, status)).not.toMatch(/clock of this n8n is/);
	});

	test.each([null, '', 'yesterday'])('is not mentioned if the Date header is %j', (date) => {
		expect(clock(3_600_000, 401, date)).not.toMatch(/clock of this n8n is/);
	});

	test('is mentioned after a 401 with any code', () => {
		for (const error of ['signature_expired', 'unauthorized', 'made_up', undefined]) {
			expect(explained(401, { error }, { date: DATE }, NOW + 60_000).description).toMatch(
				/clock of this n8n is 60 s ahead of/,
			);
		}
	});
});

describe('any response', () => {
	const headers = fc.dictionary(
		fc.constantFrom('date', 'location', 'retry-after', 'content-type', '__proto__', 'x'),
		fc.oneof(fc.string(), fc.array(fc.string()), fc.constant(DATE)),
	);

	test('has a message and a description', () => {
		const bodies = fc.oneof(
			fc.uint8Array().map((bytes) => Buffer.from(bytes)),
			fc.json().map((json) => Buffer.from(json)),
			fc
				.record(
					{ error: fc.jsonValue(), message: fc.jsonValue(), code: fc.jsonValue() },
					{ requiredKeys: [] },
				)
				.map((json) => Buffer.from(JSON.stringify(json))),
		);
		const status = fc.oneof(fc.integer({ min: 100, max: 999 }), fc.double(), fc.constant(401));
		fc.assert(
			fc.property(bodies, status, headers, fc.integer(), (bytes, status, headers, now) => {
				const came = readResponse({ status, headers, bytes }, (value) => value);
				jest.setSystemTime(now);
				const { message, description } = errorMessage(rejection(came));
				expect(message).toMatch(/^[A-Z]/);
				expect(description).toMatch(/^[A-Z].{10,}/s);
			}),
			{ numRuns: 500 },
		);
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
		['disconnected', 'ECONNRESET EPIPE HPE_INVALID_CONSTANT ERR_BAD_RESPONSE Z_DATA_ERROR'],
		['disconnected', 'constructor toString __proto__ econnrefused '],
	])('has the cause %s: %s', (expected, codes) => {
		for (const code of codes.split(' ')) {
			const { message, description, cause } = errorMessage(connectionFailure(code));
			expect([code, cause]).toEqual([code, expected]);
			expect(`${message} ${description}`).not.toMatch(UNWANTED_WORDS);
		}
	});

	const BEFORE_SENDING =
		/^(EPROTO|ECONNREFUSED|ENOTFOUND|ENODATA|ENONAME|ESERVFAIL|EREFUSED|EFORMERR|ENOTIMP|ETIMEOUT)$|^(EAI|EBAD)|^ERR_(SSL|TLS).*(HANDSHAKE|VERSION|PROTOCOL|CIPHER|UNKNOWN_CA|UNRECOGNIZED_NAME|KEY_TOO_SMALL|SECURITY|SIGNATURE|RENEGOTIATION)|CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|^INVALID_|^HOSTNAME/;

	test('never claims that nothing was sent if the gateway may have received it', () => {
		const anyCode = fc
			.oneof(fc.string(), fc.stringMatching(/^(E|ERR_|HPE_)[A-Z_]{3,12}$/))
			.filter((code) => !BEFORE_SENDING.test(code));
		fc.assert(
			fc.property(anyCode, (code) => {
				const { description } = errorMessage(connectionFailure(code));
				expect(description).toMatch(/unknown whether the gateway processed the request/);
				expect(description).not.toMatch(/nothing was sent/i);
			}),
			{ numRuns: 500 },
		);
	});
});
