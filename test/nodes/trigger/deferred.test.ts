import type { IDataObject } from 'n8n-workflow';

import { useNewGateways } from '../../harness/sandboxAccount';
import { post, textTo } from '../../harness/client';
import { json, Polling } from '../../harness/polling';
import { useVirtualTime } from '../../harness/virtualTime';

useVirtualTime();
const gateway = useNewGateways();

const polling = (event: string, parameters: IDataObject = {}) =>
	new Polling(gateway.account, { event, ...parameters });

/** Defers a message while the phone is offline; returns its key. */
async function defer(text: string): Promise<string> {
	gateway.setStatus('DISCONNECTED');
	const message = { ...textTo('4915123456789', text), windowMs: 600_000 };
	return (await post(gateway.account, 'sendMessage', message)).json.deliveryKey as string;
}

const list = (...deferred: unknown[]) =>
	gateway.answerWith({ contentType: 'application/json', text: JSON.stringify({ deferred }) });

/** A missing delivery counts as gone after a second poll. */
const twoPolls = async (trigger: Polling) => [
	...json(await trigger.poll()),
	...json(await trigger.poll()),
];
const now = () => new Date().toISOString();

describe('deferredSettled', () => {
	test('reports the last known data', async () => {
		const trigger = polling('deferredSettled');
		list({ deliveryKey: 'a', attempts: 1 });
		await trigger.start();
		list({ deliveryKey: 'a', attempts: 2 });
		await trigger.poll();
		list();
		expect(await twoPolls(trigger)).toMatchObject([{ deliveryKey: 'a', attempts: 2 }]);
	});
});

describe.each(['deferredAdded', 'deferredSettled'])('%s', (event) => {
	test('Fetch test event shows a delivery, or a sample while nothing is waiting', async () => {
		const sample = { event, deliveryKey: 'sample', chatId: '447700900123', isSample: true };
		expect(await polling(event).fetchTestEvent()).toMatchObject([sample]);
		await defer('one');
		const deliveryKey = await defer('two');
		const shown = await polling(event).fetchTestEvent();
		expect(shown).toMatchObject([{ event, deliveryKey, text: 'two' }]);
		expect(shown[0]!.isSample).toBe(event === 'deferredAdded' ? undefined : true);
	});

	/** The events for these deliveries. */
	async function reported(...deliveries: unknown[]): Promise<IDataObject[]> {
		const trigger = polling(event);
		list();
		await trigger.start();
		list(...deliveries);
		const added = json(await trigger.poll());
		list();
		return [...added, ...(await twoPolls(trigger))];
	}

	test('reports both values if the gateway uses the same field names', async () => {
		const theirs = { event: 'theirs', seenAt: 1, settledAt: 2, error: 'offline' };
		const [item] = await reported({ deliveryKey: '', id: 7, ...theirs, gatewayEvent: 'more' });
		expect(item).toMatchObject({
			...{ event, gatewayGatewayEvent: 'theirs', gatewayEvent: 'more', gatewayError: 'offline' },
			...{ deliveryKey: '7', gatewayDeliveryKey: '' },
			...(event === 'deferredAdded'
				? { gatewaySeenAt: 1, seenAt: now(), settledAt: 2 }
				: { gatewaySettledAt: 2, settledAt: expect.any(String), seenAt: 1 }),
		});
		expect(item).not.toHaveProperty('error');
	});

	test('sends Query Parameters, and sets a new baseline if they change', async () => {
		await defer('one');
		const query = (value: string) => ({
			queryParameters: { parameters: [{ name: 'limit', value }] },
		});
		const trigger = polling(event, query('500'));
		gateway.clearRequests();
		await trigger.start();
		expect(gateway.theRequest().url).toBe(`/api/whatsapp/${gateway.token}/deferred?limit=500`);
		await defer('two');
		trigger.parameters = { event, ...query('1') };
		expect(json(await trigger.start())).toEqual([]);
	});

	test('reports nothing if deliveries that a list leaves out are back in the next one', async () => {
		list('a', 'b', 'c');
		const trigger = polling(event);
		await trigger.start();
		// A run that is saved before n8n restarts must not confirm what is missing afterwards.
		for (const poll of [() => trigger.poll(), () => trigger.start(), () => trigger.start()]) {
			list('c');
			expect(json(await poll())).toEqual([]);
			list('a', 'b', 'c');
			expect(json(await trigger.poll())).toEqual([]);
		}
		expect(await trigger.poll()).toBeNull();
	});
});

describe('of more than 10,000 deliveries', () => {
	const range = (from: number, to: number) =>
		Array.from({ length: to - from }, (_, index) => from + index);
	const listRange = (from: number, to: number) =>
		list(...range(from, to).map((number) => ({ deliveryKey: String(number), number })));
	const numbers = (polled: Parameters<typeof json>[0]) => json(polled).map(({ number }) => number);
	const WARNING =
		'Messaging Gateway Trigger: There are more than 10000 deferred deliveries. 1000 of them are not watched until others are settled.';

	test('deferredAdded reports the others later, and once', async () => {
		const trigger = polling('deferredAdded');
		listRange(0, 9_000);
		await trigger.start();
		listRange(0, 11_000);
		expect(numbers(await trigger.poll())).toEqual(range(9_000, 10_000));
		expect(trigger.warnings).toEqual([expect.stringContaining(WARNING)]);
		expect(await trigger.poll()).toBeNull();
		listRange(400, 11_000);
		expect(json(await trigger.start())).toEqual([]);
		expect(numbers(await trigger.start())).toEqual(range(10_000, 10_400));
		listRange(5_000, 11_000);
		expect(await trigger.poll()).toBeNull();
		expect(numbers(await trigger.poll())).toEqual(range(10_400, 11_000));
		expect(trigger.warnings).toHaveLength(5);
	});
});
