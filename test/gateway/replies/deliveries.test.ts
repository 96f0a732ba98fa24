import fc from 'fast-check';

import {
	completeDeliveryList,
	deferredDelivery,
	listedDeliveries,
} from '../../../gateway/replies/deliveries';
import { isObject } from '../../../gateway/json';
import { readResponse } from '../../../gateway/wire/response';
import { anyJson, gatewayLike, response, unredacted } from '../../harness/responses';

const deferredDeliveries = (data: unknown) => listedDeliveries(data)?.map(({ fields }) => fields);

describe('the list of deferred deliveries', () => {
	const deliveries = [
		{ deliveryKey: 'a', chatId: '49' },
		{ deliveryKey: 'b', attempts: [1, 2] },
	];

	test.each<[string, unknown]>([
		['an unknown name', { success: true, myDeliveries: deliveries }],
		['a list inside deferred', { deferred: { items: deliveries, total: 2 } }],
		['next to messages for the user', { messages: ['Restarting'], data: deliveries }],
		['next to an empty field', { deferred: null, data: deliveries }],
	])('is found: %s', (_, data) => {
		const keys = deferredDeliveries(data)?.map(({ deliveryKey }) => deliveryKey);
		expect(keys).toEqual(['a', 'b']);
	});

	test('has all fields of a delivery', () => {
		expect(deferredDeliveries({ data: { items: deliveries } })).toEqual(deliveries);
	});

	test.each<[unknown]>([
		[{ data: [] }],
		[{ deferred: [], total: 0 }],
		[{ deferred: {} }],
		[{ data: { items: [] } }],
		[null],
	])('is empty in %j', (data) => {
		expect(deferredDeliveries(data)).toEqual([]);
	});

	test('may contain only keys', () => {
		const keys = [{ deliveryKey: 'a' }, { deliveryKey: 5 }];
		for (const name of ['deferred', 'deliveryKeys', 'delivery_keys', 'items']) {
			expect(deferredDeliveries({ success: true, [name]: ['a', 5] })).toEqual(keys);
			expect(deferredDeliveries({ data: { [name]: ['a', 5] } })).toEqual(keys);
		}
	});

	test('is a single delivery without a list', () => {
		expect(deferredDeliveries({ deliveryKey: 'a', chatId: '49' })).toEqual([
			{ deliveryKey: 'a', chatId: '49' },
		]);
	});

	test.each<[unknown]>([
		['pong'],
		[{ messages: [{ text: 'The gateway restarts' }] }],
		[{ services: [{ id: 'database', up: false }] }],
		[{ data: { database: { up: false } } }],
		[{ waiting: ['a', 'b'] }],
		[{ deferred: 'none' }],
		[{ data: null, total: 5 }],
		[{ deferred: ['a', null] }],
		[{ data: ['The gateway restarts'] }],
		[{ messages: [] }],
		[{ deferred: { a: { chatId: '49' } } }],
		[[{ chatId: '49' }]],
	])('is not found in %j', (data) => {
		expect(deferredDeliveries(data)).toBeUndefined();
	});

	test.each<[unknown]>([
		[{ success: true, data: { deferred: {} } }],
		[{ data: { items: {}, page: {} } }],
	])('is empty for an empty object: %j', (data) => {
		expect(deferredDeliveries(data)).toEqual([]);
	});

	test('is a single delivery in an envelope', () => {
		expect(deferredDeliveries({ data: { deliveryKey: 'a', chatId: '49' } })).toEqual([
			{ deliveryKey: 'a', chatId: '49' },
		]);
	});

	test('is not a list inside a single delivery in an envelope', () => {
		const delivery = { deliveryKey: 'a', messages: [{ text: 'Hello' }] };
		expect(deferredDeliveries({ data: delivery })).toEqual([delivery]);
	});

	test('is found under an unknown name inside an envelope', () => {
		expect(deferredDeliveries({ success: true, data: { myDeliveries: deliveries } })).toEqual(
			deliveries,
		);
	});

	// Gateways written in Go return null for an empty list.
	test.each<[unknown]>([
		[{ deferred: null }],
		[{ success: true, data: { items: null, total: 0 } }],
		[{}],
		[{ success: true, count: 0 }],
	])('is empty for a response without a delivery: %j', (data) => {
		expect(deferredDeliveries(data)).toEqual([]);
	});

	test('is not a list inside a single delivery', () => {
		const attempts = [{ at: 1 }, { at: 2 }];
		for (const delivery of [
			{ deliveryKey: 'a', attempts },
			{ delivery_key: 'a', messages: attempts },
			{ deliveryKey: 'a', data: attempts },
		]) {
			expect(deferredDeliveries(delivery)).toEqual([delivery]);
		}
	});

	// Looking into each of 100,000 entries several times would block n8n for seconds.
	test.each(['deferred', 'deliveries', 'data'])(
		'reads each field of a list named %s at most twice',
		(name) => {
			let reads = 0;
			const delivery = Object.defineProperty({}, 'id', {
				enumerable: true,
				get: () => String(++reads),
			});
			expect(deferredDeliveries({ [name]: Array(1_000).fill(delivery) })).toHaveLength(1_000);
			expect(reads).toBeLessThanOrEqual(2_000);
		},
	);

	test('is cut after 100,000 deliveries', () => {
		const keys = Array.from({ length: 100_001 }, (_, index) => index);
		const found = deferredDeliveries({ deferred: keys });
		expect(found).toHaveLength(100_000);
		expect(found?.at(-1)).toEqual({ deliveryKey: 99_999 });
	});

	test('contains objects or is undefined, for any data', () => {
		fc.assert(
			fc.property(fc.oneof(anyJson(), gatewayLike()), (data) => {
				for (const delivery of deferredDeliveries(data) ?? []) {
					expect(isObject(delivery)).toBe(true);
				}
			}),
			{ numRuns: 300 },
		);
	});
});

describe('one deferred delivery', () => {
	const delivery = { deliveryKey: 'a', status: 'WAITING', text: 'Hello' };

	test.each<[string, unknown]>([
		['bare', delivery],
		['data', { success: true, data: delivery }],
		['item inside data', { data: { item: delivery } }],
		['result', { status: 'ok', result: delivery }],
		['a list of one', [delivery]],
	])('is taken out of its envelope: %s', (_, data) => {
		expect(deferredDelivery(data)).toEqual(delivery);
	});

	test.each(['deliveryKey', 'key'])('is recognized by its %s', (name) => {
		expect(deferredDelivery({ ok: true, data: { [name]: 'a' } })).toEqual({ [name]: 'a' });
	});

	test('is the whole response if nothing in it looks like a delivery', () => {
		expect(deferredDelivery({ success: true, data: { x: 1 } })).toEqual({
			success: true,
			data: { x: 1 },
		});
	});

	test('is not reduced to its payload if it has no key', () => {
		const delivery = { chatId: '49', status: 'WAITING', payload: { text: 'Hello' } };
		expect(deferredDelivery(delivery)).toEqual(delivery);
	});

	test('is the outermost object with a key', () => {
		const inner = { deliveryKey: 'b' };
		expect(deferredDelivery({ data: { deliveryKey: 'a', result: inner } })).toEqual({
			deliveryKey: 'a',
			result: inner,
		});
		expect(deferredDelivery({ id: 'request-1', data: { delivery_key: 'a' } })).toEqual({
			delivery_key: 'a',
		});
	});

	test.each<[unknown]>([
		[null],
		['gone'],
		[[]],
		[[delivery, delivery]],
		[['a']],
		[{}],
		[{ status: 'success', data: null }],
		[{ success: true, delivery: null }],
	])('is not found in %j', (data) => {
		expect(deferredDelivery(data)).toBeUndefined();
	});

	test.each<[string, Record<string, unknown>]>([
		['its payload', { deliveryKey: 'a', payload: { chatId: '49', text: 'Hello' } }],
		['its result', { deliveryKey: 'a', result: { id: 'message-1' } }],
		['its data', { deliveryKey: 'a', data: { id: 5 } }],
	])('is not replaced by a part of itself: %s', (_, data) => {
		expect(deferredDelivery(data)).toEqual(data);
	});

	test('is an object or undefined, for any data', () => {
		fc.assert(
			fc.property(fc.oneof(anyJson(), gatewayLike()), (data) => {
				const found = deferredDelivery(data);
				if (found !== undefined) expect(isObject(found)).toBe(true);
			}),
			{ numRuns: 300 },
		);
	});
});

describe('the waiting deliveries', () => {
	const waiting = (text: string, status = 200) =>
		completeDeliveryList(
			readResponse({ status, headers: {}, bytes: Buffer.from(text) }, unredacted),
		)?.map(({ key }) => key);

	test.each([
		['[{"deliveryKey":"a"},{"deliveryKey":"b"}]', ['a', 'b']],
		['{"data":{"items":[{"id":7}]},"meta":{"total":1,"next":null}}', ['7']],
		['{"messages":[{"deliveryKey":"a"}]}', ['a']],
		['["a","b"]', ['a', 'b']],
		['{"messages":["Restarting"],"deferred":[{"deliveryKey":"a"}]}', ['a']],
		['{"deferred":{"items":[{"deliveryKey":"a"}],"total":1}}', ['a']],
		['[{"id":9007199254740993},{"id":9007199254740992}]', ['9007199254740993', '9007199254740992']],
		['[]', []],
		['{"deferred":null}', []],
		['{"data":{"deliveries":null}}', []],
	])('are read from %s', (text, keys) => {
		expect(waiting(text)).toEqual(keys);
	});

	test('are an empty list for a 204', () => {
		expect(waiting('', 204)).toEqual([]);
	});

	test.each([
		[''],
		['null'],
		['{}'],
		['{"data":null}'],
		['maintenance'],
		['[{"text":"no key"}]'],
		['[{"deliveryKey":"a"},{"text":"no key"}]'],
		['[null]'],
		['{"deferred":[{"deliveryKey":"a"}'],
		['{"messages":[{"text":"The gateway restarts"}]}'],
		['{"services":[{"id":"database","up":false}]}'],
		['{"warnings":[{"id":7,"text":"slow"}]}'],
		['{"deferred":[{"deliveryKey":"a"}],"hasMore":true}'],
		['{"deferred":[{"deliveryKey":"a"}],"total":2}'],
		['{"data":{"items":[{"id":"a"}]},"meta":{"next_cursor":"x"}}'],
		['{"deferred":{"items":[{"deliveryKey":"a"}],"total":2}}'],
		['{"items":{}}'],
		['{"data":["The gateway restarts"]}'],
		['[{"id":1.5}]'],
		['[[]]'],
		['{"items":null}'],
		['{"deferred":{"a":{"text":"x"}}}'],
		['{"records":[]}'],
		['{"deliveryKey":"a","items":[{"id":7}]}'],
		['{"waiting":[{"deliveryKey":"a"}],"failed":[{"deliveryKey":"b"}]}'],
		['{"error":"session_not_online","status":"DISCONNECTED","data":[]}'],
		['{"success":true,"status":"error","deferred":[]}'],
	])('are unknown for %j', (text) => {
		expect(waiting(text)).toBeUndefined();
	});

	test.each<[string, number, Record<string, string>]>([
		['the status 206', 206, {}],
		['a link to the next page', 200, { Link: '</deferred?page=2>; rel="next"' }],
		['a link among others', 200, { Link: '</a>; rel=prev, </b>; rel=next' }],
		['a larger total', 200, { 'X-Total-Count': '3' }],
		['another larger total', 200, { 'X-Total': '3' }],
		['the total of WordPress', 200, { 'X-WP-Total': '3' }],
		['the number of the next page', 200, { 'X-Next-Page': '2' }],
		['the status 202', 202, {}],
		['a range of a larger total', 200, { 'Content-Range': 'items 0-1/3' }],
		['a range of an unknown total', 200, { 'Content-Range': '0-1/*' }],
	])('are unknown with %s', (_what, status, headers) => {
		expect(completeDeliveryList(response('["a","b"]', headers, status))).toBeUndefined();
	});

	// The trigger would report each delivery that it knows as settled.
	test.each([
		...[{ message: 'Database unavailable' }, { message: 'Session not connected' }],
		...[{ status: 'STARTING' }, { degraded: true }, { partial: true }, { ready: false }],
		...[{ loading: true }, { warning: 'Not all shards responded' }, { truncated: true }],
		...[{ isTruncated: true }, { incomplete_results: true }, { complete: false }, { last: false }],
		...[{ continuationToken: 'x' }, { lastEvaluatedKey: { id: 1 } }, { remaining: 3 }],
		...[{ offset: 50 }, { meta: { page: 2 } }, { 'hydra:next': '/?page=2' }],
		...[{ pendingCount: 2 }, { size: 2 }, { length: 2 }],
	])('are unknown if an empty list has %j next to it', (more) => {
		expect(waiting(JSON.stringify({ deferred: [], ...more }))).toBeUndefined();
	});

	test.each([
		...[
			{ message: 'No deferred deliveries' },
			{ message: 'ok' },
			{ message: '0 messages waiting' },
		],
		...[{ status: 'ok' }, { state: 'ONLINE' }, { ready: true }],
		...[{ truncated: false }, { remaining: 0 }, { offset: 0 }, { page: 1 }, { warnings: [] }],
		...[
			{ total: 0, size: 0, last: true, next: null },
			{ sessionId: 'a', requestId: 'b' },
		],
	])('are none if an empty list has %j next to it', (more) => {
		expect(waiting(JSON.stringify({ deferred: [], ...more }))).toEqual([]);
	});

	test.each<[string, Record<string, string>]>([
		['a link to another page', { Link: '</deferred?page=1>; rel="first"' }],
		['the total', { 'X-Total-Count': '2' }],
		['the range of all', { 'Content-Range': 'items 0-1/2' }],
	])('are complete with %s', (_what, headers) => {
		expect(completeDeliveryList(response('["a","b"]', headers))).toHaveLength(2);
	});

	test.each([{ limit: 1 }, { limit: 2 }, { prev: '/deferred?page=1' }, { hasPrev: true }])(
		'are unknown next to %j',
		(page) => {
			expect(waiting(JSON.stringify({ deferred: ['a', 'b'], ...page }))).toBeUndefined();
		},
	);

	// A field of a delivery says nothing about the list.
	test('are complete if a delivery has a field of that name', () => {
		const delivery = { deliveryKey: 'a', next: '2026-12-01', total: 5, error: 'offline' };
		for (const data of [[delivery], { data: [delivery] }, { deferred: [delivery] }]) {
			expect(completeDeliveryList(response(JSON.stringify(data)))).toHaveLength(1);
		}
	});

	// A cut list would report the rest as settled.
	test('are unknown if the list has more than 100,000 entries', () => {
		const keys = Array.from({ length: 100_000 }, (_, index) => index);
		expect(waiting(JSON.stringify(keys))).toHaveLength(100_000);
		expect(waiting(JSON.stringify([...keys, 100_000]))).toBeUndefined();
	});
});
