import { steadyClock } from '../../../nodes/MessagingGateway/request/steadyClock';

/** By the monotonic clock, which starts at 0 with fake timers. */
const START = 0;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function sleeping(until: number, signal = new AbortController().signal) {
	const state = { isDone: false };
	void steadyClock.sleepUntil(until, signal).then(() => (state.isDone = true));
	return state;
}

test.each([1, 250, 251, 10_000])('waits %i ms, and no less', async (ms) => {
	const state = sleeping(START + ms);
	await jest.advanceTimersByTimeAsync(ms - 1);
	expect(state.isDone).toBe(false);
	await jest.advanceTimersByTimeAsync(1);
	expect(state.isDone).toBe(true);
});

test.each([
	['a time in the past', START, undefined],
	['a signal that is already aborted', START + 1_000, AbortSignal.abort()],
])('does not wait with %s', async (_what, until, signal) => {
	const state = sleeping(until, signal);
	await jest.advanceTimersByTimeAsync(0);
	expect(state.isDone).toBe(true);
});

test('ends within a second if it is aborted', async () => {
	const abort = new AbortController();
	const state = sleeping(START + 3_600_000, abort.signal);
	await jest.advanceTimersByTimeAsync(100_000);
	expect(state.isDone).toBe(false);
	abort.abort();
	await jest.advanceTimersByTimeAsync(999);
	expect(state.isDone).toBe(true);
	expect(jest.getTimerCount()).toBe(0);
});
