import { type Answer, readAnswer } from '../../gateway/answer';
import {
	accountKey,
	clockHint,
	clockOf,
	gatewayTime,
	learnClock,
	unlearnClock,
} from '../../gateway/clock';

const NOW = Date.parse('2026-03-01T12:00:00Z');

/** A refusal, by a gateway whose clock shows this time. */
function refused(
	date: string | undefined,
	{ status = 401, code = 'signature_expired' } = {},
): Answer {
	return readAnswer(
		{
			status,
			headers: date === undefined ? {} : { Date: date },
			bytes: Buffer.from(JSON.stringify(code === undefined ? {} : { error: code })),
		},
		(value) => value,
	);
}

const TEN_PAST = 'Sun, 01 Mar 2026 12:10:00 GMT';
const TEN_TO = 'Sun, 01 Mar 2026 11:50:00 GMT';

/** What is learnt is kept by account, so each test has one of its own. */
let account = '';
let count = 0;
beforeEach(() => {
	jest.useFakeTimers({ now: NOW });
	account = `account ${count++}`;
});
afterEach(() => jest.useRealTimers());

const offset = () => gatewayTime(account) - Date.now();
/** What one learns who was signed with our own clock. */
const learn = (answer: Answer) => learnClock(account, answer, undefined);

test('an account of which nothing was learnt has our time', () => {
	expect(offset()).toBe(0);
	expect(clockOf(account)).toBeUndefined();
	expect(clockHint(account)).toBeUndefined();
});

test.each([
	['behind', TEN_PAST, 600_000],
	['ahead of', TEN_TO, -600_000],
])('a clock that is %s the gateway’s is learnt', (word, date, ahead) => {
	expect(learn(refused(date))).toBe(true);
	expect(offset()).toBe(ahead);
	expect(clockHint(account)).toBe(
		`The clock of this n8n is 600 s ${word} the gateway's, so requests are signed with the gateway's time. Set the clock right (NTP).`,
	);
	expect(gatewayTime('another account')).toBe(NOW);
});

test('time goes on by it', () => {
	learn(refused(TEN_PAST));
	jest.advanceTimersByTime(90_000);
	expect(gatewayTime(account)).toBe(NOW + 690_000);
});

test('once our clock is set right, it is ours again, and the hint goes', () => {
	learn(refused(TEN_PAST));
	jest.setSystemTime(NOW + 600_000);
	expect(offset()).toBe(0);
	expect(clockHint(account)).toBeUndefined();
	expect(clockOf(account)).toBeUndefined();
});

test('a step of our clock that does not make it right does not make it worse', () => {
	learn(refused(TEN_PAST));
	jest.setSystemTime(NOW - 3_600_000);
	expect(gatewayTime(account)).toBe(NOW + 600_000);
});

test('one who was signed with the old time learns the same as the one before', () => {
	learn(refused(TEN_PAST));
	expect(learn(refused(TEN_PAST))).toBe(true);
	expect(offset()).toBe(600_000);
});

test('one who was signed with the gateway’s time has nothing to learn', () => {
	learn(refused(TEN_PAST));
	expect(learnClock(account, refused(TEN_PAST), clockOf(account))).toBe(false);
	expect(offset()).toBe(600_000);
});

test('what turned out to be of no use is forgotten, and what was known before comes back', () => {
	learn(refused(TEN_PAST));
	unlearnClock(account, undefined);
	expect(offset()).toBe(0);
	learn(refused(TEN_PAST));
	const before = clockOf(account);
	learnClock(account, refused(TEN_TO), before);
	expect(offset()).toBe(-600_000);
	unlearnClock(account, before);
	expect(offset()).toBe(600_000);
});

test.each([
	[30_000, false],
	[30_001, true],
	[-30_000, false],
	[-30_001, true],
	[0, false],
])('%i ms off is worth another signature: %p', (ahead, isLearnt) => {
	jest.setSystemTime(NOW + ahead);
	expect(learn(refused('Sun, 01 Mar 2026 12:00:00 GMT'))).toBe(isLearnt);
	expect(offset()).toBeCloseTo(isLearnt ? -ahead : 0);
});

test.each([
	['signature_expired', true],
	['SIGNATURE_EXPIRED', true],
	['unauthorized', true],
	[undefined, true],
	['invalid_signature', false],
	['invalid_token', false],
	['missing_signature', false],
	['missing_auth_headers', false],
	['token_inactive', false],
	['token_expired', false],
	['token_deleted', false],
])('a 401 of the code %s may mean the clock: %p', (code, may) => {
	expect(learn(refused(TEN_PAST, { code }))).toBe(may);
});

test.each([200, 400, 403, 409, 422, 429, 500, 503])('a %i does not', (status) => {
	expect(learn(refused(TEN_PAST, { status }))).toBe(false);
	expect(offset()).toBe(0);
});

test.each([undefined, '', 'yesterday'])(
	'without a Date to go by (%p) nothing is learnt',
	(date) => {
		expect(learn(refused(date))).toBe(false);
	},
);

test('an account is a token at a base URL', () => {
	const one = accountKey({ baseUrl: 'https://a.example', token: 't' });
	expect(accountKey({ baseUrl: 'https://a.example', token: 't' })).toBe(one);
	expect(accountKey({ baseUrl: 'https://b.example', token: 't' })).not.toBe(one);
	expect(accountKey({ baseUrl: 'https://a.example', token: 'u' })).not.toBe(one);
});
