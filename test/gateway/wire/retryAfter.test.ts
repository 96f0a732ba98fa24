import { retryAfterMs } from '../../../gateway/wire/retryAfter';
import { response } from '../../harness/responses';

const NOW = Date.parse('2026-03-01T12:00:00Z');

const waits = (retryAfter: string, date?: string) =>
	retryAfterMs(response('', { 'Retry-After': retryAfter, ...(date && { Date: date }) }, 429), NOW);

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
	expect(waits('Sun, 01 Mar 2026 12:00:30 GMT', 'no date')).toBe(30_000);
});
