import { steadyClock } from '../../../nodes/MessagingGateway/request/steadyClock';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** The monotonic clock starts at 0 with fake timers. */
function sleeping(until: number, signal = new AbortController().signal) {
	const state = { isDone: false };
	void steadyClock.sleepUntil(until, signal).then(() => (state.isDone = true));
	return state;
}

test.each([-1, 1, 251])('waits %i ms, and no less', async (ms) => {
	const state = sleeping(ms);
	await jest.advanceTimersByTimeAsync(Math.max(0, ms - 1));
	expect(state.isDone).toBe(ms <= 0);
	await jest.advanceTimersByTimeAsync(1);
	expect(state.isDone).toBe(true);
});

test('ends within a second if it is aborted', async () => {
	const abort = new AbortController();
	const state = sleeping(3_600_000, abort.signal);
	await jest.advanceTimersByTimeAsync(100_000);
	expect(state.isDone).toBe(false);
	abort.abort();
	await jest.advanceTimersByTimeAsync(999);
	expect(state.isDone).toBe(true);
	expect(jest.getTimerCount()).toBe(0);
});
