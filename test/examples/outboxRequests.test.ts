/** Example 11: what an ID, a time and an expiry of a request mean, in n8n's own engine with the node and a sandbox. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { depth } from '../harness/depth';
import { textsDelivered } from '../harness/messages';
import { useNewGateways } from '../harness/sandboxAccount';
import { OUTBOX } from './exampleWith';
import { runExample } from './runExample';
import { Tables } from './tables';

const gateway = useNewGateways();
const TO = '447700900123';
const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

async function request(
	tables: Tables,
	body: IDataObject,
	{ query = undefined as IDataObject | undefined, file = '11-outbox-in', token = '' } = {},
) {
	const { answers, error } = await runExample({
		...{ file, trigger: query ? 'Withdrawal' : 'Request', tables },
		items: [{ json: { headers: { 'content-type': 'application/json' }, body, query } }],
		account: { ...gateway.account, ...(token && { token }) },
	});
	expect(error).toBeUndefined();
	expect(answers).toHaveLength(1);
	const answer = answers[0] as Record<'responseBody' | 'options', IDataObject>;
	return { code: answer.options.responseCode, body: answer.responseBody };
}

async function send(tables: Tables) {
	const file = '11-outbox-send';
	const { error } = await runExample({
		...{ file, trigger: 'Manual trigger', account: gateway.account, tables },
	});
	expect(error).toBeUndefined();
	return textsDelivered(gateway);
}

const rows = (tables: Tables) => tables.rows(OUTBOX);
const change = (tables: Tables, values: IDataObject) =>
	tables.table(OUTBOX).update([], values, Date.now());

/** What has happened to a row since it was stored, and whether its message can have left. */
const HISTORIES: Array<[string, IDataObject, boolean]> = [
	['nothing', {}, false],
	['rejected attempts', { attempts: 3, reason: 'Not online (409)' }, false],
	['being sent', { status: 'sending' }, true],
	['sent', { status: 'sent', sentAt: inHours(0) }, true],
	['unknown', { status: 'unknown', sentAt: inHours(0) }, true],
	['an attempt without a response', { attempts: 1, sentAt: inHours(0) }, true],
	['failed', { status: 'failed' }, true],
];

describe('an ID names one message', () => {
	const contents = fc.record({
		to: fc.constantFrom('+44 7700 900123', '+44 7700 900124'),
		text: fc.constantFrom('Order confirmed', 'Order shipped'),
		sendAt: fc.constantFrom(undefined, '2040-06-01T09:00:00+02:00', '2040-06-01T08:00:00Z'),
		expiresAt: fc.constantFrom(undefined, '2041-01-01T00:00:00Z'),
	});

	test('whatever happened before: the same content changes nothing, other content replaces what has not begun', async () => {
		const scenario = fc.tuple(contents, contents, fc.constantFrom(...HISTORIES));
		const property = fc.asyncProperty(scenario, async ([first, second, [, history, hasBegun]]) => {
			const tables = new Tables();
			const stored = await request(tables, { id: 'order 7', ...first });
			const first200 = { stored: true, row: 1, status: 'pending' };
			expect(stored).toMatchObject({ code: 200, body: first200 });
			change(tables, history);
			const before = rows(tables);
			const { code, body } = await request(tables, { id: 'order 7', ...second });
			const [row, ...others] = rows(tables);
			expect(others).toEqual([]);
			const isSame = JSON.stringify(first) === JSON.stringify(second);
			if (isSame || hasBegun) expect([row]).toEqual(before);
			if (isSame) {
				expect([code, body]).toEqual([200, { stored: true, row: 1, status: row!.status }]);
			} else if (hasBegun) {
				expect(code).toBe(409);
				expect(body).toMatchObject({
					...{ stored: false, row: 1, status: row!.status },
					...{ to: first.to, text: first.text },
				});
			} else {
				expect([code, body]).toMatchObject([200, { stored: true, row: 1, replaced: true }]);
				expect(row).toMatchObject({ status: 'pending', attempts: 0, recipient: second.to });
				expect(row!.text).toBe(second.text);
				expect(/^2040/.test(String(row!.nextAttemptAt))).toBe(second.sendAt !== undefined);
			}
		});
		await fc.assert(property, { numRuns: depth(30, 300) });
	});

	test.each(HISTORIES)('it is withdrawn, or too late: %s', async (_, history, hasBegun) => {
		const tables = new Tables();
		await request(tables, { id: 'order 7', to: TO, text: 'Hello' });
		change(tables, history);
		const { code, body } = await request(tables, { id: 'order 7', cancel: true });
		expect([code, body.withdrawn]).toEqual(hasBegun ? [409, false] : [200, true]);
		expect(await request(tables, {}, { query: { id: 'order 7' } })).toMatchObject({ code, body });
		const [row] = rows(tables);
		if (!hasBegun) expect(row).toMatchObject({ status: 'withdrawn', text: 'Hello' });
		// Nothing repeats an attempt that did not arrive.
		if (history.status === 'sending') change(tables, { status: 'pending', attempts: 1 });
		expect(await send(tables)).toEqual([]);
	});

	test('a withdrawal of an unknown ID says so, and a withdrawn row stays withdrawn', async () => {
		const tables = new Tables();
		const unknown = { code: 404, body: { withdrawn: false, reason: expect.any(String) } };
		expect(await request(tables, { id: 7, cancel: true })).toMatchObject(unknown);
		const order = { id: 7, to: TO, text: 'Hello' };
		await request(tables, order);
		await request(tables, { id: '7', cancel: true });
		const again = { code: 200, body: { stored: true, row: 1, status: 'withdrawn' } };
		expect(await request(tables, order)).toEqual(again);
		expect((await request(tables, { ...order, text: 'Other' })).code).toBe(409);
		expect(await send(tables)).toEqual([]);
	});
});

const VALID = { id: 'x', to: TO, text: 'Hello' };
test.each<[IDataObject, string]>([
	[{ text: 'x'.repeat(4_097) }, 'text'],
	[{ id: 'x'.repeat(201) }, 'id'],
	[{ id: {} }, 'id'],
	[{ id: 'a\u0000b' }, 'id'],
	[{ text: 'Hi {name}' }, 'text'],
	...[' ', '07700 900123', 'Sales team', 'https://chat.example/invite/x'].map(
		(to): [IDataObject, string] => [{ to }, 'to'],
	),
	[{ sendAt: '2040-06-01T09:00' }, 'sendAt'],
	[{ sendAt: '2040-02-30T09:00:00Z' }, 'sendAt'],
	[{ send_at: '2040-06-01T09:00:00Z' }, 'sendAt'],
	[{ expiresAt: '2020-06-01T09:00:00Z' }, 'expiresAt'],
	[{ sendAt: '2040-06-01T09:00:00Z', expiresAt: '2040-06-01T09:00:00Z' }, 'expiresAt'],
	[{ cancel: 'yes' }, 'cancel'],
	[{ cancel: true, id: '' }, 'id'],
])('%j is rejected with 422, and the reason names %s', async (fields, name) => {
	const tables = new Tables();
	const { code, body } = await request(tables, { ...VALID, ...fields });
	expect([code, body]).toEqual([
		422,
		{ stored: false, reason: expect.stringContaining(`'${name}'`) },
	]);
	expect(rows(tables)).toEqual([]);
});

test.each(['11-outbox-in', '11p-outbox-in'])('%s says how a recipient is written', async (file) => {
	for (const to of ['07700 900123', 'Sales team']) {
		const { code, body } = await request(new Tables(), { ...VALID, to }, { file });
		expect(code).toBe(422);
		expect(body.reason).toMatch(/with \+ and the country code, or the ID of a group or channel$/);
	}
});

test.each([
	...['+44 7700 900123', '0044 7700 900123', TO, `${TO}@c.us`],
	...['120363041234567890@g.us', '120363041234567890@newsletter'],
])('what is stored is sent: %s', async (to) => {
	const tables = new Tables();
	expect(await request(tables, { ...VALID, to })).toMatchObject({ code: 200 });
	expect(await send(tables)).toEqual(['Hello']);
});

// A caller drops what gets a 422.
test('a credential that cannot be used is no invalid request', async () => {
	expect(await request(new Tables(), VALID, { token: ' ' })).toMatchObject({ code: 503 });
});

test('accepts the longest text and ID, numbers, and requests without an ID', async () => {
	const tables = new Tables();
	const longest = { id: 'x'.repeat(200), text: 'x'.repeat(4_096), to: Number(TO) };
	expect((await request(tables, longest)).code).toBe(200);
	expect((await request(tables, { ...longest, id: 5 })).code).toBe(200);
	for (const _ of [1, 2]) expect((await request(tables, { to: TO, text: 'Hello' })).code).toBe(200);
	expect(rows(tables)).toMatchObject([
		...[{ recipient: TO }, { requestId: 'request 5', person: TO }],
		...[{ requestId: '' }, { requestId: '' }],
	]);
});

describe('a row with a time', () => {
	const store = async (tables: Tables, fields: IDataObject) =>
		await request(tables, { id: 'x', to: TO, text: 'Hello', ...fields });

	test('is not sent before it, and once afterwards', async () => {
		const tables = new Tables();
		await store(tables, { sendAt: inHours(1) });
		expect(await send(tables)).toEqual([]);
		expect(rows(tables)[0]!.status).toBe('pending');
		change(tables, { nextAttemptAt: inHours(-0.01) });
		expect(await send(tables)).toEqual(['Hello']);
	});

	test.each([
		['expired', {}],
		['expired', { attempts: 2, reason: 'Not online (409)' }],
		['unknown', { reason: 'No response; unknown: it may have been sent', sentAt: inHours(-2) }],
	])('is %s after its expiry, and is not sent: %j', async (status, history) => {
		const tables = new Tables();
		await store(tables, { expiresAt: inHours(1) });
		change(tables, { ...history, expiresAt: inHours(-0.001) });
		expect(await send(tables)).toEqual([]);
		const { reason = '' } = history as { reason?: string };
		expect(rows(tables)).toMatchObject([{ status, reason }]);
	});

	test('that waits is not read by any run', async () => {
		const tables = new Tables();
		const waiting = { status: 'pending', attempts: 0, reason: '', recipient: TO, text: 'Hello' };
		const later = { ...waiting, nextAttemptAt: inHours(1), sendAt: inHours(1) };
		tables.insert(OUTBOX, ...Array.from({ length: 20_000 }, () => later));
		const { run } = await runExample({
			...{ file: '11-outbox-send', trigger: 'Manual trigger', account: gateway.account, tables },
		});
		const read = Object.values(run.data.resultData.runData)
			.flat()
			.flatMap(({ data }) => data?.main?.flat() ?? [])
			.filter((item) => item?.json.status === 'pending');
		expect(read).toEqual([]);
	});
});
