import { type Json } from '../n8n';
import { sandbox, useSandbox } from '../sandbox';
import { deleteRows, insertRows, rowsOf, makeDue } from './dataTables';
import { basicAuth, publish, run } from './examples';

const IN = '11-outbox-in';
const SEND = '11-outbox-send';
const TABLE = 'Messaging outbox';
const CHAT = '447700900123';

let url: string;
beforeAll(async () => {
	url = await publish(IN, '/webhook/outbox');
});

useSandbox();
beforeEach(async () => await deleteRows(TABLE));

const rows = async () => await rowsOf(TABLE);
const statuses = async () => (await rows()).map(({ status }) => status);

async function insert(all: Json[]): Promise<void> {
	const columns = { requestId: '', status: 'pending', attempts: 0, reason: '' };
	const nextAttemptAt = new Date().toISOString();
	await insertRows(
		TABLE,
		all.map((row) => ({ ...columns, nextAttemptAt, ...row })),
	);
}

async function request(body: BodyInit, headers: Record<string, string> = basicAuth()) {
	const response = await fetch(url, { method: 'POST', body, headers });
	const text = await response.text();
	return { status: response.status, text, headers: response.headers };
}

async function store(body: unknown) {
	const headers = { ...basicAuth(), 'content-type': 'application/json; charset=utf-8' };
	const { status, text } = await request(JSON.stringify(body), headers);
	return { status, json: JSON.parse(text) as Json };
}

const delivered = async () => (await sandbox.state()).delivered;

const order = { id: 4711, to: '+44 7700 900123', text: 'Your order is on its way.' };

test('stores a request, then sends it once, even if it is repeated with its ID', async () => {
	const first = await store(order);
	const row = expect.any(Number) as number;
	expect(first).toEqual({ status: 200, json: { stored: true, row, status: 'pending' } });
	expect(await delivered()).toEqual([]);
	expect(await rows()).toMatchObject([
		{ id: first.json.row, requestId: 'request 4711', recipient: order.to, text: order.text },
	]);

	expect((await store(order)).status).toBe(200);
	expect((await run(SEND)).status).toBe('success');
	expect((await store(order)).json).toEqual({ ...first.json, status: 'sent' });
	await run(SEND);
	expect(await statuses()).toEqual(['sent']);
	expect(await delivered()).toMatchObject([
		{ chatId: CHAT, text: 'Your order is on its way.', idempotencyKey: 'outbox request 4711' },
	]);
	// The second message of one order number never arrived, and both rows were called sent.
	const shipped = await store({ ...order, text: 'It has arrived.' });
	expect(shipped).toMatchObject({ status: 409, json: { stored: false, text: order.text } });
});

// The page of another website can send these with the password that the browser has stored.
test.each([
	['a form', new URLSearchParams({ to: CHAT, text: 'Hello' }), undefined],
	['JSON as text', JSON.stringify({ to: CHAT, text: 'Hello' }), 'text/plain'],
])('stores nothing that a form can send: %s', async (_, body, type) => {
	const origin = 'https://example.com';
	const headers = { ...basicAuth(), origin, ...(type && { 'content-type': type }) };
	const response = await request(body, headers);
	expect(response.status).toBe(422);
	expect(response.headers.get('access-control-allow-origin')).toBe('none');
	expect(await rows()).toEqual([]);
});

test.each([{ to: CHAT, text: 'Hello', id: {} }, []])('responds with 422 to %j', async (body) => {
	expect((await store(body)).status).toBe(422);
	expect(await rows()).toEqual([]);
});

test('marks rows as sent, deferred, failed or still pending, with the reason', async () => {
	const deferred = JSON.stringify({ success: true, status: 'deferred', deliveryKey: 'd1' });
	await sandbox.faults([
		{ chatId: '447700900124', body: { contentType: 'application/json', text: deferred } },
		{ chatId: '447700900125', status: 422, code: 'validation_error' },
		{ chatId: '447700900126', status: 500 },
		{ chatId: '447700900127', status: 409, code: 'session_not_online' },
		// The connection closes before the gateway has processed the request. The node cannot know that.
		{ chatId: '447700900128', cut: 'before' },
	]);
	const recipients = [4, 5, 6, 7, 8].map((digit) => `44770090012${digit}`);
	const all = [CHAT, ...recipients, 'no number'].map((to) => ({ recipient: to, text: 'Hello' }));
	await insert(all);
	expect((await run(SEND)).status).toBe('success');
	// A run ends after a batch of which nothing was sent.
	await run(SEND);
	expect(await rows()).toMatchObject([
		{ status: 'sent', attempts: 1, reason: '' },
		{ status: 'deferred', attempts: 1, reason: '' },
		{ status: 'failed', attempts: 1, reason: expect.stringContaining('(422, validation_error)') },
		{ status: 'pending', attempts: 1, reason: expect.stringContaining('it may have been sent') },
		{ status: 'pending', attempts: 1, reason: expect.stringContaining('(409, session_not_on') },
		{ status: 'pending', attempts: 1, reason: expect.stringContaining('it may have been sent') },
		{ status: 'failed', attempts: 1, reason: expect.stringMatching(/^'Chat ID' cannot be/) },
	]);
	// None of the others is due.
	await sandbox.faults([]);
	await run(SEND);
	expect(await delivered()).toHaveLength(1);
	await makeDue(TABLE);
	await run(SEND);
	expect(await statuses()).toEqual([
		...['sent', 'deferred', 'failed', 'sent', 'sent', 'sent', 'failed'],
	]);
	expect(await delivered()).toHaveLength(4);
});

test('gives each row to one of four runs that start at the same time', async () => {
	await sandbox.faults([{ endpoint: 'sendMessage', latencyMs: 200 }]);
	await insert(
		Array.from({ length: 20 }, (_, i) => ({ recipient: `4477009001${10 + i}`, text: 'Hello' })),
	);
	await Promise.all([1, 2, 3, 4].map(async () => await run(SEND)));
	await run(SEND);
	expect(new Set(await statuses())).toEqual(new Set(['sent']));
	const requests = await sandbox.requests();
	expect(requests.filter(({ endpoint }) => endpoint === 'sendMessage')).toHaveLength(20);
});
