import { connectionFailure } from '../../../gateway/responses/failure';
import { failureInResponse, unclear } from '../../../gateway/responses/responseFailure';
import { retryAfterMs, retryPolicy } from '../../../gateway/failures/retryPolicy';
import { response as received } from '../../harness/responses';

const NOW = Date.parse('2026-03-01T12:00:00Z');

beforeEach(() => {
	jest.useFakeTimers({ now: NOW });
});
afterEach(() => {
	jest.useRealTimers();
});

const response = (status: number, headers: Record<string, string> = {}, body = '{}') =>
	received(body, headers, status);

test.each([
	[429, { 'Retry-After': '5' }, 'safe'],
	[503, {}, 'withKey'],
	[500, { 'Retry-After': '5' }, 'withKey'],
	[409, {}, 'never'],
] as Array<[number, Record<string, string>, string]>)(
	'after %i with %j a retry is %s',
	(status, headers, mayRepeat) => {
		const policy = retryPolicy(failureInResponse(response(status, headers)));
		expect(policy).toMatchObject({ mayRepeat, isRateLimit: status === 429 });
	},
);

const waits = (retryAfter: string, date?: string) =>
	retryAfterMs(response(429, { 'Retry-After': retryAfter, ...(date && { Date: date }) }), NOW);

test.each([
	['120', 120_000],
	[' 7 ', 7_000],
	['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
	['Sun, 01 Mar 2026 11:59:00 GMT', 0],
	['', undefined],
	['-1', undefined],
	['1e3', undefined],
])('the Retry-After %j means %p ms', (retryAfter, ms) => {
	expect(waits(retryAfter)).toBe(ms);
});

test('compares a Retry-After date with the Date header of the gateway', () => {
	expect(waits('Sun, 01 Mar 2026 12:00:30 GMT', 'Sun, 01 Mar 2026 12:00:20 GMT')).toBe(10_000);
	expect(waits('Sun, 01 Mar 2026 13:00:30 GMT', 'Sun, 01 Mar 2026 13:00:00 GMT')).toBe(30_000);
	expect(waits('Sun, 01 Mar 2026 12:00:30 GMT', 'no date')).toBe(30_000);
});

test('a 200 with the code of a rate limit is one', () => {
	const headers = { 'Retry-After': '5' };
	const limited = response(200, headers, '{"error":"RATE_LIMIT_EXCEEDED","message":"Slow down"}');
	expect(retryPolicy(failureInResponse(limited))).toEqual({
		...{ mayRepeat: 'safe', requestedWaitMs: 5_000, isRateLimit: true, isTemporary: true },
	});
});

test.each([
	['ECONNREFUSED', 'safe', true],
	['CERT_HAS_EXPIRED', 'never', false],
	['ECONNRESET', 'withKey', true],
	['RESPONSE_TOO_LARGE', 'withKey', false],
])(
	'after %s a retry is %s, and a later request may succeed: %p',
	(code, mayRepeat, isTemporary) => {
		expect(retryPolicy(connectionFailure(code))).toMatchObject({ mayRepeat, isTemporary });
	},
);

test.each([
	...(['noConnection', 'paused', 'late', 'proxyUnreachable', 'proxyClosed'] as const),
	...(['blocked', 'proxySignIn'] as const),
])('if a request was not sent (%s), a retry is safe, unless the setup has to change', (cause) => {
	const isTemporary = !/^(blocked|proxySignIn)$/.test(cause);
	const mayRepeat = isTemporary ? 'safe' : 'never';
	expect(retryPolicy({ kind: 'notSent', cause })).toMatchObject({ mayRepeat, isTemporary });
});

// What the response names comes before its status.
test.each([
	[500, '{"error":"session_not_online"}', 'never'],
	[503, '{"status":"DISCONNECTED"}', 'never'],
	[503, '{"error":"rate_limit_exceeded"}', 'safe'],
	[500, '{"message":"The session is not online"}', 'withKey'],
])('after %i %s a retry is %s', (status, body, mayRepeat) => {
	expect(retryPolicy(failureInResponse(response(status, {}, body)))).toMatchObject({ mayRepeat });
});

test('a web page with status 200 is not from the gateway: reading again is safe, a message needs a key', () => {
	const page = { ...response(200), data: '<html>Restarting</html>' };
	const safe = { mayRepeat: 'safe', isTemporary: true };
	expect(retryPolicy(failureInResponse(page))).toMatchObject(safe);
	expect(retryPolicy(unclear(page, 'webPage'))).toEqual({ ...safe, mayRepeat: 'withKey' });
	expect(retryPolicy(failureInResponse(response(200)))).toMatchObject({ isTemporary: false });
});

test.each([
	[409, '{}', true, 'withKey'],
	[425, '{"error":"too_early"}', true, 'withKey'],
	[409, '{}', false, 'never'],
	[418, '{}', true, 'never'],
	[409, '{"error":"session_not_connected"}', true, 'never'],
	[422, '{}', true, 'never'],
])('after %i %s, with a key: %p, a retry is %s', (status, body, hasKey, retry) => {
	expect(retryPolicy(failureInResponse(response(status, {}, body)), hasKey).mayRepeat).toBe(retry);
});

// A proxy in front of a gateway that is slow says the same as one in front of a gateway that is closed.
test.each([
	['{}', 'safe'],
	['{"error":"service_unavailable","message":"x"}', 'safe'],
	['{"error":"Service Unavailable","message":"Failed to send message"}', 'withKey'],
	['{"error":"upstream_failed"}', 'withKey'],
	['<html>503 Backend fetch failed', 'withKey'],
])('after a 503 with Retry-After and %j a retry is %s', (body, repeat) => {
	const closed = response(503, { 'Retry-After': '1' }, body);
	expect(retryPolicy(failureInResponse(closed)).mayRepeat).toBe(repeat);
});
