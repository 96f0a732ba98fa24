import { useGateway } from '../../harness/sandboxAccount';
import { json, Polling, QUIET_RUN } from '../../harness/polling';

const gateway = useGateway();

const range = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => from + index);

/** Makes the gateway list the deliveries in this range. */
function list(from: number, to: number) {
	const deferred = range(from, to).map((number) => ({ deliveryKey: String(number), number }));
	gateway.answerWith({ contentType: 'application/json', text: JSON.stringify({ deferred }) });
}

const numbers = (polled: Parameters<typeof json>[0]) => json(polled).map(({ number }) => number);

/** The warning about deliveries beyond the first 10,000. */
const warned = (count: number) =>
	`Messaging Gateway Trigger: There are more than 10000 deferred deliveries. ${count} of them are not watched until others are settled.`;

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
