import fc from 'fast-check';

import { type Answer, readAnswer } from '../../gateway/answer';
import { clockSkewMs, explain, explainConnection } from '../../gateway/explanation';
import { UNWANTED_WORDS } from './refused';

const DATE = 'Tue, 14 Nov 2023 22:13:20 GMT';
/** The same moment, in milliseconds since the epoch (date -d "$DATE" +%s000). */
const NOW = 1_700_000_000_000;

function answer(status: number, body?: unknown, headers: Record<string, unknown> = {}): Answer {
	const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
	return readAnswer({ status, headers, bytes: Buffer.from(text) }, (value) => value);
}

const explained = (status: number, body?: unknown, headers?: Record<string, unknown>, now = NOW) =>
	explain(answer(status, body, headers), now);

/** Ours without what the gateway called it: status and code stand in brackets at the end. */
const ours = (message: string) => message.replace(/ \(\d{3}(, .*)?\)$/s, '');

/** The table of codes in the gateway's facts, row by row. */
const CODES: Array<[number, string]> = [
	[401, 'missing_auth_headers'],
	[401, 'invalid_token'],
	[401, 'token_inactive'],
	[401, 'token_expired'],
	[401, 'unauthorized'],
	[401, 'missing_signature'],
	[401, 'invalid_signature'],
	[401, 'signature_expired'],
	[402, 'insufficient_balance'],
	[403, 'ip_not_allowed'],
	[403, 'token_deleted'],
	[403, 'no_api_access'],
	[409, 'payg_confirm_required'],
	[422, 'validation_error'],
	[422, 'already_exists'],
	[422, 'invalid_json'],
	[422, 'invalid_amount_format'],
	[422, 'test_message_failed'],
	[429, 'rate_limit_exceeded'],
];

const STATUSES = [
	300, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405, 408, 409, 413, 422, 429,
];
const SERVER_STATUSES = [500, 501, 502, 503, 504, 520, 599];

describe('a refusal with a code', () => {
	test.each(CODES)('%i %s says what happened and what to do', (status, code) => {
		const { message, description } = explained(status, { error: code, message: 'Nope' });
		expect(message).toMatch(new RegExp(`^[A-Z].{15,} \\(${status}, ${code}\\)$`));
		expect(ours(message)).not.toMatch(/refused the request with status|_/);
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
		['token_inactive', /switched off/, /Activate/],
		['token_expired', /run out/, /Renew/],
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
		['rate_limit_exceeded', /slower/, /Batching/],
	])('%s names its cause and its remedy', (code, cause, remedy) => {
		const { message, description } = explained(422, { error: code });
		expect(ours(message)).toMatch(cause);
		expect(description).toMatch(remedy);
	});

	test('has a message of its own for each code, but for the two that say the same', () => {
		const messages = CODES.map(([status, code]) =>
			ours(explained(status, { error: code }).message),
		);
		expect(new Set(messages).size).toBe(CODES.length - 1);
	});

	test.each<[unknown]>([
		[{ error: 'token_expired' }],
		[{ error: 'TOKEN_EXPIRED' }],
		[{ error: ' token_expired ' }],
		[{ code: 'token_expired' }],
		[{ error: { code: 'token_expired' } }],
		[{ error: { error: 'Token_Expired', message: 'x' } }],
	])('is understood wherever the code stands: %j', (body) => {
		expect(explained(401, body).message).toMatch(/^The token has run out \(401, /);
	});

	test('is understood whatever its status', () => {
		for (const status of [400, 401, 403, 500]) {
			expect(explained(status, { error: 'token_expired' }).message).toBe(
				`The token has run out (${status}, token_expired)`,
			);
		}
	});

	test.each([
		'session_offline',
		'SESSION_NOT_ONLINE',
		'session_not_connected',
		'disconnected',
		'AUTH_FAILURE',
	])('%s says that the session is not online, and how it gets there', (code) => {
		const { message, description } = explained(409, { error: code });
		expect(message).toBe(`The session is not online (409, ${code})`);
		expect(description).toMatch(/Session > Start.*QR.*ONLINE/);
	});

	test.each(['plan_limit_reached', 'window_limit_exceeded', 'DAILY_LIMIT'])(
		'%s asks for a slower pace',
		(code) => {
			expect(explained(429, { error: code }).message).toBe(
				`The gateway asks for a slower pace (429, ${code})`,
			);
		},
	);

	test.each([
		[413, 'file_size_limit_exceeded', 'The gateway finds the message too large (413)'],
		[403, 'plan_limit_reached', 'The gateway does not allow this (403)'],
		[422, 'text_limit', 'The gateway did not accept a value in the request (422)'],
	])('%i %s does not ask for a slower pace', (status, code, message) => {
		expect(explained(status, { error: code }).message).toBe(message);
	});

	test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'ECONNRESET', 'made_up'])(
		'is understood by its status where the code is %s, which is told beside',
		(code) => {
			const { message, description } = explained(404, { error: code });
			expect(message).toBe('The gateway knows nothing at this address (404)');
			expect(description).toContain(` It calls this ${code}.`);
		},
	);

	test('that has a known code does not tell it twice', () => {
		for (const [status, error] of CODES) {
			expect(explained(status, { error }).description).not.toContain('It calls this');
		}
		expect(explained(409, { error: 'session_offline' }).description).not.toContain('calls this');
		expect(explained(404).description).not.toContain('It calls this');
	});

	test('is shown with a code that is cut where it is a long text', () => {
		const { message, description } = explained(400, { error: 'x'.repeat(5000) });
		expect(message).toBe('The gateway could not make sense of the request (400)');
		expect(description).toMatch(/ It calls this x{20,}\.$/);
		expect(description.length).toBeLessThan(300);
	});

	// n8n replaces messages in which it finds codes like these, and nobody reads one of 5000 letters.
	test.each(['made_up', 'ECONNRESET', 'Too many requests'])(
		'has no unknown code in its message with status 429 either: %s',
		(code) => {
			expect(explained(429, { error: code }).message).toBe(
				'The gateway asks for a slower pace (429)',
			);
		},
	);

	test.each([
		[429, 'x'.repeat(5000)],
		[409, `disconnected ${'x'.repeat(5000)}`],
	])('%i has no endless code in its message', (status, code) => {
		expect(explained(status, { error: code }).message.length).toBeLessThan(200);
	});
});

describe('a refusal without a known code', () => {
	test.each([...STATUSES, ...SERVER_STATUSES])('%i says what happened and what to do', (status) => {
		for (const body of [{}, { error: 'made_up' }, { message: 'Nope' }]) {
			const { message, description } = explained(status, body);
			// 429 says the code, too, which a test of its own complains about.
			const label = status === 429 ? '429(, made_up)?' : String(status);
			expect(message).toMatch(new RegExp(`^[A-Z].{15,} \\(${label}\\)$`));
			expect(message).not.toMatch(/refused the request with status/);
			expect(`${message} ${description}`).not.toMatch(UNWANTED_WORDS);
			expect(description.length).toBeGreaterThan(15);
		}
	});

	test.each<[number, RegExp, RegExp]>([
		[301, /another address/, /'Base URL'/],
		[400, /sense/, /fields/],
		[401, /credential/, /'Token' and 'Secret'.*clock/],
		[402, /balance/, /Top up/],
		[403, /does not allow/, /allow list/],
		[404, /nothing at this address/, /'Base URL'.*\/api\/whatsapp/],
		[405, /operation/, /'Base URL'/],
		[408, /too long/, /again/],
		[409, /state/, /Get Status/],
		[413, /too large/, /smaller/],
		[422, /value/, /fields/],
		[429, /slower/, /Wait/],
		[500, /trouble of its own/, /Nothing is wrong with this workflow/],
		[503, /trouble of its own/, /later/],
	])('%i names its cause and its remedy', (status, cause, remedy) => {
		const { message, description } = explained(status);
		expect(message).toMatch(cause);
		expect(description).toMatch(remedy);
	});

	test.each([418, 451, 300, 304, 305, 399, 200, 204, 199])(
		'%i is named by its number, for nobody knows more',
		(status) => {
			const { message, description } = explained(status);
			expect(message).toBe(`The gateway said no (${status})`);
			expect(description).toMatch(
				new RegExp(`console or documentation.*\\(status ${status}\\)\\.$`),
			);
			expect(`${message} ${description}`).not.toMatch(UNWANTED_WORDS);
		},
	);

	describe('where the operation knows what a 404 means', () => {
		const GONE = { message: 'There is no such delivery', description: 'It went out already.' };
		const told = (status: number, body: unknown) => explain(answer(status, body), NOW, GONE);

		test('says that', () => {
			expect(told(404, { message: 'Not there' })).toEqual({
				message: 'There is no such delivery (404)',
				description: 'It went out already. The gateway says: Not there.',
			});
			expect(told(404, { error: 'not_found' })).toEqual({
				message: 'There is no such delivery (404)',
				description: 'It went out already. It calls this not_found.',
			});
		});

		test('does not say that of a stranger at the same address', () => {
			for (const body of ['<html>Not Found</html>', 'Not Found', '[]', '']) {
				expect(told(404, body).message).toBe('The gateway knows nothing at this address (404)');
			}
		});

		test('does not say that of another status, or of a code that says more', () => {
			expect(told(400, {}).message).toBe('The gateway could not make sense of the request (400)');
			expect(told(404, { error: 'invalid_token' }).message).toBe(
				'The gateway does not know the token (404, invalid_token)',
			);
		});
	});
});

describe('beside the explanation stands', () => {
	test('what the gateway says, as a sentence', () => {
		expect(explained(400, { message: 'chatId is missing' }).description).toMatch(
			/ The gateway says: chatId is missing\.$/,
		);
		expect(explained(400, { message: 'Who are you?' }).description).toMatch(
			/ The gateway says: Who are you\?$/,
		);
	});

	test('not more of it than can be read', () => {
		expect(explained(400, { message: 'x'.repeat(100_000) }).description.length).toBeLessThan(1000);
	});

	test('where a redirect points to, without its query', () => {
		const { description } = explained(302, {}, { location: 'https://h/x?token=abc' });
		expect(description).toContain('It points to https://h/x.');
		expect(description).not.toContain('token=abc');
	});

	test('how long the gateway asks to wait', () => {
		expect(explained(429, {}, { 'retry-after': '30' }).description).toContain('Retry-After 30.');
		expect(explained(429).description).not.toContain('Retry-After');
	});

	test.each(['<html>Bad Gateway</html>', 'nope', '', '[]', '"x"', '5', 'null'])(
		'that what came was not the JSON of a gateway: %j',
		(body) => {
			expect(explained(502, body).description).toMatch(
				/Its answer \(status 502\) was not the JSON of a gateway\.$/,
			);
		},
	);

	test('nothing of the kind where it was', () => {
		expect(explained(502, {}).description).not.toMatch(/was not the JSON/);
	});
});

describe('the clock', () => {
	const clock = (ahead: number, status = 401, date: unknown = DATE) =>
		explained(status, { error: 'invalid_signature' }, { date }, NOW + ahead).description;

	test.each([
		[30_001, '30 s ahead of'],
		[31_000, '31 s ahead of'],
		[3_600_000, '3600 s ahead of'],
		[-30_001, '30 s behind'],
		[-45_400, '45 s behind'],
		[-86_400_000, '86400 s behind'],
	])('that is %i ms ahead is said to be %s the gateway’s', (ahead, words) => {
		expect(clock(ahead)).toMatch(
			new RegExp(`^The clock of this n8n is ${words} the gateway's: set it right first`),
		);
		expect(clock(ahead)).not.toMatch(UNWANTED_WORDS);
	});

	test.each([0, 1, 29_999, 30_000, -1, -29_999, -30_000])(
		'that is %i ms ahead is not mentioned',
		(ahead) => {
			expect(clock(ahead)).not.toMatch(/clock of this n8n is/);
		},
	);

	test.each([200, 400, 403, 429, 500])('is not mentioned with status %i', (status) => {
		expect(clock(3_600_000, status)).not.toMatch(/clock of this n8n is/);
	});

	test.each([[undefined], [''], ['yesterday'], [null], [[]]])(
		'is not mentioned where the Date header is %j',
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

	test('is mentioned after any 401, whatever its code', () => {
		for (const error of ['signature_expired', 'unauthorized', 'made_up', undefined]) {
			expect(explained(401, { error }, { date: DATE }, NOW + 60_000).description).toMatch(
				/clock of this n8n is 60 s ahead of/,
			);
		}
	});

	test('is compared in milliseconds', () => {
		expect(clockSkewMs(answer(401, {}, { date: DATE }), NOW + 1500)).toBe(1500);
		expect(clockSkewMs(answer(401, {}, { date: [DATE] }), NOW - 1500)).toBe(-1500);
		expect(clockSkewMs(answer(401), NOW)).toBeUndefined();
	});
});

describe('a signature that does not fit', () => {
	const remark = (message: string, error = 'invalid_signature') =>
		/^(The gateway points at the \w+)?/.exec(explained(401, { error, message }).description)![0];

	test.each([
		['The timestamp must be in milliseconds', 'The gateway points at the time'],
		['Timestamp out of range', 'The gateway points at the time'],
		['clock skew too large', 'The gateway points at the time'],
		['Token in the URL differs from the signed one', 'The gateway points at the token'],
		['token mismatch', 'The gateway points at the token'],
		['Body does not match the signature', 'The gateway points at the body'],
		['signed a different JSON string', 'The gateway points at the body'],
		['payload was changed', 'The gateway points at the body'],
		['canonical fields expected', 'The gateway points at the names'],
		['legacy body string expected', 'The gateway points at the names'],
		['CANONICAL JSON EXPECTED', 'The gateway points at the names'],
		['Use ms, not seconds', 'The gateway points at the time'],
		['TIMESTAMP TOO OLD', 'The gateway points at the time'],
		['Check token and body', ''],
		['token or timestamp wrong', ''],
		['timestamp or body wrong', ''],
		['Expected timestamp + token + canonical body', ''],
		['too many items', ''],
		['Signature mismatch', ''],
		['HMAC verification did not succeed', ''],
	])('because, as the gateway says, %j', (said, pointed) => {
		expect(remark(said)).toBe(pointed);
	});

	test('for a reason that the gateway keeps to itself is most likely the secret', () => {
		const { description } = explained(401, { error: 'invalid_signature' });
		expect(description).toMatch(/^Most likely 'Secret' of the credential/);
		expect(description).toMatch(/'Body Form'/);
	});

	test('is nothing that other codes are explained by', () => {
		expect(remark('token mismatch', 'invalid_token')).toBe('');
	});

	test.each(['INVALID_SIGNATURE', 'Invalid_Signature', ' invalid_signature '])(
		'is told apart in capitals, too: %j',
		(code) => {
			expect(remark('token mismatch', code)).toBe('The gateway points at the token');
		},
	);

	test('has an advice of its own for each of the four causes', () => {
		const advice = (message: string) =>
			explained(401, { error: 'invalid_signature', message }).description.split(' Most likely')[0]!;
		const four = ['timestamp', 'token', 'canonical', 'body'].map(advice);
		expect(new Set(four).size).toBe(4);
		expect(four[0]).toMatch(/milliseconds.*clocks/);
		expect(four[1]).toMatch(/'Token' and 'Secret'/);
		expect(four[2]).toMatch(/'Body Form'/);
		expect(four[3]).toMatch(/proxy/);
		for (const text of four) expect(text).not.toMatch(UNWANTED_WORDS);
	});

	// It names everything that is signed, so it points at nothing.
	test('is not blamed on the clock where the gateway only explains how to sign', () => {
		expect(remark('Expected HMAC-SHA256 over timestamp + token + raw body')).toBe('');
	});

	test('because of the form of the body is told apart from one of a changed body', () => {
		const advice = (message: string) =>
			explained(401, { error: 'invalid_signature', message }).description.split(' Most likely')[0];
		expect(advice('signed a different JSON string than was sent')).not.toBe(
			advice('legacy body string signed, canonical fields sent'),
		);
	});
});

describe('whatever came', () => {
	const headers = fc.dictionary(
		fc.constantFrom('date', 'location', 'retry-after', 'content-type', '__proto__', 'x'),
		fc.oneof(fc.string(), fc.array(fc.string()), fc.constant(DATE)),
	);

	test('is explained', () => {
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
				const came = readAnswer({ status, headers, bytes }, (value) => value);
				const { message, description } = explain(came, now);
				expect(message).toMatch(/^[A-Z]/);
				expect(description).toMatch(/^[A-Z].{10,}/s);
			}),
			{ numRuns: 500 },
		);
	});
});

describe('no answer at all', () => {
	test.each<[string, RegExp, RegExp]>([
		['ECONNREFUSED', /Nothing answers/, /Nothing was sent.*'Base URL'/],
		['ENOTFOUND', /host name/, /Nothing was sent.*'Base URL'/],
		['EAI_AGAIN', /looked up/, /Nothing was sent/],
		['ECONNRESET', /cut/, /unknown whether/],
		['EPIPE', /cut/, /unknown whether/],
		['ETIMEDOUT', /in time/, /unknown whether/],
		['ECONNABORTED', /in time/, /unknown whether/],
		['ESOCKETTIMEDOUT', /in time/, /unknown whether/],
		['TIMEOUT', /in time/, /unknown whether/],
		['ERR_CANCELED', /stopped/, /unknown whether/],
		['CERT_HAS_EXPIRED', /certificate/, /Nothing was sent.*'Ignore SSL Issues'/],
		['DEPTH_ZERO_SELF_SIGNED_CERT', /certificate/, /Nothing was sent/],
		['SELF_SIGNED_CERT_IN_CHAIN', /certificate/, /Nothing was sent/],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /certificate/, /Nothing was sent/],
		['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /certificate/, /Nothing was sent/],
		['ERR_TLS_CERT_ALTNAME_INVALID', /certificate/, /Nothing was sent/],
		['EHOSTUNREACH', /no way to the gateway/, /'Base URL'.*unknown whether/i],
		['ENETUNREACH', /no way to the gateway/, /unknown whether/i],
		['ENETDOWN', /no way to the gateway/, /unknown whether/i],
		['EADDRNOTAVAIL', /no way to the gateway/, /unknown whether/i],
		['EPROTO', /cut/, /unknown whether/],
		['HPE_INVALID_CONSTANT', /cut/, /unknown whether/],
		['ERR_BAD_RESPONSE', /cut/, /unknown whether/],
		['Z_DATA_ERROR', /cut/, /unknown whether/],
		['', /cut/, /unknown whether/],
		['constructor', /cut/, /unknown whether/],
		['toString', /cut/, /unknown whether/],
		['__proto__', /cut/, /unknown whether/],
		['econnrefused', /cut/, /unknown whether/],
	])('%s says what happened and what to do', (code, cause, remedy) => {
		const { message, description } = explainConnection(code);
		expect(message).toMatch(cause);
		expect(description).toMatch(remedy);
		expect(`${message} ${description}`).not.toMatch(UNWANTED_WORDS);
	});

	const BEFORE_SENDING =
		/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|CERTIFICATE)$|CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;

	test('never claims that nothing was sent where the gateway may have it', () => {
		for (const code of ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED', 'ERR_CANCELED']) {
			expect(explainConnection(code).description).not.toMatch(/nothing was sent/i);
		}
		const anyCode = fc
			.oneof(fc.string(), fc.stringMatching(/^(E|ERR_|HPE_)[A-Z_]{3,12}$/))
			.filter((code) => !BEFORE_SENDING.test(code));
		fc.assert(
			fc.property(anyCode, (code) => {
				const { description } = explainConnection(code);
				expect(description).toMatch(/unknown whether the gateway took the request/);
				expect(description).not.toMatch(/nothing was sent/i);
			}),
			{ numRuns: 500 },
		);
	});

	test('is explained by whatever code', () => {
		fc.assert(
			fc.property(fc.string(), (code) => {
				const { message, description } = explainConnection(code);
				expect(message).toMatch(/^(The|Nothing)/);
				expect(description).toMatch(/^[A-Z].{10,}/s);
			}),
		);
	});
});
