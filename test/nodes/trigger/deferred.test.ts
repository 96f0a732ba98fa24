import type { IDataObject } from 'n8n-workflow';

import { useNewGateways } from '../../harness/sandboxAccount';
import { post, textTo } from '../../harness/client';
import { json, Polling, QUIET_RUN } from '../../harness/polling';
import { useVirtualTime } from '../../harness/virtualTime';
import { quiet } from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways();

const polling = (event: string, parameters: IDataObject = {}) =>
	new Polling(gateway.account, { event, ...parameters });

/** Defers a message while the phone is offline; returns its key. */
async function defer(text: string, windowMs = 600_000): Promise<string> {
	gateway.setStatus('DISCONNECTED');
	const reply = await post(gateway.account, 'sendMessage', {
		...textTo('4915123456789', text),
		windowMs,
	});
	return reply.json.deliveryKey as string;
}

const list = (...deferred: unknown[]) =>
	gateway.answerWith({ contentType: 'application/json', text: JSON.stringify({ deferred }) });

/** A missing delivery counts as gone after a second poll. */
const twoPolls = async (trigger: Polling) => [
	...json(await trigger.poll()),
	...json(await trigger.poll()),
];

const keys = (items: IDataObject[]) => items.map(({ deliveryKey }) => deliveryKey);

describe('deferredAdded', () => {
	test('reports deliveries that are added after the first poll, once and in order', async () => {
		await defer('old');
		const trigger = polling('deferredAdded');
		expect(await trigger.start()).toBeNull();
		expect(await trigger.poll()).toBeNull();
		const added = [await defer('one'), await defer('two')];
		const reported = json(await trigger.poll());
		expect(reported).toEqual(
			['one', 'two'].map((text, index) => ({
				event: 'deferredAdded',
				deliveryKey: added[index],
				chatId: '4915123456789',
				type: 'text',
				text,
				createdAt: expect.any(String),
				expiresAt: expect.any(String),
				seenAt: expect.stringMatching(/^\d{4}-.*Z$/),
			})),
		);
		expect(await trigger.poll()).toBeNull();
	});
});

describe('deferredSettled', () => {
	test('reports deliveries that have left the list, once and in order', async () => {
		const now = () => new Date().toISOString();
		const first = await defer('one');
		const trigger = polling('deferredSettled');
		const startedAt = now();
		expect(await trigger.start()).toBeNull();
		const second = await defer('two');
		await quiet(20);
		const lastSeenAt = now();
		expect(await trigger.poll()).toEqual(QUIET_RUN);
		await quiet(20);
		gateway.setStatus('ONLINE');
		const settledAt = now();
		expect(await trigger.poll()).toBeNull();
		await quiet(20);
		const common = {
			...{ event: 'deferredSettled', chatId: '4915123456789', type: 'text', lastSeenAt, settledAt },
			...{ createdAt: expect.any(String), expiresAt: expect.any(String) },
		};
		expect(json(await trigger.poll())).toEqual([
			{ ...common, deliveryKey: first, text: 'one', firstSeenAt: startedAt },
			{ ...common, deliveryKey: second, text: 'two', firstSeenAt: lastSeenAt },
		]);
		expect(await trigger.poll()).toBeNull();
	});

	test('reports the last known data', async () => {
		const trigger = polling('deferredSettled');
		list({ deliveryKey: 'a', attempts: 1 });
		await trigger.start();
		list({ deliveryKey: 'a', attempts: 2 });
		await trigger.poll();
		list();
		expect(await twoPolls(trigger)).toMatchObject([{ deliveryKey: 'a', attempts: 2 }]);
	});

	test('does not change the state while nothing is waiting', async () => {
		const trigger = polling('deferredSettled');
		await trigger.start();
		const before = trigger.remembered;
		await quiet(5);
		await trigger.poll();
		expect(trigger.remembered).toBe(before);
	});
});

describe.each(['deferredAdded', 'deferredSettled'])('%s', (event) => {
	test('Fetch test event shows a delivery, or a sample while nothing is waiting', async () => {
		const sample = { event, deliveryKey: 'sample', isSample: true };
		expect(await polling(event).fetchTestEvent()).toMatchObject([sample]);
		await defer('one');
		const deliveryKey = await defer('two');
		const shown = await polling(event).fetchTestEvent();
		expect(shown).toMatchObject([{ event, deliveryKey, text: 'two' }]);
		expect(shown[0]!.isSample).toBe(event === 'deferredAdded' ? undefined : true);
	});

	/** The events for this delivery. */
	async function reported(delivery: unknown): Promise<IDataObject[]> {
		const trigger = polling(event);
		list();
		await trigger.start();
		list(delivery);
		const added = json(await trigger.poll());
		list();
		return [...added, ...(await twoPolls(trigger))];
	}

	test('reports both values if the gateway uses the same field names', async () => {
		const [item] = await reported({
			deliveryKey: 'a',
			event: 'theirs',
			seenAt: 1,
			settledAt: 2,
			error: 'offline',
			gatewayEvent: 'more',
		});
		expect(item).toMatchObject({
			event,
			deliveryKey: 'a',
			gatewayGatewayEvent: 'theirs',
			gatewayEvent: 'more',
			gatewayError: 'offline',
			...(event === 'deferredAdded'
				? { gatewaySeenAt: 1, seenAt: expect.any(String), settledAt: 2 }
				: { gatewaySettledAt: 2, settledAt: expect.any(String), seenAt: 1 }),
		});
		expect(item).not.toHaveProperty('error');
	});

	test.each([
		[
			{ deliveryKey: '', id: 7, text: 'x' },
			{ deliveryKey: '7', id: 7, text: 'x', gatewayDeliveryKey: '' },
		],
		['a', { deliveryKey: 'a' }],
	])('identifies a delivery listed as %j by its key', async (delivery, expected) => {
		const [item, ...more] = await reported(delivery);
		expect(more).toEqual([]);
		for (const own of ['event', 'seenAt', 'firstSeenAt', 'lastSeenAt', 'settledAt']) {
			delete item![own];
		}
		expect(item).toEqual(expected);
	});

	test('reports a delivery that is listed twice only once', async () => {
		const trigger = polling(event);
		list();
		await trigger.start();
		list({ deliveryKey: 'a' }, { deliveryKey: 'b' }, { deliveryKey: 'a' });
		const added = json(await trigger.poll());
		list();
		expect(keys([...added, ...(await twoPolls(trigger))])).toEqual(['a', 'b']);
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
});

describe('a list that leaves out deliveries', () => {
	const all = ['a', 'b', 'c'].map((deliveryKey) => ({ deliveryKey }));

	test.each(['deferredAdded', 'deferredSettled'])(
		'%s reports nothing if they are back in the next one',
		async (event) => {
			list(...all);
			const trigger = polling(event);
			await trigger.start();
			// A run that is saved before n8n restarts must not confirm what is missing afterwards.
			for (const poll of [() => trigger.poll(), () => trigger.start(), () => trigger.start()]) {
				list(all[2]);
				expect(json(await poll())).toEqual([]);
				list(...all);
				expect(json(await trigger.poll())).toEqual([]);
			}
			expect(await trigger.poll()).toBeNull();
		},
	);

	test('settles each after its own second list', async () => {
		list(...all);
		const trigger = polling('deferredSettled');
		await trigger.start();
		const settled: unknown[] = [];
		for (const left of [['b', 'c'], ['a', 'c'], ['a'], ['a'], [], ['c'], []]) {
			list(...left);
			settled.push(keys(json(await trigger.poll())));
		}
		expect(settled).toEqual([[], [], ['b'], ['c'], [], ['a'], []]);
	});

	test('makes deliveries new that are added again later', async () => {
		list(...all);
		const trigger = polling('deferredAdded');
		await trigger.start();
		list();
		expect(await twoPolls(trigger)).toEqual([]);
		list(...all);
		expect(keys(json(await trigger.poll()))).toEqual(['a', 'b', 'c']);
	});
});
