import fc from 'fast-check';

import { clockSkewMs } from '../../../gateway/errors/signingClock';
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

/** The message without the status and code in brackets at its end. */
const ours = (message: string) => message.replace(/ \(\d{3}(, .*)?\)$/s, '');

const STATUSES = [
	300, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405, 408, 409, 413, 422, 429,
];
const SERVER_STATUSES = [500, 501, 502, 503, 504, 520, 599];

describe('an error response with a code', () => {
	test.each(DOCUMENTED_CODES)('%i %s explains the cause and what to do', (status, code) => {
		const { message, description } = explained(status, { error: code, message: 'Nope' });
		expect(message).toMatch(new RegExp(`^[A-Z].{15,} \\(${status}, ${code}\\)$`));
		expect(ours(message)).not.toMatch(/_/);
		expect(ours(message)).not.toMatch(UNWANTED_WORDS);
		expect(description).toMatch(/ The gateway says: Nope\.$/);
		const advice = description.replace(/ The gateway says: Nope\.$/, '');
		expect(advice.length).toBeGreaterThan(30);
		expect(advice).not.toMatch(UNWANTED_WORDS);
	});

	test.each<[string, RegExp, RegExp]>([
		['missing_auth_headers', /no signature/, /X-API-Timestamp and X-API-Signature/],
		['missing_signature', /no signature/, /'Sign Deferred Requests'/],
		['invalid_token', /does not know the token/, /'Token' of the credential/],
		['token_inactive', /not active/, /Activate/],
		['token_expired', /expired/, /Renew/],
		['token_deleted', /deleted/, /new token/],
		['unauthorized', /credential/, /'Token' and 'Secret'/],
		['invalid_signature', /signature/, /'Secret' of the credential/],
		['signature_expired', /timestamp/, /clock/],
		['insufficient_balance', /balance/, /Top up/],
		['ip_not_allowed', /address of this n8n/, /allow list/],
		['no_api_access', /plan/, /plan with API access/],
		['payg_confirm_required', /pay-as-you-go/, /Confirm/],
		['validation_error', /value/, /Additional Fields/],
		['already_exists', /already/, /Nothing was created twice/],
		['invalid_json', /JSON/, /'Body'/],
		['invalid_amount_format', /amount/, /12\.50/],
		['test_message_failed', /test message/, /ONLINE/],
		['rate_limit_exceeded', /rate limit/, /Batching/],
	])('%s names the cause and the fix', (code, cause, remedy) => {
		const { message, description } = explained(422, { error: code });
		expect(ours(message)).toMatch(cause);
		expect(description).toMatch(remedy);
	});

	test('has a distinct message for each code, except for two with the same meaning', () => {
		const messages = DOCUMENTED_CODES.map(([status, code]) =>
			ours(explained(status, { error: code }).message),
		);
		expect(new Set(messages).size).toBe(DOCUMENTED_CODES.length - 1);
	});

	test.each<[unknown]>([
		[{ error: 'token_expired' }],
		[{ error: 'TOKEN_EXPIRED' }],
		[{ error: ' token_expired ' }],
		[{ code: 'token_expired' }],
		[{ error: { code: 'token_expired' } }],
		[{ error: { error: 'Token_Expired', message: 'x' } }],
	])('is recognized wherever the code is: %j', (body) => {
		expect(explained(401, body).message).toMatch(/^The token has expired \(401, /);
	});

	test('is recognized with any status', () => {
		for (const status of [400, 401, 403, 500]) {
			expect(explained(status, { error: 'token_expired' }).message).toBe(
				`The token has expired (${status}, token_expired)`,
			);
		}
	});

	test.each([
		'session_offline',
		'SESSION_NOT_ONLINE',
		'session_not_connected',
		'disconnected',
		'AUTH_FAILURE',
	])('%s reports that the session is not online, and how to pair', (code) => {
		const { message, description } = explained(409, { error: code });
		expect(message).toBe(`The session is not online (409, ${code})`);
		expect(description).toMatch(/Session > Pair.*Session > Wait Until Online/);
	});

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

	test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'ECONNRESET', 'made_up'])(
		'is explained by its status if the code is %s, which is quoted',
		(code) => {
			const { message, description } = explained(404, { error: code });
			expect(message).toBe('The gateway found nothing at this address (404)');
			expect(description).toContain(` Its code is ${code}.`);
		},
	);

	test('does not repeat a known code in the description', () => {
		for (const [status, error] of DOCUMENTED_CODES) {
			expect(explained(status, { error }).description).not.toContain('Its code is');
		}
		expect(explained(409, { error: 'session_offline' }).description).not.toContain('Its code is');
		expect(explained(404).description).not.toContain('Its code is');
	});

	test('truncates a long code in the description', () => {
		const { message, description } = explained(400, { error: 'x'.repeat(5000) });
		expect(message).toBe('The gateway did not understand the request (400)');
		expect(description).toMatch(/ Its code is x{20,}\.$/);
		expect(description.length).toBeLessThan(300);
	});

	// n8n replaces messages that contain codes like these.
	test.each(['made_up', 'ECONNRESET', 'Too many requests'])(
		'has no unknown code in the message of a 429: %s',
		(code) => {
			expect(explained(429, { error: code }).message).toBe(
				"The gateway's rate limit was reached (429)",
			);
		},
	);

	test.each([
		[429, 'x'.repeat(5000)],
		[409, `disconnected ${'x'.repeat(5000)}`],
	])('%i has no long code in its message', (status, code) => {
		expect(explained(status, { error: code }).message.length).toBeLessThan(200);
	});
});

describe('an error response without a known code', () => {
	test.each([...STATUSES, ...SERVER_STATUSES])('%i explains the cause and the fix', (status) => {
		for (const body of [{}, { error: 'made_up' }, { message: 'Nope' }]) {
			const { message, description } = explained(status, body);
			// Another test checks that the message of a 429 has no unknown code.
			const label = status === 429 ? '429(, made_up)?' : String(status);
			expect(message).toMatch(new RegExp(`^[A-Z].{15,} \\(${label}\\)$`));
			expect(`${message} ${description}`).not.toMatch(UNWANTED_WORDS);
			expect(description.length).toBeGreaterThan(15);
		}
	});

	test.each<[number, RegExp, RegExp]>([
		[200, /rejected/, /content says the opposite.*Get Status/],
		[301, /another address/, /'Base URL'/],
		[400, /understand/, /fields/],
		[401, /credential/, /'Token' and 'Secret'.*clock/],
		[402, /balance/, /Top up/],
		[403, /does not allow/, /allow list/],
		[404, /nothing at this address/, /'Base URL'.*\/api\/whatsapp/],
		[405, /operation/, /'Base URL'/],
		[408, /too long/, /again/],
		[409, /state/, /Get Status/],
		[413, /too large/, /smaller/],
		[422, /value/, /fields/],
		[429, /rate limit/, /Wait/],
		[500, /could not process/, /not in this workflow/],
		[503, /could not process/, /later/],
	])('%i names the cause and the fix', (status, cause, remedy) => {
		const { message, description } = explained(status);
		expect(message).toMatch(cause);
		expect(description).toMatch(remedy);
	});

	test.each([418, 451, 300, 304, 305, 399, 199])('%i is reported by its number only', (status) => {
		const { message, description } = explained(status);
		expect(message).toBe(`The gateway rejected the request (${status})`);
		expect(description).toMatch(new RegExp(`console or documentation.*status ${status}\\.$`));
		expect(`${message} ${description}`).not.toMatch(UNWANTED_WORDS);
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

	test.each(['<html>Bad Gateway</html>', 'nope', '', '[]', '"x"', '5', 'null'])(
		'that the response is not the JSON of a gateway: %j',
		(body) => {
			expect(explained(502, body).description).toMatch(
				/The response \(status 502\) was not JSON, so it may not be from the gateway\.$/,
			);
		},
	);

	test('no such note for a JSON object', () => {
		expect(explained(502, {}).description).not.toMatch(/was not JSON/);
	});
});

describe('the clock skew', () => {
	const clock = (ahead: number, status = 401, date: unknown = DATE) =>
		explained(status, { error: 'invalid_signature' }, { date }, NOW + ahead).description;

	test.each([
		[30_001, '30 s ahead of'],
		[31_000, '31 s ahead of'],
		[3_600_000, '3600 s ahead of'],
		[-30_001, '30 s behind'],
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

	test.each([0, 1, 29_999, 30_000, -1, -29_999, -30_000])(
		'of %i ms is tolerated and not mentioned',
		(ahead) => {
			expect(clock(ahead)).not.toMatch(/clock of this n8n is/);
		},
	);

	test.each([200, 400, 403, 429, 500])('is not mentioned with status %i', (status) => {
		expect(clock(3_600_000, status)).not.toMatch(/clock of this n8n is/);
	});

	test.each([[undefined], [''], ['yesterday'], [null], [[]]])(
		'is not mentioned if the Date header is %j',
		(date) => {
			const { description } = explained(
				401,
				{},
				date === undefined ? {} : { date },
				NOW + 3_600_000,
			);
			expect(description).not.toMatch(/clock of this n8n is/);
		},
	);

	test('is mentioned after a 401 with any code', () => {
		for (const error of ['signature_expired', 'unauthorized', 'made_up', undefined]) {
			expect(explained(401, { error }, { date: DATE }, NOW + 60_000).description).toMatch(
				/clock of this n8n is 60 s ahead of/,
			);
		}
	});

	test('is measured in milliseconds', () => {
		expect(clockSkewMs(answer(401, {}, { date: DATE }), NOW + 1500)).toBe(1500);
		expect(clockSkewMs(answer(401, {}, { date: [DATE] }), NOW - 1500)).toBe(-1500);
		expect(clockSkewMs(answer(401), NOW)).toBeUndefined();
	});
});

describe('a rejected signature', () => {
	test('is explained by the secret, a proxy and the names of the fields', () => {
		const { description } = explained(401, { error: 'invalid_signature' });
		expect(description).toMatch(/^Most likely 'Secret' of the credential.* proxy.*'Field Names'/);
	});

	test('quotes what the gateway says about it', () => {
		const message = 'The timestamp must be in milliseconds';
		const { description } = explained(401, { error: 'invalid_signature', message });
		expect(description).toMatch(/ The gateway says: The timestamp must be in milliseconds\.$/);
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
	const CAUSES: Array<[codes: string, cause: RegExp, remedy: RegExp]> = [
		['ECONNREFUSED', /refused/, /Nothing was sent.*'Base URL'/],
		['ENOTFOUND', /host name/, /Nothing was sent.*'Base URL'/],
		['EAI_AGAIN', /resolved/, /Nothing was sent/],
		[
			'ENODATA EBADNAME ENONAME EAI_NONAME EAI_NODATA',
			/host name was not found/,
			/Nothing was sent/,
		],
		[
			'EAI_FAIL ESERVFAIL EREFUSED EFORMERR ENOTIMP EBADRESP ETIMEOUT',
			/could not be resolved/,
			/Nothing was sent.*DNS/,
		],
		['CERT_HAS_EXPIRED', /certificate/, /Nothing was sent.*'Ignore SSL Issues'/],
		[
			'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN INVALID_CA ERR_TLS_CERT_ALTNAME_INVALID',
			/certificate/,
			/Nothing was sent/,
		],
		[
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
			/certificate/,
			/Nothing was sent/,
		],
		['EPROTO', /secure connection/, /Nothing was sent.*'Base URL'/],
		[
			'ERR_SSL_WRONG_VERSION_NUMBER ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION ERR_SSL_TLSV1_UNRECOGNIZED_NAME ERR_TLS_HANDSHAKE_TIMEOUT',
			/secure connection/,
			/Nothing was sent/,
		],
		['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /secure connection/, /client certificates/],
		['EHOSTUNREACH', /cannot be reached/, /'Base URL'.*unknown whether/i],
		['ENETUNREACH ENETDOWN EADDRNOTAVAIL', /cannot be reached/, /unknown whether/i],
		['ETIMEDOUT ECONNABORTED ESOCKETTIMEDOUT TIMEOUT', /within the timeout/, /unknown whether/],
		['ERR_CANCELED', /stopped/, /unknown whether/],
		[
			'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC ERR_SSL_UNEXPECTED_EOF_WHILE_READING ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR ERR_SSL_TLSV1_ALERT_DECODE_ERROR ERR_SSL_UNEXPECTED_MESSAGE',
			/connection closed/,
			/unknown whether/,
		],
		[
			'ECONNRESET EPIPE HPE_INVALID_CONSTANT ERR_BAD_RESPONSE Z_DATA_ERROR constructor toString __proto__ econnrefused',
			/connection closed/,
			/unknown whether/,
		],
		['', /connection closed/, /unknown whether/],
	];

	test.each(
		CAUSES.flatMap(([codes, ...texts]) =>
			codes.split(' ').map((code) => [code, ...texts] as const),
		),
	)('%s explains the cause and what to do', (code, cause, remedy) => {
		const { message, description } = errorMessage(connectionFailure(code));
		expect(message).toMatch(cause);
		expect(description).toMatch(remedy);
		expect(`${message} ${description}`).not.toMatch(UNWANTED_WORDS);
	});

	const BEFORE_SENDING =
		/^(EPROTO|ECONNREFUSED|ENOTFOUND|ENODATA|ENONAME|ESERVFAIL|EREFUSED|EFORMERR|ENOTIMP|ETIMEOUT)$|^(EAI|EBAD)|^ERR_(SSL|TLS).*(HANDSHAKE|VERSION|PROTOCOL|CIPHER|UNKNOWN_CA|UNRECOGNIZED_NAME|KEY_TOO_SMALL|SECURITY|SIGNATURE|RENEGOTIATION)|CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|^INVALID_|^HOSTNAME/;

	test('never claims that nothing was sent if the gateway may have received it', () => {
		for (const code of ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED', 'ERR_CANCELED']) {
			expect(errorMessage(connectionFailure(code)).description).not.toMatch(/nothing was sent/i);
		}
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

	test('has a message and a description for any code', () => {
		fc.assert(
			fc.property(fc.string(), (code) => {
				const { message, description } = errorMessage(connectionFailure(code));
				expect(message).toMatch(/^The/);
				expect(description).toMatch(/^[A-Z].{10,}/s);
			}),
		);
	});
});
