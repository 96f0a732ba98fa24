import { pause } from '../../../nodes/MessagingGateway/sending/pause';

/** By the steady clock, which fake timers let begin at 0. */
const START = 0;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function paused(until: number, isOver = () => false) {
	const state = { isDone: false };
	void pause(until, isOver).then(() => (state.isDone = true));
	return state;
}

test.each([1, 249, 250, 251, 10_000])('it takes %i ms, and no less', async (ms) => {
	const state = paused(START + ms);
	await jest.advanceTimersByTimeAsync(ms - 1);
	expect(state.isDone).toBe(false);
	await jest.advanceTimersByTimeAsync(1);
	expect(state.isDone).toBe(true);
});

test.each([START, START - 1, -Infinity])('until %d, which is over, is no time', async (until) => {
	const state = paused(until);
	await jest.advanceTimersByTimeAsync(0);
	expect(state.isDone).toBe(true);
});

test('it is cut short within a second', async () => {
	let isOver = false;
	const state = paused(START + 3_600_000, () => isOver);
	await jest.advanceTimersByTimeAsync(100_000);
	expect(state.isDone).toBe(false);
	isOver = true;
	await jest.advanceTimersByTimeAsync(999);
	expect(state.isDone).toBe(true);
	expect(jest.getTimerCount()).toBe(0);
});

test('what is over beforehand does not pause', async () => {
	const state = paused(START + 1_000, () => true);
	await jest.advanceTimersByTimeAsync(0);
	expect(state.isDone).toBe(true);
});
