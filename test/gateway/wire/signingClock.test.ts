import { clockDoubt } from '../../../gateway/responses/responseFailure';
import { SigningClock } from '../../../gateway/wire/signingClock';
import type { GatewayResponse } from '../../../gateway/wire/response';
import { response } from '../../harness/responses';

const NOW = Date.parse('2026-03-01T12:00:00Z');

/** An error response with this time in its Date header. */
const refused = (date?: string, { status = 401, code = 'signature_expired' } = {}) =>
	response(JSON.stringify({ error: code }), date === undefined ? {} : { Date: date }, status);

const TEN_PAST = 'Sun, 01 Mar 2026 12:10:00 GMT';
const TEN_TO = 'Sun, 01 Mar 2026 11:50:00 GMT';

let skew: SigningClock;
beforeEach(() => {
	jest.useFakeTimers({ now: NOW });
	skew = new SigningClock();
});
afterEach(() => jest.useRealTimers());

const offset = () => skew.signingTime - Date.now();
/** Learns from the response to a request that was signed with the local time. */
const learn = (response: GatewayResponse) => skew.learn(response, undefined, clockDoubt(response));

test.each([
	['behind', TEN_PAST, 600_000],
	['ahead of', TEN_TO, -600_000],
])('corrects a local clock that is %s the gateway’s', (word, date, ahead) => {
	expect(learn(refused(date))).toBe(true);
	expect(offset()).toBe(ahead);
	expect(skew.hint).toBe(
		`The clock of this n8n is 600 s ${word} the gateway's, so requests are signed with the gateway's time. Set the clock of the machine that runs n8n (NTP).`,
	);
	expect(new SigningClock().signingTime).toBe(NOW);
});

test('uses the local time without a hint while the local clock is correct, and forgets nothing', () => {
	learn(refused(TEN_PAST));
	jest.setSystemTime(NOW + 600_000);
	expect(offset()).toBe(0);
	expect(skew.hint).toBeUndefined();
	expect(skew.source).toBeUndefined();
	jest.setSystemTime(NOW);
	expect(skew.signingTime).toBe(NOW + 600_000);
});

describe('a 401 to a request that was signed with the gateway time', () => {
	beforeEach(() => learn(refused(TEN_PAST)));
	const learnAgain = (response: GatewayResponse) =>
		skew.learn(response, skew.source, clockDoubt(response));

	test('replaces the clock skew if its Date header shows another one', () => {
		expect(learnAgain(refused(TEN_TO))).toBe(true);
		expect(offset()).toBe(-600_000);
	});

	test.each([
		['without a Date header', undefined, 'invalid_signature'],
		['with the Date header that was signed', TEN_PAST, 'signature_expired'],
		['with another Date header and a code that is not about the time', TEN_TO, 'invalid_token'],
	])('drops the clock skew %s (%s, %s)', (_how, date, code) => {
		expect(learnAgain(refused(date, { code }))).toBe(false);
		expect(skew.source).toBeUndefined();
	});
});

test('drops only the clock skew that did not help', () => {
	learn(refused(TEN_PAST));
	const first = skew.source;
	skew.learn(refused(TEN_TO), first, 'certain');
	skew.drop(first);
	expect(offset()).toBe(-600_000);
	skew.drop(skew.source);
	expect(skew.source).toBeUndefined();
});

test.each([
	['signature_expired', 999, false],
	['signature_expired', 1_000, true],
	['invalid_signature', 30_000, false],
	['invalid_signature', 30_001, true],
])('after %s, a clock skew of %i ms needs another signature: %p', (code, ahead, isLearned) => {
	jest.setSystemTime(NOW + ahead);
	expect(learn(refused('Sun, 01 Mar 2026 12:00:00 GMT', { code }))).toBe(isLearned);
	expect(offset()).toBeCloseTo(isLearned ? -ahead : 0);
});

test('gives no hint for a clock skew of up to 30 s', () => {
	jest.setSystemTime(NOW + 30_000);
	learn(refused('Sun, 01 Mar 2026 12:00:00 GMT'));
	expect(skew.hint).toBeUndefined();
});

test('learns only from a 401 whose code does not name another reason, and with a valid Date header', () => {
	for (const other of [
		...['invalid_token', 'missing_signature'].map((code) => refused(TEN_PAST, { code })),
		...[200, 403, 500].map((status) => refused(TEN_PAST, { status })),
		...[undefined, '', 'yesterday'].map((date) => refused(date)),
	]) {
		expect(learn(other)).toBe(false);
	}
	for (const code of ['SIGNATURE_EXPIRED', 'unauthorized', 'made_up']) {
		expect(learn(refused(TEN_PAST, { code }))).toBe(true);
	}
});

describe('a clock skew of more than 24 hours', () => {
	const HOUR_MS = 3_600_000;
	const date = (hours: number) => new Date(NOW + hours * HOUR_MS).toUTCString();

	test.each([25, -25, 23, -23])('of %i hours is only learned if it is not larger', (hours) => {
		const isLearned = Math.abs(hours) < 24;
		expect(learn(refused(date(hours)))).toBe(isLearned);
		expect(offset()).toBe(isLearned ? hours * HOUR_MS : 0);
	});

	test('is not learned in steps', () => {
		expect(learn(refused(date(20)))).toBe(true);
		expect(skew.learn(refused(date(40)), skew.source, 'certain')).toBe(false);
		expect(offset()).toBe(0);
	});
});
