/** The examples in an n8n whose data tables are full: what is not stored is not called stored. */
import { live } from '../live';
import { type Json, publishWorkflow } from '../n8n';
import { useEmptyN8n } from '../ownN8n';
import { deleteRows, insertRows, rowsOf } from './dataTables';
import { basicAuth, idOf, importExample, run, setCredential, setSender } from './examples';

const IN = '11-outbox-in';
const PREPARE = '13-campaign-prepare';
const OPT_OUT = '13-campaign-opt-out';
const OUTBOX = 'Messaging outbox';

useEmptyN8n(() => ({
	N8N_DATA_TABLES_MAX_SIZE_BYTES: '1000000',
	N8N_DATA_TABLES_SIZE_CHECK_CACHE_DURATION_MS: '0',
}));

beforeAll(async () => {
	for (const file of [IN, PREPARE, OPT_OUT]) await importExample(file);
	await setCredential(PREPARE, 'Check', 'messagingGatewayApi');
	await setSender(PREPARE);
	const { user, password } = live.entryKeys;
	for (const node of ['Request', 'Withdrawal'])
		await setCredential(IN, node, 'httpBasicAuth', { user, password });
	await setCredential(IN, 'Check recipient', 'messagingGatewayApi');
	expect((await run(PREPARE)).status).toBe('success');
	for (const file of [IN, OPT_OUT]) await publishWorkflow(idOf(file));
}, 120_000);

async function order(body: Json) {
	const response = await fetch(`${live.urls.n8n}/webhook/outbox`, {
		method: 'POST',
		headers: { ...basicAuth(), 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	return { status: response.status, json: (await response.json()) as Json };
}

/** Inserts rows until n8n rejects one. */
async function fill(): Promise<void> {
	const text = 'x'.repeat(100_000);
	const row = { requestId: 'filler', recipient: '', text, status: 'sent', attempts: 0, reason: '' };
	const insertAll = async () => {
		for (let i = 0; i < 100; i++) await insertRows(OUTBOX, [row]);
	};
	await expect(insertAll()).rejects.toThrow();
}

const orders = async () =>
	(await rowsOf(OUTBOX)).filter(({ requestId }) => String(requestId).startsWith('request'));

test('calls nothing stored when the tables are full, and goes on when there is room', async () => {
	const [{ text } = { text: '' }] = await rowsOf(OUTBOX);
	const link = /http:\S+$/.exec(text as string)![0];
	const [campaign] = await rowsOf('Messaging campaigns');
	await fill();

	for (let i = 0; i < 3; i++) {
		const { status, json } = await order({ id: 'full', to: '447700900123', text: 'Hello' });
		expect(status).toBe(503);
		expect(json).toMatchObject({ stored: false, reason: expect.stringMatching(/data table/i) });
	}
	const pressed = await fetch(link, { method: 'POST' });
	expect(pressed.status).toBe(503);
	expect(await pressed.text()).toContain('<h1>Not stored</h1>');
	expect(await (await fetch(link)).text()).toContain('<button>Stop the messages</button>');
	expect(await rowsOf('Messaging opt-outs')).toEqual([]);
	expect((await run(PREPARE)).status).toBe('error');
	expect(await rowsOf('Messaging campaigns')).toEqual([campaign]);
	expect(await orders()).toEqual([]);

	await deleteRows(OUTBOX);
	expect((await order({ id: 'full', to: '447700900123', text: 'Hello' })).status).toBe(200);
	expect(await (await fetch(link, { method: 'POST' })).text()).toContain(
		'You get no more messages',
	);
	expect(await rowsOf('Messaging opt-outs')).toHaveLength(1);
	expect(await orders()).toHaveLength(1);
});
