import fc from 'fast-check';

import {
	type Answer,
	contentType,
	deferredDeliveries,
	deferredDelivery,
	isObject,
	isRefused,
	isWebPage,
	qrCode,
	readAnswer,
	refusal,
	sessionStatus,
	waitingDeliveries,
} from '../../gateway/answer';
import { redactor } from '../../gateway/redaction';

const asItIs = <T>(value: T) => value;

function answer(body: string | Uint8Array, headers: Record<string, unknown> = {}): Answer {
	return readAnswer({ status: 200, headers, bytes: Buffer.from(body as string) }, asItIs);
}

const contents = (read: Answer) => read.data;

const anyJson = () => fc.jsonValue({ depthSize: 'medium', stringUnit: 'binary' });

/** JSON that looks like a gateway's: known names, at any depth, with values of every kind. */
const gatewayLike = () =>
	fc.letrec((tie) => ({
		value: fc.oneof(
			{ maxDepth: 6 },
			fc.constantFrom<unknown>(null, true, 0, 5, '', ' ', 'x', 'ONLINE', '2@abc'),
			fc.array(tie('value'), { maxLength: 3 }),
			fc.dictionary(
				fc.constantFrom(
					...['data', 'result', 'session', 'status', 'state', 'qr', 'code', 'error', 'message'],
					...['deferred', 'items', 'delivery', 'deliveryKey', 'id', 'payload', 'value'],
					...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length'],
				),
				tie('value'),
				{ maxKeys: 4 },
			),
		),
	})).value;

describe('an answer', () => {
	const bytes = Buffer.from('{"url":"/tok-123/ping","n":1}');

	test('has its status, its bytes and what they say', () => {
		expect(readAnswer({ status: 201, headers: {}, bytes }, asItIs)).toEqual({
			status: 201,
			headers: {},
			bytes,
			data: { url: '/tok-123/ping', n: 1 },
		});
	});

	test('has the names of its headers in small letters', () => {
		const given = { 'Content-Type': 'Text/HTML', DATE: 'Mon', 'x-a': 'B' };
		expect(answer('', given).headers).toEqual({
			'content-type': 'Text/HTML',
			date: 'Mon',
			'x-a': 'B',
		});
	});

	test('has its headers as text', () => {
		const { headers } = answer('', { 'content-length': 5, date: ['Mon'], link: ['a', 'b'] });
		expect(headers['content-length']).toBe('5');
		expect(headers.date).toBe('Mon');
		expect(headers.link).toMatch(/^a, ?b$/);
	});

	test.each([[undefined], [null]])('has no header where it is %j', (value) => {
		expect(answer('', { date: value }).headers).toEqual({});
	});

	test('has nothing left in its data and headers that is to be redacted', () => {
		const redact = redactor(['tok-123']);
		const headers = { Location: 'https://h/tok-123/x', 'x-tok-123': 'tok-123' };
		const read = readAnswer({ status: 302, headers, bytes }, redact);
		expect(read.data).toEqual({ url: '/***/ping', n: 1 });
		expect(read.headers).toEqual({ location: 'https://h/***/x', 'x-***': '***' });
		const text = Buffer.from('no such token: tok-123');
		expect(readAnswer({ status: 404, headers: {}, bytes: text }, redact).data).toBe(
			'no such token: ***',
		);
	});

	test('keeps its bytes as they came, for a picture is no text', () => {
		expect(readAnswer({ status: 200, headers: {}, bytes }, redactor(['tok-123'])).bytes).toBe(
			bytes,
		);
	});

	test('leaves what it was made of unchanged', () => {
		const headers = { Location: 'tok-123' };
		readAnswer({ status: 200, headers, bytes }, redactor(['tok-123']));
		expect(headers).toEqual({ Location: 'tok-123' });
		expect(bytes.toString()).toBe('{"url":"/tok-123/ping","n":1}');
	});
});

describe('the content type', () => {
	test.each([
		['application/json', 'application/json'],
		['application/json; charset=utf-8', 'application/json'],
		[' Application/JSON ;charset=utf-8', 'application/json'],
		['', ''],
	])('of %j is %j', (value, type) => {
		expect(contentType(answer('', { 'content-type': value }))).toBe(type);
		expect(contentType(answer('', { 'Content-Type': value }))).toBe(type);
	});
});

test('there is no content type where none came', () => {
	expect(contentType(answer(''))).toBe('');
});

describe('a web page', () => {
	test.each([
		['an HTML type', 'anything', 'text/html; charset=utf-8'],
		['a doctype', '<!DOCTYPE html><html></html>', 'application/json'],
		['blanks and small letters', ' \r\n <!doctype html>', ''],
		['a byte order mark in front', '\ufeff<!doctype html>', ''],
		['a bare html element', '<html lang="en">', ''],
		['an html element and nothing else', '<HTML>', 'text/plain'],
	])('is known by %s', (_, body, type) => {
		expect(isWebPage(answer(body, { 'content-type': type }))).toBe(true);
	});

	test.each([
		['JSON', '{"page":"<html>"}', 'application/json'],
		['JSON that calls itself a page', '{"status":"ONLINE"}', 'text/html'],
		['a text', 'Hello', 'text/plain'],
		['nothing', '', ''],
		['nothing that calls itself a page', ' \n', 'text/html'],
		['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
		['an element that starts alike', '<htmlx>', 'text/xml'],
	])('is not what holds %s', (_, body, type) => {
		expect(isWebPage(answer(body, { 'content-type': type }))).toBe(false);
	});
});

describe('the contents', () => {
	test.each<[string, string, unknown]>([
		['an object', '{"a":[1,"é👋"]}', { a: [1, 'é👋'] }],
		['a list', '[1,2]', [1, 2]],
		['a bare text', '"ONLINE"', 'ONLINE'],
		['a number', '5', 5],
		['null', 'null', null],
		['blanks around', ' \n{"a":1}\r\n', { a: 1 }],
		['a byte order mark in front', '\ufeff{"a":1}', { a: 1 }],
	])('are JSON where they are JSON: %s', (_, body, value) => {
		expect(contents(answer(body))).toEqual(value);
		expect(contents(answer(body, { 'content-type': 'text/html' }))).toEqual(value);
	});

	test.each([
		['a text', 'pong'],
		['a text that ends in a line break', 'pong\n'],
		['a web page', '<html>Bad Gateway</html>'],
		['JSON that breaks off', '{"a":'],
	])('are text where they are not JSON: %s', (_, body) => {
		expect(contents(answer(body, { 'content-type': 'application/json' }))).toBe(body);
	});

	test.each(['', '  \n', '\ufeff', '\ufeff  '])('are nothing where nothing came: %j', (body) => {
		expect(contents(answer(body))).toBeUndefined();
	});

	test('of bytes that are no UTF-8 are text nevertheless', () => {
		expect(typeof contents(answer(Uint8Array.of(0xff, 0xfe, 0x80)))).toBe('string');
	});

	test('of any bytes are read without a stop', () => {
		fc.assert(
			fc.property(fc.uint8Array(), (bytes) => {
				const read = contents(answer(bytes));
				expect(read === undefined).toBe(Buffer.from(bytes).toString().trim() === '');
			}),
		);
	});
});

test('an object is neither a list nor null', () => {
	expect([{}, [], null, undefined, 'x', 5].map(isObject)).toEqual([
		true,
		...Array<boolean>(5).fill(false),
	]);
});

describe('the status of a session', () => {
	test.each<[unknown, string]>([
		[{ status: 'ONLINE' }, 'ONLINE'],
		[{ state: 'ONLINE' }, 'ONLINE'],
		[{ sessionStatus: 'ONLINE' }, 'ONLINE'],
		[{ session_status: 'ONLINE' }, 'ONLINE'],
		[{ session: 'ONLINE' }, 'ONLINE'],
		[{ data: 'ONLINE' }, 'ONLINE'],
		[{ data: { status: 'AWAITING_QR' } }, 'AWAITING_QR'],
		[{ success: true, result: { state: 'ONLINE' } }, 'ONLINE'],
		[{ session: { status: 'ONLINE' } }, 'ONLINE'],
		[{ data: { session: { status: 'ONLINE' } } }, 'ONLINE'],
		[{ response: { payload: { data: { state: 'ONLINE' } } } }, 'ONLINE'],
		[{ status: 'success', data: { status: 'DISCONNECTED' } }, 'DISCONNECTED'],
		[{ status: 200, data: { status: 'DISCONNECTED' } }, 'DISCONNECTED'],
		[{ status: 'ONLINE', data: null }, 'ONLINE'],
		[{ status: 'ONLINE', data: { battery: 50 } }, 'ONLINE'],
		[{ status: ' ONLINE ' }, 'ONLINE'],
		['AUTH_FAILURE', 'AUTH_FAILURE'],
		[' ONLINE\n', 'ONLINE'],
	])('%j says %s', (data, status) => {
		expect(sessionStatus(data)?.status).toBe(status);
	});

	test('comes with everything that stood beside it', () => {
		expect(sessionStatus({ data: { state: 'ONLINE', phone: '49', since: 5 } })).toEqual({
			status: 'ONLINE',
			state: 'ONLINE',
			phone: '49',
			since: 5,
		});
		expect(sessionStatus('ONLINE')).toEqual({ status: 'ONLINE' });
	});

	test.each<[unknown]>([
		[{}],
		[[]],
		[null],
		[undefined],
		[5],
		[''],
		['  '],
		[{ status: 5 }],
		[{ status: '' }],
		[{ ok: true }],
	])('is not known from %j', (data) => {
		expect(sessionStatus(data)).toBeUndefined();
	});

	test('is not read from prototypes', () => {
		expect(sessionStatus(JSON.parse('{"__proto__":{"status":"ONLINE"}}'))).toBeUndefined();
	});

	test.each<[unknown, string]>([
		[{ status: 'ONLINE', data: { status: 'fetched' } }, 'ONLINE'],
		[{ state: 'done', result: { status: 'AUTH_FAILURE', state: 'x' } }, 'AUTH_FAILURE'],
		[{ status: 'ok', data: { status: 'ok', session: { state: 'AWAITING_QR' } } }, 'AWAITING_QR'],
		[{ status: 'success', data: { status: 'online' } }, 'online'],
		[{ status: 'success', data: { status: 'PAIRING' } }, 'PAIRING'],
	])('is the documented word, or else the innermost: %j says %s', (data, status) => {
		expect(sessionStatus(data)?.status).toBe(status);
	});

	test('comes with what stood beside the documented word', () => {
		expect(sessionStatus({ status: 'ok', data: { session: 'ONLINE', phone: '49' } })).toEqual({
			status: 'ONLINE',
			session: 'ONLINE',
			phone: '49',
		});
		expect(sessionStatus({ status: 'ONLINE', data: { status: 'x' } })).toEqual({
			status: 'ONLINE',
			data: { status: 'x' },
		});
	});

	test('is found in an object under its own name', () => {
		expect(sessionStatus({ status: { state: 'ONLINE' } })?.status).toBe('ONLINE');
	});

	test.each<[unknown]>([
		[{ status: 'success', data: 'ONLINE' }],
		[{ status: 'ok', session: 'ONLINE' }],
	])('is found behind what only says that the call went well: %j', (data) => {
		expect(sessionStatus(data)?.status).toBe('ONLINE');
	});

	test('is a text or unknown, whatever came', () => {
		fc.assert(
			fc.property(fc.oneof(anyJson(), gatewayLike()), (data) => {
				const found = sessionStatus(data);
				if (found !== undefined) expect(found.status).toMatch(/\S/);
			}),
			{ numRuns: 300 },
		);
	});
});

describe('the text of a QR code', () => {
	test.each<[unknown, string]>([
		[{ qr: '2@abc' }, '2@abc'],
		[{ qrCode: '2@abc' }, '2@abc'],
		[{ qrcode: '2@abc' }, '2@abc'],
		[{ qr_code: '2@abc' }, '2@abc'],
		[{ qrText: '2@abc' }, '2@abc'],
		[{ qrData: '2@abc' }, '2@abc'],
		[{ qr_text: '2@abc' }, '2@abc'],
		[{ qr_data: '2@abc' }, '2@abc'],
		[{ data: '2@abcd' }, '2@abcd'],
		[{ value: '2@abcd' }, '2@abcd'],
		[{ result: '2@abcd' }, '2@abcd'],
		[{ code: '2@abcd' }, '2@abcd'],
		[{ text: '2@abcd' }, '2@abcd'],
		[{ success: true, status: 'AWAITING_QR', result: 'success', data: '2@abcd' }, '2@abcd'],
		[{ data: { code: '2@abcd' } }, '2@abcd'],
		[{ data: { qr: '2@abc' } }, '2@abc'],
		[{ data: 'not it: 2@abcd', qr: '2@abc' }, '2@abc'],
		[{ code: '2@other', data: { qr: '2@abc' } }, '2@abc'],
		[{ qr: null, qrCode: '2@abc' }, '2@abc'],
		[{ qr: { code: '2@abc' } }, '2@abc'],
		[{ qr: { text: '2@abc', expiresAt: 5 } }, '2@abc'],
		[{ data: { qr: { value: '2@abc' } } }, '2@abc'],
		[{ result: 'success', qr: '2@abc' }, '2@abc'],
		[{ status: 'AWAITING_QR', qr: '2@abc' }, '2@abc'],
		['2@abcd', '2@abcd'],
		['2@abcd\n', '2@abcd'],
		['https://example.com/pair?x=1', 'https://example.com/pair?x=1'],
	])('in %j is %s', (data, qr) => {
		expect(qrCode(data)?.qr).toBe(qr);
	});

	test('comes with everything that stood beside it', () => {
		expect(qrCode({ data: { qrCode: '2@abc', expiresIn: 20 } })).toEqual({
			qr: '2@abc',
			qrCode: '2@abc',
			expiresIn: 20,
		});
		expect(qrCode({ qr: { code: '2@abc', expiresIn: 20 } })).toMatchObject({
			qr: '2@abc',
			expiresIn: 20,
		});
	});

	test.each<[unknown]>([
		[{}],
		[{ qr: null }],
		[{ qr: '' }],
		[{ qr: {} }],
		[{ status: 'ONLINE' }],
		[{ status: 'ONLINE', qr: null }],
		[{ success: true, data: { qr: null } }],
		[[]],
		[null],
		[undefined],
		[5],
		[''],
	])('is not there in %j', (data) => {
		expect(qrCode(data)).toBeUndefined();
	});

	// Drawn, it would be a picture that the phone cannot make sense of.
	test.each([
		'pong',
		'2@abc',
		'connected',
		'already_connected',
		'no code yet: 2@abcd',
		'123 456',
		'{"qr":"2@abc',
		'[1,2,3,4',
		'<html>2@abc',
		'2@'.repeat(4000),
	])('is not a text that no phone would scan: %j', (text) => {
		expect(qrCode(text)).toBeUndefined();
		for (const name of ['data', 'value', 'result', 'code', 'text']) {
			expect(qrCode({ [name]: text })).toBeUndefined();
		}
	});

	test.each<[unknown]>([
		[{ qr: null, data: '2@abcdefgh' }],
		[{ qr: '', code: '2@abcdefgh' }],
		[{ data: { qrCode: ' ' }, text: '2@abcdefgh' }],
		[{ qr: { code: '' }, value: '2@abcdefgh' }],
	])('is not there where its own field is empty, whatever stands beside: %j', (data) => {
		expect(qrCode(data)).toBeUndefined();
	});

	test('is found in the session, as the status is', () => {
		expect(qrCode({ success: true, data: { session: { qrCode: '2@abc' } } })?.qr).toBe('2@abc');
	});

	test.each<[unknown]>([
		[{ result: 'success', qr: null }],
		[{ result: 'ok', status: 'ONLINE' }],
		[{ success: true, status: 'ONLINE', data: 'none' }],
	])('is not there where another text is: %j', (data) => {
		expect(qrCode(data)).toBeUndefined();
	});

	test('is a text or not there, whatever came', () => {
		fc.assert(
			fc.property(fc.oneof(anyJson(), gatewayLike()), (data) => {
				const found = qrCode(data);
				if (found !== undefined) expect(found.qr).toMatch(/\S/);
			}),
			{ numRuns: 300 },
		);
	});
});

describe('the list of deferred deliveries', () => {
	const deliveries = [
		{ deliveryKey: 'a', chatId: '49' },
		{ deliveryKey: 'b', attempts: [1, 2] },
	];

	test.each<[string, unknown]>([
		['bare', deliveries],
		['data', { data: deliveries }],
		['deferred', { deferred: deliveries }],
		['items beside a cursor', { items: deliveries, next: 'x' }],
		['results', { count: 2, results: deliveries }],
		['deliveries inside data', { success: true, data: { deliveries, total: 2 } }],
		['items inside of two envelopes', { response: { data: { items: deliveries } } }],
		['a name of its own', { success: true, myDeliveries: deliveries }],
	])('is found: %s', (_, data) => {
		expect(deferredDeliveries(data)).toEqual(deliveries);
	});

	test.each<[unknown]>([
		[[]],
		[{ data: [] }],
		[{ deferred: [], total: 0 }],
		[{ deferred: {} }],
		[{ data: { items: [] } }],
		[null],
		[undefined],
	])('is empty in %j', (data) => {
		expect(deferredDeliveries(data)).toEqual([]);
	});

	test('may hold keys only', () => {
		expect(deferredDeliveries({ deferred: ['a', 5] })).toEqual([
			{ deliveryKey: 'a' },
			{ deliveryKey: 5 },
		]);
	});

	test('is one delivery where one came without a list', () => {
		expect(deferredDeliveries({ deliveryKey: 'a', chatId: '49' })).toEqual([
			{ deliveryKey: 'a', chatId: '49' },
		]);
	});

	test.each<[unknown]>([['pong'], [5], [true]])('is not there in %j', (data) => {
		expect(deferredDeliveries(data)).toBeUndefined();
	});

	test('may be an object with the keys of the deliveries for names', () => {
		const byKey = { a: { chatId: '49' }, b: { attempts: [1, 2] } };
		const found = [
			{ deliveryKey: 'a', chatId: '49' },
			{ deliveryKey: 'b', attempts: [1, 2] },
		];
		expect(deferredDeliveries({ deferred: byKey })).toEqual(found);
		expect(deferredDeliveries({ success: true, data: { items: byKey, total: 2 } })).toEqual(found);
	});

	test('keeps the key that a delivery names itself', () => {
		expect(deferredDeliveries({ deferred: { x: { deliveryKey: 'a' } } })).toEqual([
			{ deliveryKey: 'a' },
		]);
	});

	test.each<[unknown]>([
		[{ success: true, data: { deferred: {} } }],
		[{ data: { items: {}, page: {} } }],
	])('written as an object of nothing is empty, too: %j', (data) => {
		expect(deferredDeliveries(data)).toEqual([]);
	});

	test('is one delivery where one came in an envelope', () => {
		expect(deferredDeliveries({ data: { deliveryKey: 'a', chatId: '49' } })).toEqual([
			{ deliveryKey: 'a', chatId: '49' },
		]);
	});

	test('is not a list of what belongs to one delivery in an envelope', () => {
		const delivery = { deliveryKey: 'a', messages: [{ text: 'Hello' }] };
		expect(deferredDeliveries({ data: delivery })).toEqual([delivery]);
	});

	test('is found under a name of its own inside an envelope', () => {
		expect(deferredDeliveries({ success: true, data: { myDeliveries: deliveries } })).toEqual(
			deliveries,
		);
	});

	// Gateways written in Go answer null for an empty list.
	test.each<[unknown]>([
		[{ deferred: null }],
		[{ data: null }],
		[{ success: true, data: { items: null, total: 0 } }],
		[{}],
		[{ success: true, count: 0 }],
	])('has no made-up delivery in it: %j', (data) => {
		expect(deferredDeliveries(data)).toEqual([]);
	});

	test('is not a list of what belongs to the one delivery that came', () => {
		const attempts = [{ at: 1 }, { at: 2 }];
		for (const delivery of [
			{ deliveryKey: 'a', attempts },
			{ delivery_key: 'a', messages: attempts },
			{ deliveryKey: 'a', data: attempts },
		]) {
			expect(deferredDeliveries(delivery)).toEqual([delivery]);
		}
	});

	test('is objects or not there, whatever came', () => {
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
		['deferred', { deferred: delivery }],
		['delivery', { delivery }],
		['item inside data', { data: { item: delivery } }],
		['result', { status: 'ok', result: delivery }],
		['a list of one', [delivery]],
	])('comes out of its envelope: %s', (_, data) => {
		expect(deferredDelivery(data)).toEqual(delivery);
	});

	test.each(['deliveryKey', 'delivery_key', 'key', 'id', 'chatId', 'phone'])(
		'is known by its %s',
		(name) => {
			expect(deferredDelivery({ ok: true, data: { [name]: 'a' } })).toEqual({ [name]: 'a' });
		},
	);

	test('is the whole answer where that is all there is', () => {
		expect(deferredDelivery({ success: true })).toEqual({ success: true });
	});

	test('is the whole answer where nothing in it looks like a delivery', () => {
		expect(deferredDelivery({ success: true, data: { x: 1 } })).toEqual({
			success: true,
			data: { x: 1 },
		});
	});

	test('is not cut down to its payload where it comes without its key', () => {
		const delivery = { chatId: '49', status: 'WAITING', payload: { text: 'Hello' } };
		expect(deferredDelivery(delivery)).toEqual(delivery);
	});

	test('is the outermost of those with a key', () => {
		const inner = { deliveryKey: 'b' };
		expect(deferredDelivery({ data: { deliveryKey: 'a', result: inner } })).toEqual({
			deliveryKey: 'a',
			result: inner,
		});
		expect(deferredDelivery({ id: 'request-1', data: { delivery_key: 'a' } })).toEqual({
			delivery_key: 'a',
		});
	});

	test.each<[unknown]>([[null], [undefined], ['gone'], [5], [[]], [[delivery, delivery]], [['a']]])(
		'is not there in %j',
		(data) => {
			expect(deferredDelivery(data)).toBeUndefined();
		},
	);

	test.each<[string, Record<string, unknown>]>([
		['what is to be sent', { deliveryKey: 'a', payload: { chatId: '49', text: 'Hello' } }],
		['what came of it', { deliveryKey: 'a', result: { id: 'message-1' } }],
		['the session it waits for', { deliveryKey: 'a', session: { id: 's1' } }],
		['data of its own', { deliveryKey: 'a', data: { id: 5 } }],
	])('is not mistaken for a part of itself: %s', (_, data) => {
		expect(deferredDelivery(data)).toEqual(data);
	});

	test('is an object or not there, whatever came', () => {
		fc.assert(
			fc.property(fc.oneof(anyJson(), gatewayLike()), (data) => {
				const found = deferredDelivery(data);
				if (found !== undefined) expect(isObject(found)).toBe(true);
			}),
			{ numRuns: 300 },
		);
	});
});

describe('what a refusal says', () => {
	test.each<[unknown, { code?: string; message?: string }]>([
		[
			{ error: 'invalid_token', message: 'No such token' },
			{ code: 'invalid_token', message: 'No such token' },
		],
		[{ error: 'invalid_token' }, { code: 'invalid_token' }],
		[{ message: 'No such token' }, { message: 'No such token' }],
		[
			{ code: 'invalid_token', message: 'No such token' },
			{ code: 'invalid_token', message: 'No such token' },
		],
		[
			{ error: { code: 'invalid_token', message: 'No such token' } },
			{ code: 'invalid_token', message: 'No such token' },
		],
		[
			{ error: { error: 'invalid_token' }, message: 'No such token' },
			{ code: 'invalid_token', message: 'No such token' },
		],
		[
			{ error: true, code: 'invalid_token', detail: 'No such token' },
			{ code: 'invalid_token', message: 'No such token' },
		],
		[
			{ error: 'x', description: 'No such token' },
			{ code: 'x', message: 'No such token' },
		],
		[
			{ error: ' x ', message: ' y ' },
			{ code: 'x', message: 'y' },
		],
		[{ error: '', code: 'x', message: '' }, { code: 'x' }],
		[{ error: null, code: 401, message: ['a'] }, {}],
		[{}, {}],
		[[], {}],
		[null, {}],
		[undefined, {}],
		['Bad Gateway', {}],
		[5, {}],
	])('in %j', (data, said) => {
		expect(refusal(data)).toEqual(said);
	});

	test('is text or nothing, whatever came', () => {
		fc.assert(
			fc.property(fc.oneof(anyJson(), gatewayLike()), (data) => {
				const { code, message } = refusal(data);
				if (code !== undefined) expect(code).toMatch(/\S/);
				if (message !== undefined) expect(message).toMatch(/\S/);
			}),
			{ numRuns: 300 },
		);
	});
});

describe('whether the gateway said no', () => {
	const withStatus = (status: number, body: string) =>
		readAnswer({ status, headers: {}, bytes: Buffer.from(body) }, asItIs);

	test.each([100, 199, 300, 304, 400, 401, 404, 429, 500, 503, 999])(
		'shows in the status %i, whatever the body says',
		(status) => {
			for (const body of ['', 'ok', '{}', '{"success":true}', '[]']) {
				expect(isRefused(withStatus(status, body))).toBe(true);
			}
		},
	);

	test.each<[unknown]>([
		[{ success: false }],
		[{ success: false, data: { status: 'ONLINE' } }],
		[{ ok: false, result: 5 }],
		[{ error: true }],
		[{ error: true, data: {} }],
		[{ error: 'invalid_token' }],
		[{ error: 'invalid_token', message: 'No such token' }],
		[{ error: { code: 'invalid_token', message: 'No such token' } }],
		[{ error: { error: 'invalid_token' } }],
		[
			{
				...{ error: 'x', code: 'y', message: 'z', details: {}, success: true, ok: true },
				...{ statusCode: 401, timestamp: 5, path: '/x', requestId: 'r' },
			},
		],
	])('shows in a body that denies its good status: %j', (body) => {
		for (const status of [200, 201, 204, 299]) {
			expect(isRefused(withStatus(status, JSON.stringify(body)))).toBe(true);
		}
	});

	test.each<[unknown]>([
		[{}],
		[{ success: true }],
		[{ ok: true, error: null }],
		[{ error: false }],
		[{ error: '' }],
		[{ error: 0 }],
		[{ error: {} }],
		[{ error: ['x'] }],
		[{ success: 'false' }],
		[{ success: 0 }],
		[{ status: 'ONLINE', error: 'last_connection_lost' }],
		[{ error: 'last_attempt_timed_out', deliveryKey: 'a' }],
		[{ code: 'OK', message: 'Sent' }],
		[{ message: 'Sent' }],
		[{ data: { success: false } }],
		[{ data: { error: 'x' } }],
		[[]],
		[[{ error: 'x' }]],
		['invalid_token'],
		[5],
		[null],
		[false],
	])('does not show in %j', (body) => {
		for (const status of [200, 201, 204, 299]) {
			expect(isRefused(withStatus(status, JSON.stringify(body)))).toBe(false);
		}
	});

	test.each(['', 'pong', '<html></html>', '{"error":'])('does not show in the text %j', (body) => {
		expect(isRefused(withStatus(200, body))).toBe(false);
	});

	test.each<[unknown]>([
		[{ error: '', code: 'OK', message: 'Sent' }],
		[{ error: {}, success: true, code: 'SENT' }],
	])('does not show where there is a code, but none of an error: %j', (body) => {
		expect(isRefused(withStatus(200, JSON.stringify(body)))).toBe(false);
	});

	test('is known, whatever came', () => {
		fc.assert(
			fc.property(fc.oneof(anyJson(), gatewayLike()), fc.integer(), (data, status) => {
				const said = isRefused({ status, headers: {}, bytes: Buffer.from(''), data });
				if (status < 200 || status > 299) expect(said).toBe(true);
				else if (!isObject(data)) expect(said).toBe(false);
				else if (!('success' in data || 'ok' in data || 'error' in data)) expect(said).toBe(false);
			}),
			{ numRuns: 500 },
		);
	});
});

describe('the deliveries that wait', () => {
	const waiting = (text: string, status = 200) =>
		waitingDeliveries(readAnswer({ status, headers: {}, bytes: Buffer.from(text) }, asItIs))?.map(
			({ key }) => key,
		);

	test.each([
		['[{"deliveryKey":"a"},{"deliveryKey":"b"}]', ['a', 'b']],
		['{"deferred":[{"delivery_key":"a","text":"x"}]}', ['a']],
		['{"data":{"items":[{"id":7}]},"meta":{"total":1,"next":null}}', ['7']],
		['{"messages":[{"deliveryKey":"a"}]}', ['a']],
		['{"deferred":{"a":{"text":"x"},"b":{}}}', ['a', 'b']],
		['["a","b"]', ['a', 'b']],
		['[]', []],
		['{"deferred":[]}', []],
		['{"deferred":null}', []],
		['{"data":{"deliveries":null}}', []],
	])('%s', (text, keys) => {
		expect(waiting(text)).toEqual(keys);
	});

	test('no content is an empty list', () => {
		expect(waiting('', 204)).toEqual([]);
	});

	test.each([
		[''],
		['null'],
		['{}'],
		['{"success":true}'],
		['{"message":"maintenance"}'],
		['{"data":null}'],
		['maintenance'],
		['<html></html>'],
		['[{"text":"no key"}]'],
		['[{"deliveryKey":"a"},{"text":"no key"}]'],
		['[null]'],
		['[[]]'],
		['{"deferred":[{"deliveryKey":"a"}'],
		['{"success":true,"messages":[]}'],
		['{"messages":["The gateway restarts"]}'],
		['{"messages":[{"text":"The gateway restarts"}]}'],
		['{"services":[{"id":"database","up":false}]}'],
		['{"warnings":[{"id":7,"text":"slow"}]}'],
		['{"deferred":[{"deliveryKey":"a"}],"hasMore":true}'],
		['{"deferred":[{"deliveryKey":"a"}],"total":2}'],
		['{"data":{"items":[{"id":"a"}]},"meta":{"next_cursor":"x"}}'],
		['[{"id":9007199254740993}]'],
	])('%j is not surely a list', (text) => {
		expect(waiting(text)).toBeUndefined();
	});
});
