import { inLanes } from '../../../nodes/MessagingGateway/sending/lanes';

/** Performs what it is told to, when it is told to, and writes down what happened. */
function stage(laneNames: Array<string | undefined>, concurrency: number) {
	const begun: number[] = [];
	const read: number[] = [];
	const finish = new Map<number, () => void>();
	let isOver = false;
	const done = inLanes({
		count: laneNames.length,
		concurrency,
		laneOf(index) {
			read.push(index);
			return laneNames[index];
		},
		perform: async (index) => {
			begun.push(index);
			await new Promise<void>((resolve) => finish.set(index, resolve));
		},
		isOver: () => isOver,
	});
	/** Everything that can happen by now has happened. */
	const settle = async () => await new Promise((resolve) => setImmediate(resolve));
	return {
		begun,
		read,
		done,
		settle,
		finish: async (...indexes: number[]) => {
			for (const index of indexes) finish.get(index)!();
			await settle();
		},
		end: () => (isOver = true),
	};
}

test('one lane goes one after the other', async () => {
	const { begun, settle, finish, done } = stage(['a', 'a', 'a'], 10);
	await settle();
	expect(begun).toEqual([0]);
	await finish(0);
	expect(begun).toEqual([0, 1]);
	await finish(1);
	await finish(2);
	await done;
});

test('different lanes go side by side, each in its order', async () => {
	const { begun, settle, finish, done } = stage(['a', 'b', 'a', 'b', 'c'], 10);
	await settle();
	expect(begun).toEqual([0, 1, 4]);
	await finish(1);
	expect(begun).toEqual([0, 1, 4, 3]);
	await finish(0);
	expect(begun).toEqual([0, 1, 4, 3, 2]);
	await finish(2, 3, 4);
	await done;
});

test('no more than so many are under way', async () => {
	const { begun, settle, finish, done } = stage(['a', 'b', 'c', 'd'], 2);
	await settle();
	expect(begun).toEqual([0, 1]);
	await finish(1);
	expect(begun).toEqual([0, 1, 2]);
	await finish(0, 2);
	expect(begun).toEqual([0, 1, 2, 3]);
	await finish(3);
	await done;
});

test('a long queue of one lane does not keep others from their turn', async () => {
	const { begun, settle, finish, done } = stage([...Array<string>(500).fill('a'), 'b'], 2);
	await settle();
	expect(begun).toEqual([0, 500]);
	await finish(500);
	for (let index = 0; index < 500; index++) await finish(index);
	await done;
	expect(begun).toEqual([0, 500, ...Array.from({ length: 499 }, (_, index) => index + 1)]);
});

test('what is read ahead is bounded', async () => {
	const { read, settle, end, finish, done } = stage(Array<string>(12_000).fill('a'), 10);
	await settle();
	expect(read.length).toBeLessThanOrEqual(10_001);
	end();
	for (let index = 0; index < read.length; index++) await finish(index);
	await done;
});

test('each index is asked for its lane once, in order', async () => {
	const { read, settle, finish, done } = stage(['a', 'b', 'a', 'b'], 1);
	for (const index of [0, 1, 2, 3]) {
		await settle();
		await finish(index);
	}
	await done;
	expect(read).toEqual([0, 1, 2, 3]);
});

test('where there is nothing to be done, it goes on to the next', async () => {
	const { begun, read, settle, finish, done } = stage([undefined, 'a', undefined, 'a'], 1);
	await settle();
	await finish(1);
	await finish(3);
	await done;
	expect(begun).toEqual([1, 3]);
	expect(read).toEqual([0, 1, 2, 3]);
});

test('once it is over nothing more is read, and what was read is performed', async () => {
	const lanes = Array.from({ length: 5_000 }, (_, index) => String(index));
	const { begun, read, settle, finish, end, done } = stage(lanes, 2);
	await settle();
	const readBefore = [...read];
	expect(readBefore.length).toBeLessThan(1_000);
	end();
	for (const index of readBefore) await finish(index);
	await done;
	expect(read).toEqual(readBefore);
	expect(begun).toEqual(readBefore);
});

test.each([[[]], [[undefined, undefined]]])('%j are done at once', async (laneNames) => {
	const { begun, done } = stage(laneNames, 3);
	await done;
	expect(begun).toEqual([]);
});

test('ten thousand that take no time are done in order of their lanes, and do not fill the stack', async () => {
	const begun: number[] = [];
	await inLanes({
		count: 10_000,
		concurrency: 7,
		laneOf: (index) => String(index % 13),
		perform: async (index) => {
			begun.push(index);
		},
		isOver: () => false,
	});
	for (let lane = 0; lane < 13; lane++) {
		const ofLane = begun.filter((index) => index % 13 === lane);
		expect(ofLane).toEqual([...ofLane].sort((a, b) => a - b));
	}
	expect(new Set(begun).size).toBe(10_000);
});
