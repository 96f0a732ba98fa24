import { type Answer, readAnswer } from '../../gateway/answer';
import { askedWaitMs, asksForSlowerPace, repeatOf } from '../../gateway/repetition';

const NOW = Date.parse('2026-03-01T12:00:00Z');

const answer = (status: number, headers: Record<string, string> = {}): Answer =>
	readAnswer({ status, headers, bytes: Buffer.from('{}') }, (value) => value);

const waits = (retryAfter: string, date?: string) =>
	askedWaitMs(answer(429, { 'Retry-After': retryAfter, ...(date && { Date: date }) }), NOW);

test.each([
	['0', 0],
	['1', 1_000],
	['120', 120_000],
	[' 7 ', 7_000],
	['0.5', 500],
])('seconds: %s', (retryAfter, ms) => {
	expect(waits(retryAfter)).toBe(ms);
});

test.each([
	['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
	['Sunday, 01-Mar-26 12:00:30 GMT', 30_000],
	['Sun, 01 Mar 2026 11:59:00 GMT', 0],
	['Thu, 01 Jan 1970 00:00:00 GMT', 0],
])('a date: %s', (retryAfter, ms) => {
	expect(waits(retryAfter)).toBe(ms);
});

test('a date is meant by the clock of the gateway, where it shows it', () => {
	expect(waits('Sun, 01 Mar 2026 12:00:30 GMT', 'Sun, 01 Mar 2026 12:00:20 GMT')).toBe(10_000);
	expect(waits('Sun, 01 Mar 2026 13:00:30 GMT', 'Sun, 01 Mar 2026 13:00:00 GMT')).toBe(30_000);
	expect(waits('Sun, 01 Mar 2026 12:00:30 GMT', 'no date')).toBe(30_000);
});

test.each(['', ' ', 'soon', '-1', '1e3', '10, 20', '2026-03-01', 'NaN', 'Infinity', '0x10'])(
	'%j asks for nothing',
	(retryAfter) => {
		expect(waits(retryAfter)).toBeUndefined();
	},
);

test('without the header nothing is asked for', () => {
	expect(askedWaitMs(answer(429), NOW)).toBeUndefined();
});

test.each([
	[429, {}, 'safe'],
	[429, { 'Retry-After': '5' }, 'safe'],
	[429, { 'Retry-After': 'soon' }, 'safe'],
	[503, { 'Retry-After': '5' }, 'safe'],
	[503, { 'Retry-After': 'Sun, 01 Mar 2026 12:00:30 GMT' }, 'safe'],
	[503, {}, 'unknown'],
	[503, { 'Retry-After': 'soon' }, 'unknown'],
	[500, {}, 'unknown'],
	[500, { 'Retry-After': '5' }, 'unknown'],
	[502, {}, 'unknown'],
	[504, { 'Retry-After': '5' }, 'unknown'],
	[599, {}, 'unknown'],
	[400, {}, 'never'],
	[401, {}, 'never'],
	[403, {}, 'never'],
	[404, { 'Retry-After': '5' }, 'never'],
	[409, {}, 'never'],
	[422, {}, 'never'],
	[302, {}, 'never'],
	[200, {}, 'never'],
] as Array<[number, Record<string, string>, string]>)(
	'after %i with %j another try is %s',
	(status, headers, repeat) => {
		expect(repeatOf(answer(status, headers), NOW)).toBe(repeat);
	},
);

test.each([
	[429, true],
	[503, false],
	[420, false],
	[200, false],
])('%i asks for a slower pace: %p', (status, asks) => {
	expect(asksForSlowerPace(answer(status))).toBe(asks);
});
