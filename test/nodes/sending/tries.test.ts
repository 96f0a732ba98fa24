import { Brake } from '../../../nodes/MessagingGateway/sending/brake';
import { Pace } from '../../../nodes/MessagingGateway/sending/pace';
import {
	type Attempt,
	type End,
	type Setback,
	type TrySettings,
	untilDone,
} from '../../../nodes/MessagingGateway/sending/tries';

beforeEach(() => {
	jest.useFakeTimers();
	jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

const done: Attempt<string> = { result: 'done' };
const safe = (rest: Partial<Setback> = {}): Setback => ({ thrown: 'no', repeat: 'safe', ...rest });
const ambiguous = (rest: Partial<Setback> = {}): Setback => ({
	thrown: 'cut',
	repeat: 'unknown',
	...rest,
});
const final: Setback = { thrown: 'never', repeat: 'never' };

const every = (intervalMs: number) =>
	new Pace({ intervalMs, jitter: 0, batch: { size: 1, breakMs: 0 } });

interface Play {
	isRepeatable?: boolean;
	settings?: Partial<TrySettings>;
}

interface Played {
	/** In milliseconds from where it began. */
	startedAt: number[];
	end: End<string> | undefined | 'not yet';
}

/** Answers each try with the next of these, and the last one for ever. */
function begin(answers: Array<Attempt<string>>, { isRepeatable = false, settings }: Play = {}) {
	const played: Played = { startedAt: [], end: 'not yet' };
	const { startedAt } = played;
	const origin = performance.now();
	const task = {
		isRepeatable,
		attempt: async () => {
			startedAt.push(performance.now() - origin);
			return answers[Math.min(startedAt.length, answers.length) - 1]!;
		},
	};
	void untilDone(task, {
		maxTries: 3,
		maxWaitMs: 60_000,
		pace: every(0),
		brake: new Brake(),
		isOver: () => false,
		isStopping: () => false,
		...settings,
	}).then((end) => (played.end = end));
	return played;
}

async function play(answers: Array<Attempt<string>>, how?: Play): Promise<Played> {
	const played = begin(answers, how);
	await jest.advanceTimersByTimeAsync(120_000);
	return played;
}

test('what is done at the first try is not tried again', async () => {
	expect(await play([done])).toEqual({ startedAt: [0], end: { result: 'done' } });
});

test('what is safe is tried again until it is done', async () => {
	const { startedAt, end } = await play([safe({ waitMs: 100 }), safe({ waitMs: 300 }), done]);
	expect(startedAt).toEqual([0, 100, 400]);
	expect(end).toEqual({ result: 'done' });
});

test('it is given up after so many tries, with the last reason', async () => {
	const last = safe({ thrown: 'last' });
	const { startedAt, end } = await play([safe(), safe(), last]);
	expect(startedAt).toHaveLength(3);
	expect(end).toEqual({
		thrown: 'last',
		repeat: 'safe',
		tries: 3,
		isUnknown: false,
		isRepeatable: false,
	});
});

test('what would be refused again is not tried again, repeatable or not', async () => {
	for (const isRepeatable of [false, true]) {
		expect(await play([final, done], { isRepeatable })).toEqual({
			startedAt: [0],
			end: { thrown: 'never', repeat: 'never', tries: 1, isUnknown: false, isRepeatable },
		});
	}
});

test('what may have been done is tried again only where that does no harm', async () => {
	expect(await play([ambiguous(), done])).toEqual({
		startedAt: [0],
		end: { thrown: 'cut', repeat: 'unknown', tries: 1, isUnknown: true, isRepeatable: false },
	});
	expect((await play([ambiguous(), done], { isRepeatable: true })).end).toEqual({ result: 'done' });
});

test('unknown it stays, whatever comes after', async () => {
	expect((await play([ambiguous(), final], { isRepeatable: true })).end).toEqual({
		thrown: 'never',
		repeat: 'never',
		tries: 2,
		isUnknown: true,
		isRepeatable: true,
	});
});

test.each([
	// Half to all of 500 ms, doubled with each try; luck is at its least and near its most.
	[0, [0, 500, 1_500, 3_500, 7_500]],
	[0.999_999, [0, 250, 750, 1_750, 3_750]],
])('without a word of how long, the waits grow (luck %d)', async (luck, expected) => {
	jest.spyOn(Math, 'random').mockReturnValue(luck);
	const { startedAt } = await play([safe()], { settings: { maxTries: 5 } });
	startedAt.forEach((at, index) => expect(Math.abs(at - expected[index]!)).toBeLessThan(5));
	expect(startedAt).toHaveLength(5);
});

test.each([
	['what the gateway asks for', safe({ waitMs: 3_600_000 })],
	['a wait that has grown', safe()],
])('%s is capped', async (_what, setback) => {
	const { startedAt } = await play([setback], { settings: { maxTries: 4, maxWaitMs: 400 } });
	expect(startedAt).toEqual([0, 400, 800, 1_200]);
});

test('asked to wait no time, it waits none', async () => {
	expect((await play([safe({ waitMs: 0 }), done])).startedAt).toEqual([0, 0]);
});

test.each([
	['a refusal of the pace', true, 1_999, 2_500],
	['another setback', false, 0, 500],
])('%s holds all that share the brake: %p', async (_what, isBrake, least, most) => {
	const brake = new Brake();
	const refused = begin([safe({ waitMs: 2_000, isBrake }), done], { settings: { brake } });
	await jest.advanceTimersByTimeAsync(1);
	const other = await play([done], { settings: { brake } });
	expect(other.startedAt[0]).toBeGreaterThanOrEqual(least);
	expect(other.startedAt[0]).toBeLessThan(most);
	expect(refused.end).toEqual({ result: 'done' });
});

test('every try takes its place in the pace', async () => {
	const { startedAt } = await play([safe({ waitMs: 0 }), safe({ waitMs: 0 }), done], {
		settings: { pace: every(1_000) },
	});
	expect(startedAt).toEqual([0, 1_000, 2_000]);
});

test('a stop keeps it from being begun', async () => {
	expect(await play([done], { settings: { isStopping: () => true } })).toEqual({
		startedAt: [],
		end: undefined,
	});
});

test('what is under way when others stop is brought to its end', async () => {
	const { startedAt, end } = await play([safe({ waitMs: 1_000 }), done], {
		settings: {
			isStopping: () => performance.now() > 500,
		},
	});
	expect(startedAt).toEqual([0, 1_000]);
	expect(end).toEqual({ result: 'done' });
});

test('once it is over, nothing is tried any more, and what is known of it is told', async () => {
	const { startedAt, end } = await play([ambiguous({ waitMs: 10_000 }), done], {
		isRepeatable: true,
		settings: { isOver: () => performance.now() > 1_000, isStopping: () => false },
	});
	expect(startedAt).toEqual([0]);
	expect(end).toEqual({
		thrown: 'cut',
		repeat: 'unknown',
		waitMs: 10_000,
		tries: 1,
		isUnknown: true,
		isRepeatable: true,
	});
});
