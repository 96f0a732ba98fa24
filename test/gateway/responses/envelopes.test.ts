import fc from 'fast-check';

import {
	completeDeliveryList,
	deferredDelivery,
	listedDeliveries,
} from '../../../gateway/responses/deliveries';
import { gatewayError } from '../../../gateway/responses/find';
import type { Confirmation } from '../../../gateway/responses/dialect';
import { messageIdIn } from '../../../gateway/responses/outcome';
import { qrText } from '../../../gateway/responses/qrCode';
import { sessionIn } from '../../../gateway/responses/sessionStatus';
import { isObject } from '../../../gateway/json';
import { depth } from '../../harness/depth';
import { anyJson, failureIn, gatewayLike, outcomeIn, response } from '../../harness/responses';

/** A fact means the same in every envelope of the API document, in a list of one, and in every spelling of names. */

const ENVELOPES = ['data', 'result', 'results', 'response', 'payload'];

/** What gateways write around a payload. */
const REMARKS = [
	{},
	{ success: true },
	{ ok: true, message: 'OK' },
	{ code: 'OK', requestId: 'r-1' },
	{ error: null, timestamp: 1767225600 },
	{ errors: [], statusCode: 200 },
];

/** deliveryKey, delivery_key, DeliveryKey, DELIVERY_KEY, deliverykey… */
const spelled = (name: string) =>
	fc.constantFrom(
		...[name, name.replace(/[A-Z]/g, '_$&')].flatMap((text) => [
			...[text, text.toLowerCase(), text.toUpperCase()],
			text[0]!.toUpperCase() + text.slice(1),
		]),
	);

/** The fact with its own names in another spelling. What is inside its fields stays as it is. */
const respelled = (fact: unknown): fc.Arbitrary<unknown> => {
	if (typeof fact !== 'object' || fact === null || Array.isArray(fact)) return fc.constant(fact);
	const entries = Object.entries(fact);
	return fc
		.tuple(...entries.map(([name]) => spelled(name)))
		.map((names) => Object.fromEntries(entries.map(([, value], at) => [names[at]!, value])));
};

type Layer = (inner: unknown) => unknown;

const envelope = (remarks = REMARKS): fc.Arbitrary<Layer> =>
	fc
		.tuple(fc.constantFrom(...ENVELOPES).chain(spelled), fc.constantFrom(...remarks), fc.boolean())
		.map(
			([name, around, isFirst]) =>
				(inner) =>
					isFirst ? { [name]: inner, ...around } : { ...around, [name]: inner },
		);

/** Up to three envelopes, each of which may be in a list of one. */
const layersOf = (layer: fc.Arbitrary<Layer>) => {
	const inList = layer.map((wrap): Layer => (inner) => [wrap(inner)]);
	const withList = layer.map(
		(wrap): Layer =>
			(inner) =>
				wrap([inner]),
	);
	return fc.array(fc.oneof({ weight: 3, arbitrary: layer }, inList, withList), { maxLength: 3 });
};
const layers = layersOf(envelope());
const withoutLists = fc.array(envelope(), { maxLength: 3 });
const bareLayers = layersOf(envelope([{}]));

const wrapped = (facts: unknown[], around = layers) =>
	fc
		.constantFrom(...facts)
		.chain((fact) =>
			fc
				.tuple(around, respelled(fact))
				.map(([all, body]) => ({ fact, body: all.reduce((inner, layer) => layer(inner), body) })),
		);

const received = (body: unknown, status = 200) => response(JSON.stringify(body), {}, status);

const NUM_RUNS = depth(150, 4_000);

function expectSame(
	facts: Array<[fact: unknown, expected: unknown]>,
	read: (body: unknown) => unknown,
	around = layers,
): void {
	const expected = new Map(facts);
	fc.assert(
		fc.property(wrapped([...expected.keys()], around), ({ fact, body }) => {
			expect(read(body)).toEqual(expected.get(fact));
		}),
		{ numRuns: NUM_RUNS },
	);
}

describe('wherever it is, a response says the same about', () => {
	test('the outcome of a message', () => {
		expectSame(
			[
				[{ status: 'sent' }, 'sent'],
				[{ messageId: '1' }, 'sent'],
				[{ deliveryKey: 'k' }, 'deferred'],
				[{ deliveryKey: 7, expiresAt: 'soon' }, 'deferred'],
				[{ status: 'deferred' }, 'deferred'],
				[{ status: 'QUEUED' }, 'deferred'],
				['queued', 'deferred'],
				[{ duplicate: true }, 'duplicate'],
				[{ isDuplicate: true, status: 'sent' }, 'duplicate'],
				[{ status: 'duplicate' }, 'duplicate'],
			],
			(body) => outcomeIn(received(body)),
		);
	});

	test('the ID of a message', () => {
		expectSame(
			[
				[{ messageId: 'a' }, 'a'],
				[{ messageId: 12, status: 'sent' }, '12'],
				[{ msgId: 'b' }, 'b'],
			],
			messageIdIn,
		);
	});

	test('the status of the session', () => {
		const statuses = ['ONLINE', 'AWAITING_QR', 'DISCONNECTED', 'AUTH_FAILURE'];
		const names = ['status', 'state', 'sessionStatus', 'session'];
		expectSame(
			[
				...statuses.flatMap((word) =>
					names.map((name): [unknown, string] => [{ [name]: word, phone: '49' }, word]),
				),
				['ONLINE', 'ONLINE'],
				[{ session: { status: 'ONLINE' } }, 'ONLINE'],
				[{ status: 'napping' }, 'NAPPING'],
			],
			(body) => sessionIn(received(body)).status,
		);
	});

	test('the QR code', () => {
		expectSame(
			[
				[{ qr: '2@abc' }, '2@abc'],
				[{ qrCode: '2@abc', expiresIn: 20 }, '2@abc'],
				[{ qr: { code: '2@abc' } }, '2@abc'],
				[{ code: '2@abcdef' }, '2@abcdef'],
				['2@abcdef', '2@abcdef'],
				[{ qr: null }, undefined],
			],
			(body) => qrText(body)?.qr,
		);
	});

	test('a single delivery', () => {
		expectSame(
			[
				[{ deliveryKey: 'a', chatId: '49' }, 'a'],
				[{ deliveryKey: 'a', status: 'failed', error: 'offline' }, 'a'],
				[{ deliveryKey: 'a', payload: { deliveryKey: 'b' } }, 'a'],
				[{ delivery: { deliveryKey: 'a' } }, 'a'],
				[{}, undefined],
				[null, undefined],
				[[], undefined],
				[{ success: true }, undefined],
			],
			(body) => Object.values(deferredDelivery(body) ?? {})[0],
			withoutLists,
		);
	});

	test('an error', () => {
		const error = { code: 'invalid_token', message: 'No such token' };
		expectSame(
			[
				[{ error: 'invalid_token', message: 'No such token' }, error],
				[{ error }, error],
				[{ error: { error: 'invalid_token', message: 'No such token' } }, error],
			],
			gatewayError,
			bareLayers,
		);
	});

	const ab = [{ deliveryKey: 'a', chatId: '49' }, { deliveryKey: 'b' }];
	const page = (hint: object) => ({ deferred: ab, ...hint });

	const LISTS: Array<[fact: unknown, keys: string[] | undefined]> = [
		[{ deferred: ab }, ['a', 'b']],
		[{ deliveries: ab, total: 2 }, ['a', 'b']],
		[{ items: ab, page: { totalPages: 1 } }, ['a', 'b']],
		[{ items: ab, limit: 50, offset: 0, count: 2, next: null }, ['a', 'b']],
		[{ items: ab, pageSize: 2, total: 2, hasMore: false }, ['a', 'b']],
		[{ items: ab, pageInfo: { endCursor: 'x', hasNextPage: false } }, ['a', 'b']],
		[{ items: ab, nextAttemptAt: '2026-12-01' }, ['a', 'b']],
		[{ deliveryKeys: ['a', 'b'] }, ['a', 'b']],
		[{ deferred: [{ deliveryKey: 'a', status: 'failed', error: 'offline' }] }, ['a']],
		[{ deferred: [{ deliveryKey: 'a', success: false, hasMore: true, total: 5 }] }, ['a']],
		[{ deferred: [] }, []],
		[{ deferred: null }, []],
	];

	test('the deferred deliveries', () => {
		expectSame(LISTS, (body) =>
			completeDeliveryList(received(body))?.map(({ deliveryKey }) => deliveryKey),
		);
		expectSame(LISTS, (body) =>
			listedDeliveries(received(body))?.map(({ deliveryKey }) => deliveryKey),
		);
	});

	test('deferred deliveries without a name', () => {
		const keys = ['a', 'b'];
		expectSame(
			[ab, keys, []].map((list) => [list, list.length === 0 ? [] : keys]),
			(body) => completeDeliveryList(received(body))?.map(({ deliveryKey }) => deliveryKey),
			withoutLists,
		);
	});

	test('pages', () => {
		const hints = [
			...[{ total: 3 }, { totalItems: 3 }, { totalCount: '3' }, { count: 3 }],
			...[{ links: { next: '/deferred?page=2' } }, { meta: { pagination: { total: 3 } } }],
			...[{ nextPageToken: 'x' }, { pageInfo: { hasNextPage: true } }, { 'has-more': true }],
			...[{ next: 'x' }, { nextCursor: 'x' }],
		];
		expectSame(
			hints.map((hint) => [page(hint), undefined]),
			(body) => completeDeliveryList(received(body)),
		);
	});
});

test('what is read from any data is text, or an object as a delivery', () => {
	fc.assert(
		fc.property(fc.oneof(anyJson(), gatewayLike()), (data) => {
			const { code, message } = gatewayError(data);
			for (const text of [code, message, qrText(data)?.qr]) {
				if (text) expect(text).toMatch(/\S/);
			}
			const any = received(data);
			const { status = 'none' } = sessionIn(any).fields ?? {};
			expect(status).toMatch(/\S/);
			const listed = listedDeliveries(any)?.map(({ fields }) => fields) ?? [];
			for (const found of [deferredDelivery(data) ?? {}, ...listed]) {
				expect(isObject(found)).toBe(true);
			}
		}),
		{ numRuns: 300 },
	);
});

const SUCCESS_FIELDS: Confirmation[] = ['sent', 'deleted', 'started', 'refreshed', 'terminated'];

const DENIALS: unknown[] = [
	...[{ success: false }, { ok: false }, { accepted: 'no' }, { failed: true }, false, 'failed'],
	...[{ status: 'failed' }, { state: 'ERROR' }, { outcome: 'rejected' }, { result: 'not sent' }],
	...[{ status: false, reason: 'No such chat' }, { status: 500 }, { statusCode: '401' }],
	...[{ code: 404, message: 'No such chat' }, { code: 'session_not_online' }],
	...[{ error: 'session_not_connected' }, { error: { code: 'x' } }, { error: true }],
	...[{ errors: ['no such chat'] }, { messageId: '1', error: 'not_delivered' }, { result: false }],
	...[{ status: ' FAILED ' }, { success: 0 }, { error: 7, chatId: '4915123456789' }],
	...[
		{ status: 'queued', error: 'session_not_online' },
		{ deliveryKey: 'k', data: { error: 'x' } },
	],
	...[
		{ messageId: '1', status: 'failed' },
		{ deliveryKey: 'k', success: false },
	],
];

/** Whatever claims success next to the denial. */
const CLAIMS: object[] = [
	...[{}, { success: true, ok: true }, { status: 'sent' }, { status: 'success', code: 200 }],
	...[{ messageId: '7' }, { deliveryKey: 'k' }, { duplicate: true }, { status: 'queued' }],
	Object.fromEntries(SUCCESS_FIELDS.map((name) => [name, true])),
];

const claiming: fc.Arbitrary<Layer> = fc.oneof(
	fc
		.tuple(fc.constantFrom(...ENVELOPES).chain(spelled), fc.constantFrom(...CLAIMS))
		.map(([name, claims]): Layer => (inner) => ({ ...claims, [name]: inner })),
	fc
		.array(fc.constantFrom(...CLAIMS), { maxLength: 3 })
		.map((claims): Layer => (inner) => [...claims, inner]),
);

test('nothing around a denial makes it a success, whatever was requested', () => {
	fc.assert(
		fc.property(
			wrapped(DENIALS, fc.array(claiming, { maxLength: 3 })),
			fc.constantFrom(...SUCCESS_FIELDS),
			fc.constantFrom(200, 201, 202, 204),
			({ body }, confirmation, status) => {
				expect(failureIn(received(body, status), confirmation)).toBeDefined();
			},
		),
		{ numRuns: NUM_RUNS },
	);
});

test('what a request asks to confirm is denied by its own field', () => {
	const cases = SUCCESS_FIELDS.flatMap((name) =>
		[false, 'false', 0, 'no'].map((no) => ({ [name]: no })),
	);
	fc.assert(
		fc.property(wrapped(cases), ({ fact, body }) => {
			const [confirmation] = Object.keys(fact as object) as [Confirmation];
			expect(failureIn(received(body), confirmation)).toBeDefined();
		}),
		{ numRuns: NUM_RUNS },
	);
});

/** Payloads with fields that would deny success of a request that does something. */
const PAYLOADS = [
	{ status: 'DISCONNECTED', error: 'logged_out' },
	{ status: 'AUTH_FAILURE', success: 'false' },
	{ deliveryKey: 'a', status: 'failed', error: 'offline', failed: true },
	{ deferred: [{ deliveryKey: 'a', success: false, status: 'failed' }] },
	...[
		{ qr: null, error: 'not_ready' },
		{ error: 'logged_out', data: 'DISCONNECTED' },
	],
	...[
		{ ok: true, error: null },
		{ error: {}, success: true, code: 'SENT' },
	],
	[{ error: 'x' }, { error: 'y' }],
];

test('what is read is not a denial because of its fields', () => {
	fc.assert(
		fc.property(wrapped(PAYLOADS), ({ body }) => {
			expect(failureIn(received(body))).toBeUndefined();
		}),
		{ numRuns: NUM_RUNS },
	);
});
