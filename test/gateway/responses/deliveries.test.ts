import fc from 'fast-check';

import {
	completeDeliveryList,
	deferredDelivery,
	listedDeliveries,
} from '../../../gateway/responses/deliveries';
import { response } from '../../harness/responses';

const received = (data: unknown) => ({ ...response(''), data });
const deferredDeliveries = (data: unknown) =>
	listedDeliveries(received(data))?.map(({ fields }) => fields);

describe('the list of deferred deliveries', () => {
	const deliveries = [
		{ deliveryKey: 'a', chatId: '49' },
		{ deliveryKey: 'b', attempts: [1, 2] },
	];

	test.each<[string, unknown]>([
		['next to messages for the user', { messages: ['Restarting'], data: deliveries }],
		['next to an empty field', { deferred: null, data: deliveries }],
	])('is found, with all fields of each delivery: %s', (_, data) => {
		expect(deferredDeliveries(data)).toEqual(deliveries);
	});

	// Gateways written in Go return null for an empty list.
	test.each<[unknown]>([[[]], [{ data: [] }], [{ data: { deferred: null } }]])(
		'is empty in %j',
		(data) => {
			expect(deferredDeliveries(data)).toEqual([]);
		},
	);

	test('is not empty but missing if there is no list, whatever else the response says', () => {
		const other = fc.oneof(
			fc.constantFrom<unknown>(undefined, null, 0, 3, true, '', 'none', {}),
			fc.nat(),
		);
		const names = ['success', 'total', 'count', 'totalRecords', 'message', 'items', 'data', 'x'];
		const fields = fc.dictionary(fc.constantFrom(...names), other, { noNullPrototype: true });
		const property = fc.property(fc.oneof(fields, other), (data) => {
			expect(deferredDeliveries(data)).toBeUndefined();
		});
		fc.assert(property, { examples: [[{ success: true, total: 3 }], [{ total: 0 }]] });
	});

	test.each<[object]>([
		[{ deliveryKey: 'a', chatId: '49' }],
		[{ deliveryKey: 'a', data: [{ at: 1 }] }],
	])('is a single delivery, and no list inside it: %j', (delivery) => {
		expect(deferredDeliveries(delivery)).toEqual([delivery]);
		expect(deferredDeliveries({ data: delivery })).toEqual([delivery]);
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
});

describe('one deferred delivery', () => {
	const withPayload = { deliveryKey: 'a', payload: { chatId: '49', text: 'Hello' } };

	test.each<[string, unknown, unknown]>([
		['an object with another key', { ok: true, data: { key: 'a' } }, { key: 'a' }],
		['the whole response if nothing looks like one', { data: { x: 1 } }, { data: { x: 1 } }],
		['more than its payload', withPayload, withPayload],
	])('is taken out of its envelope: %s', (_, data, expected) => {
		expect(deferredDelivery(data)).toEqual(expected);
	});

	test.each<[unknown]>([['gone'], [['a']], [{}]])('is not found in %j', (data) => {
		expect(deferredDelivery(data)).toBeUndefined();
	});
});

describe('the waiting deliveries', () => {
	const waiting = (text: string) =>
		completeDeliveryList(response(text))?.map(({ deliveryKey }) => deliveryKey);

	test.each([
		['{"messages":[{"deliveryKey":"a"}]}', ['a']],
		['{"messages":["Restarting"],"deferred":[{"deliveryKey":"a"}]}', ['a']],
		['{"deferred":{"items":[{"deliveryKey":"a"}],"total":1}}', ['a']],
		['{"deferred":["a"],"page":1,"totalPages":1,"limit":2,"cursor":null}', ['a']],
		['{"deferred":["a"],"limit":1,"total":1}', ['a']],
		['[{"id":9007199254740993},{"id":9007199254740992}]', ['9007199254740993', '9007199254740992']],
	])('are read from %s', (text, keys) => {
		expect(waiting(text)).toEqual(keys);
	});

	test('are an empty list for a 204', () => {
		expect(completeDeliveryList(response('', {}, 204))).toEqual([]);
		expect(listedDeliveries(response('', {}, 204))).toEqual([]);
	});

	test.each([
		[''],
		['{"deferred":[{"deliveryKey":"a"}'],
		['{"deferred":{"items":[{"deliveryKey":"a"}],"total":2}}'],
		['{"deferred":["a"],"metadata":{"total":2}}'],
		['{"deferred":["a"],"page":1,"totalPages":2}'],
		['{"deferred":["a"],"cursor":"x"}'],
		['{"deferred":["a"],"limit":1}'],
		['[{"id":1.5}]'],
		['[[]]'],
		['{"data":["The gateway restarts"]}'],
		['{"deliveryKey":"a","items":[{"id":7}]}'],
		['{"error":"session_not_online","status":"DISCONNECTED","data":[]}'],
		['{"success":false,"deferred":[{"deliveryKey":"a"}]}'],
	])('are unknown for %j', (text) => {
		expect(waiting(text)).toBeUndefined();
	});

	test.each<[number, Record<string, string>, isComplete: boolean]>([
		[200, { Link: '</deferred?page=1>; rel="first"' }, true],
		[200, { 'Content-Range': 'items 0-1/2' }, true],
		[200, { 'X-Total-Count': '2' }, true],
		[200, { 'X-Total-Count': '3' }, false],
		[202, {}, false],
		[200, { Link: '</a>; rel=prev, </b>; rel=next' }, false],
		[200, { 'Content-Range': 'items 0-1/3' }, false],
		[200, { 'Content-Range': '0-1/*' }, false],
	])('with %i %j are complete: %p', (status, headers, isComplete) => {
		const list = completeDeliveryList(response('["a","b"]', headers, status));
		expect(list?.length).toBe(isComplete ? 2 : undefined);
	});

	// The trigger would report each delivery that it knows as settled.
	test.each([
		...[{ status: 'STARTING' }, { status: 'DISCONNECTED' }, { ready: false }],
		...[{ total: 1 }, { totalCount: 1 }, { total_items: '1' }, { meta: { count: 1 } }],
		...[{ next: '/?page=2' }, { nextPage: 2 }, { next_cursor: 'x' }, { nextPageToken: 'x' }],
		...[{ has_next: true }, { pageInfo: { hasNextPage: true } }, { hasMore: true }],
		...[{ links: { next: '/?page=2' } }, { meta: { pagination: { total: 1 } } }],
	])('are unknown if an empty list has %j next to it', (more) => {
		expect(waiting(JSON.stringify({ deferred: [], ...more }))).toBeUndefined();
	});

	test.each([
		...[{ message: 'No deferred deliveries' }, { status: 'ok' }, { state: 'ONLINE' }],
		...[{ total: 0, count: '0', next: null, hasMore: false, pageInfo: { hasNextPage: false } }],
		...[{ page: 1, limit: 50, sessionId: 'a', requestId: 'b' }],
	])('are none if an empty list has %j next to it', (more) => {
		expect(waiting(JSON.stringify({ deferred: [], ...more }))).toEqual([]);
	});

	// A cut list would report the rest as settled.
	test('are unknown if the list has more than 100,000 entries', () => {
		const keys = Array.from({ length: 100_000 }, (_, index) => index);
		expect(waiting(JSON.stringify(keys))).toHaveLength(100_000);
		expect(waiting(JSON.stringify([...keys, 100_000]))).toBeUndefined();
	});
});
