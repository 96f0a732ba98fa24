import type { IDataObject } from 'n8n-workflow';

import { useGateway } from '../../sandboxAccount';
import { ask, post, signatureHeaders, textTo, urlOf } from '../../sandbox/client';
import { json, Polling, QUIET_RUN } from './polling';

const gateway = useGateway();

const polling = (event: string, parameters: IDataObject = {}) =>
	new Polling(gateway.account, { event, ...parameters });

/** A message that waits, because the phone is offline; gives its key. */
async function defer(text: string, windowMs = 600_000): Promise<string> {
	gateway.setStatus('DISCONNECTED');
	const reply = await post(gateway.account, 'sendMessage', {
		...textTo('4915123456789', text),
		windowMs,
	});
	return reply.json.deliveryKey as string;
}

async function remove(key: string) {
	const headers = signatureHeaders(gateway.account, '');
	await ask(urlOf(gateway.account, `deferred/${key}`), { method: 'DELETE', headers });
}

const list = (...deferred: unknown[]) =>
	gateway.answerWith({ contentType: 'application/json', text: JSON.stringify({ deferred }) });

const keys = (items: IDataObject[]) => items.map(({ deliveryKey }) => deliveryKey);

describe('deferredAdded', () => {
	test('what waits at the first poll is not told; what comes later is, once and in order', async () => {
		await defer('old');
		const trigger = polling('deferredAdded');
		expect(await trigger.start()).toBeNull();
		expect(await trigger.poll()).toBeNull();
		const added = [await defer('one'), await defer('two')];
		const told = json(await trigger.poll());
		expect(told).toEqual(
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

	test('over restarts none is lost and none told twice', async () => {
		const trigger = polling('deferredAdded');
		await trigger.start();
		const one = await defer('one');
		expect(keys(json(await trigger.start()))).toEqual([one]);
		expect(await trigger.start()).toBeNull();
		await remove(one);
		expect(await trigger.poll()).toBeNull();
		const two = await defer('two');
		expect(keys(json(await trigger.start()))).toEqual([two]);
	});

	test('Fetch test event shows the newest that waits', async () => {
		await defer('one');
		const two = await defer('two');
		const [shown, ...more] = await polling('deferredAdded').fetchTestEvent();
		expect(more).toEqual([]);
		expect(shown).toMatchObject({ event: 'deferredAdded', deliveryKey: two, text: 'two' });
		expect(shown).not.toHaveProperty('isSample');
	});

	test('Fetch test event shows a sample where none waits', async () => {
		const shown = await polling('deferredAdded').fetchTestEvent();
		expect(shown).toMatchObject([
			{ event: 'deferredAdded', deliveryKey: 'sample', isSample: true },
		]);
		expect(shown[0]?.seenAt).toMatch(/Z$/);
	});
});

describe('deferredSettled', () => {
	test('what is gone from the list is told once, in its order, with what was known of it', async () => {
		const first = await defer('one');
		const trigger = polling('deferredSettled');
		expect(await trigger.start()).toBeNull();
		const second = await defer('two');
		expect(await trigger.poll()).toEqual(QUIET_RUN);
		expect(await trigger.poll()).toBeNull();
		gateway.setStatus('ONLINE');
		const told = json(await trigger.poll());
		expect(told).toEqual(
			[first, second].map((deliveryKey, index) => ({
				event: 'deferredSettled',
				deliveryKey,
				chatId: '4915123456789',
				type: 'text',
				text: ['one', 'two'][index],
				createdAt: expect.any(String),
				expiresAt: expect.any(String),
				firstSeenAt: expect.any(String),
				lastSeenAt: expect.any(String),
				settledAt: expect.any(String),
			})),
		);
		const times = (['firstSeenAt', 'lastSeenAt', 'settledAt'] as const).map((name) =>
			Date.parse(told[0]?.[name] as string),
		);
		expect(times).toEqual(times.toSorted((a, b) => a - b));
		expect(await trigger.poll()).toBeNull();
	});

	test('deleted and dropped deliveries have settled, too', async () => {
		const deleted = await defer('deleted');
		const dropped = await defer('dropped', 300);
		const stays = await defer('stays');
		const trigger = polling('deferredSettled');
		await trigger.start();
		await remove(deleted);
		await new Promise((resolve) => setTimeout(resolve, 350));
		expect(keys(json(await trigger.poll()))).toEqual([deleted, dropped]);
		gateway.setStatus('ONLINE');
		expect(keys(json(await trigger.poll()))).toEqual([stays]);
	});

	test('one that came and went while n8n was down or between two polls is not seen', async () => {
		const trigger = polling('deferredSettled');
		await trigger.start();
		await remove(await defer('brief'));
		expect(await trigger.poll()).toBeNull();
	});

	test('one that was seen by the schedule and settles while n8n starts anew is told', async () => {
		const trigger = polling('deferredSettled');
		await trigger.start();
		const key = await defer('one');
		await trigger.poll();
		gateway.setStatus('ONLINE');
		expect(keys(json(await trigger.start()))).toEqual([key]);
		expect(await trigger.start()).toBeNull();
	});

	test('the last that was known is told', async () => {
		const trigger = polling('deferredSettled');
		list({ deliveryKey: 'a', attempts: 1 });
		await trigger.start();
		list({ deliveryKey: 'a', attempts: 2 });
		await trigger.poll();
		list();
		expect(json(await trigger.poll())).toMatchObject([{ deliveryKey: 'a', attempts: 2 }]);
	});

	test('as long as nothing waits, nothing new is remembered', async () => {
		const trigger = polling('deferredSettled');
		await trigger.start();
		const before = trigger.remembered;
		await new Promise((resolve) => setTimeout(resolve, 5));
		await trigger.poll();
		expect(trigger.remembered).toBe(before);
	});

	test('Fetch test event shows what a delivery would look like that settles', async () => {
		const key = await defer('one');
		const trigger = polling('deferredSettled');
		const expected = {
			event: 'deferredSettled',
			firstSeenAt: expect.any(String),
			lastSeenAt: expect.any(String),
			settledAt: expect.any(String),
			isSample: true,
		};
		expect(await trigger.fetchTestEvent()).toMatchObject([{ ...expected, deliveryKey: key }]);
		gateway.setStatus('ONLINE');
		expect(await trigger.fetchTestEvent()).toMatchObject([{ ...expected, deliveryKey: 'sample' }]);
	});
});

describe.each(['deferredAdded', 'deferredSettled'])('%s', (event) => {
	/** What is told of this delivery. */
	async function told(delivery: unknown): Promise<IDataObject[]> {
		const trigger = polling(event);
		list();
		await trigger.start();
		list(delivery);
		const added = json(await trigger.poll());
		list();
		return [...added, ...json(await trigger.poll())];
	}

	test('where the gateway uses the names of ours, both are told', async () => {
		const [item] = await told({
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
		[{ delivery_key: 'a' }, { deliveryKey: 'a', delivery_key: 'a' }],
		[
			{ id: 7, text: 'x' },
			{ deliveryKey: '7', id: 7, text: 'x' },
		],
		[{ deliveryKey: 7 }, { deliveryKey: '7' }],
		[
			{ deliveryKey: '', id: 'b' },
			{ deliveryKey: 'b', id: 'b', gatewayDeliveryKey: '' },
		],
		['a', { deliveryKey: 'a' }],
	])('a delivery that is listed as %j goes by its key', async (delivery, expected) => {
		const [item, ...more] = await told(delivery);
		expect(more).toEqual([]);
		const {
			event: _,
			seenAt: __,
			firstSeenAt: ___,
			lastSeenAt: ____,
			settledAt: _____,
			...rest
		} = item!;
		expect(rest).toEqual(expected);
	});

	test('a delivery that is listed twice is told once', async () => {
		const trigger = polling(event);
		list();
		await trigger.start();
		list({ deliveryKey: 'a' }, { deliveryKey: 'b' }, { deliveryKey: 'a' });
		const added = json(await trigger.poll());
		list();
		expect(keys([...added, ...json(await trigger.poll())])).toEqual(['a', 'b']);
	});

	test('Query Parameters go along, and others mean another list', async () => {
		const key = await defer('one');
		const query = (value: string) => ({
			queryParameters: { parameters: [{ name: 'limit', value }] },
		});
		const trigger = polling(event, query('500'));
		gateway.clearRequests();
		await trigger.start();
		expect(gateway.theRequest().url).toBe(`/api/whatsapp/${gateway.token}/deferred?limit=500`);
		await remove(key);
		await defer('two');
		trigger.parameters = { event, ...query('1') };
		expect(json(await trigger.start())).toEqual([]);
	});

	test.each([
		[true, 2],
		[false, 0],
	])(
		'with Sign Deferred Requests %s, %d signature headers go along',
		async (signDeferred, count) => {
			const trigger = polling(event);
			trigger.account = { ...gateway.account, signDeferred };
			await trigger.start();
			const { headers, status } = gateway.theRequest();
			expect(status).toBe(200);
			expect(Object.keys(headers).filter((name) => name.startsWith('x-api'))).toHaveLength(count);
		},
	);
});
