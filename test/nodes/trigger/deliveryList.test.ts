import { depth } from '../../harness/depth';
import { useGateway } from '../../harness/sandboxAccount';
import { json, Polling, QUIET_RUN } from '../../harness/polling';

const gateway = useGateway();

const delivery = (number: number, text: string) => ({
	deliveryKey: `3f1c9a52-7d0e-4b86-9c1f-${String(number).padStart(12, '0')}`,
	chatId: `49151${String(number).padStart(8, '0')}`,
	type: 'text',
	text: `${number}: ${text}`,
	createdAt: '2026-01-01T00:00:00.000Z',
	expiresAt: '2026-01-08T00:00:00.000Z',
});

const range = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => from + index);

const MANY_FIELDS = Object.fromEntries(range(0, 30).map((number) => [`field${number}`, number]));

/** Makes the gateway list the deliveries in this range. */
function list(from: number, to: number, text = 'Hello', more: Record<string, number> = {}) {
	const deferred = range(from, to).map((number) => ({ ...delivery(number, text), ...more }));
	gateway.faults([
		{ body: { contentType: 'application/json', text: JSON.stringify({ deferred }) } },
	]);
}

const numbers = (polled: Parameters<typeof json>[0]) =>
	json(polled).map(({ text }) => Number((text as string).split(':')[0]));

/** The warning about deliveries beyond the first 10,000. */
const warned = (count: number) =>
	`Messaging Gateway Trigger: There are more than 10000 deferred deliveries. ${count} of them are not watched until others are settled.`;

/** As many as the trigger watches, in deep runs. */
const MANY = depth(500, 10_000);

/** With quotes and line breaks, which are escaped twice in stored JSON. */
const LONG_TEXT = 'She said: "\\o/"\n'.repeat(40);

test.each(['deferredAdded', 'deferredSettled'])(
	`%s polls ${MANY} deliveries in seconds of CPU time, not minutes`,
	async (event) => {
		list(0, MANY, LONG_TEXT);
		const trigger = new Polling(gateway.account, { event });
		await trigger.start();
		const seconds: number[] = [];
		for (let times = 0; times < 3; times++) {
			// CPU time, gateway included: wall-clock time depends on the load of the machine. About 0.4 s, 1.2 s on a busy one.
			const before = process.cpuUsage();
			expect(await trigger.poll()).toBeNull();
			const { user, system } = process.cpuUsage(before);
			seconds.push((user + system) / 1e6);
		}
		expect(Math.min(...seconds)).toBeLessThan(10);
		expect(trigger.warnings).toEqual([]);
	},
);

test.each(['deferredAdded', 'deferredSettled'])(
	`%s stores ${MANY} deliveries in less than 600 bytes each, even if they have more data than it keeps`,
	async (event) => {
		list(0, MANY, LONG_TEXT, MANY_FIELDS);
		const trigger = new Polling(gateway.account, { event });
		await trigger.start();
		expect(Buffer.byteLength(trigger.saved) / MANY).toBeLessThan(600);
		list(0, 0);
		await trigger.poll();
		expect(numbers(await trigger.poll())).toEqual(event === 'deferredAdded' ? [] : range(0, MANY));
	},
);

test('deferredAdded reports deliveries beyond 10,000 later, and once', async () => {
	const trigger = new Polling(gateway.account, { event: 'deferredAdded' });
	list(0, 9_000);
	await trigger.start();
	list(0, 11_000);
	expect(numbers(await trigger.poll())).toEqual(range(9_000, 10_000));
	expect(trigger.warnings).toEqual([expect.stringContaining(warned(1_000))]);
	expect(await trigger.poll()).toBeNull();
	list(400, 11_000);
	expect(json(await trigger.start())).toEqual([]);
	expect(numbers(await trigger.start())).toEqual(range(10_000, 10_400));
	list(5_000, 11_000);
	expect(await trigger.poll()).toBeNull();
	expect(numbers(await trigger.poll())).toEqual(range(10_400, 11_000));
	expect(await trigger.poll()).toBeNull();
	expect(trigger.warnings).toHaveLength(5);
});

test('deferredSettled tracks deliveries beyond 10,000 when others have settled', async () => {
	const trigger = new Polling(gateway.account, { event: 'deferredSettled' });
	list(0, 11_000);
	expect(await trigger.start()).toBeNull();
	expect(trigger.warnings).toEqual([expect.stringContaining(warned(1_000))]);
	list(2_000, 11_000);
	expect(await trigger.poll()).toBeNull();
	expect(numbers(await trigger.poll())).toEqual(range(0, 2_000));
	list(11_000, 11_000);
	expect(numbers(await trigger.start())).toEqual([]);
	expect(numbers(await trigger.start())).toEqual(range(2_000, 11_000));
	list(0, 1);
	expect(await trigger.poll()).toEqual(QUIET_RUN);
});
