import { countBy } from 'lodash';

import { type Json, publishWorkflow, waitFor } from '../n8n';
import { codeOf } from '../../harness/exampleCode';
import { violations } from '../accessibility';
import { browserTest, formPassword, useBrowser } from '../browser';
import { byTestId } from '../editor';
import { live } from '../live';
import { sandbox, useSandbox } from '../sandbox';
import { deleteRows, insertRows, type Row, rowsOf } from './dataTables';
import { idOf, publish, run, setFields, setSender, setValues, submitted } from './examples';
import { McpClient } from './mcpClient';

const PREPARE = '13-campaign-prepare';
const MANAGE = '13-campaign-manage';
const OPT_OUT = '13-campaign-opt-out';
const SEND = '11-outbox-send';
const OUTBOX = 'Messaging outbox';
const CAMPAIGNS = 'Messaging campaigns';
const OPT_OUTS = 'Messaging opt-outs';
const NAME = 'Spring offer';
/** In London it is noon, in New York 7:00, in Los Angeles 4:00. In the future, so that n8n takes no row for due that has to wait. */
const NOW = `DateTime.fromISO('2035-06-06T11:00:00Z', { zone: 'UTC' })`;

useBrowser();

let form: string;
beforeAll(async () => {
	const refused = await run(PREPARE);
	expect([refused.status, refused.error]).toEqual([
		'error',
		expect.stringContaining("Enter 'sender'"),
	]);
	await setSender(PREPARE);
	// Only its rules: the time of a claim stays that of the machine.
	const jsCode = codeOf('Rules').replace('today: $now', `today: ${NOW}`);
	await setFields(SEND, 'Rules', { jsCode });
	// Limits that no test reaches.
	await setValues(SEND, 'Settings', { messagesPerMinute: 6000, newPeoplePerDay: '1000' });
	await setFields(MANAGE, 'Form', {});
	form = await publish(MANAGE, '/form/campaign');
	await publishWorkflow(idOf(OPT_OUT));
});

useSandbox();
beforeEach(async () => {
	for (const table of [OUTBOX, CAMPAIGNS, OPT_OUTS, 'Messaging known people'])
		await deleteRows(table);
});

const rows = async () => await rowsOf(OUTBOX);
const delivered = async () => (await sandbox.state()).delivered;

/** How many rows have each status. */
const counts = async () => countBy(await rows(), 'status');

/** What a person reads in the report of the campaign, and enters to start it. */
const draft = async () => ((await rowsOf(CAMPAIGNS))[0]?.run ?? '') as string;

/** Makes a choice in the form and returns the text of the report. */
const manage = async (action: string) =>
	await submitted(form, [NAME, action, action.startsWith('Start') ? await draft() : '']);

const PERSON = '447700900200';
const message = (fields: Json = {}): Json => ({
	...{ requestId: '', recipient: PERSON, person: PERSON, text: 'Hello', token: 'x', run: '7' },
	...{ status: 'pending', attempts: 0, reason: '', campaign: NAME, timezone: '', number: '' },
	nextAttemptAt: new Date(0).toISOString(),
	...fields,
});

test('the tool for agents makes a draft and a report, sends nothing, and there is no tool that starts it', async () => {
	const client = new McpClient(await publish(PREPARE, '/mcp/campaigns'), {
		authorization: `Bearer ${live.entryKeys.token}`,
	});
	expect(await client.initialize()).toMatch(/A person reads the draft and starts it\./);
	const tools = await client.tools();
	expect(tools.map(({ name }) => name)).toEqual(['Campaign_draft']);
	expect(Object.keys(tools[0]!.inputSchema.properties).sort()).toEqual(['name', 'text']);

	const draft = { name: 'Opening', text: 'Hello {name}, we open on Monday.' };
	const report: unknown = JSON.parse(await client.callTool('Campaign_draft', draft));
	expect(report).toMatchObject([
		{
			...{ campaign: 'Opening', status: 'draft', messages: 200, listedTwice: 1 },
			invalidRows: [{ row: 202, reason: 'The number is invalid' }],
			next: expect.stringMatching(/A person reads the texts and starts it/),
		},
	]);
	await run(SEND);
	expect(await delivered()).toEqual([]);
	expect(await counts()).toEqual({ draft: 200, invalid: 1 });
});

browserTest(
	'is walked in the browser: the draft, the start, the phone, the opt-out page and the report',
	async (page) => {
		await page.goto(`${live.urls.n8n}/workflow/${idOf(PREPARE)}`);
		await byTestId(page, 'canvas-node').first().waitFor();
		await byTestId(page, 'execute-workflow-button').first().click();
		await waitFor('the draft', async () => (await counts()).draft === 200 || undefined);

		const choose = async (action: string) => {
			await page.goto(form);
			await page.getByRole('combobox').selectOption(action);
			if (action === 'Start') await page.getByLabel('Draft').fill(await draft());
			await page.getByRole('button', { name: 'Go' }).click();
		};
		await choose('Show the report');
		await page.getByText('Hello {name}, until Sunday').waitFor();
		expect(await violations(page)).toEqual([]);
		await choose('Start');
		await page.getByRole('heading', { name: 'Spring offer: running' }).waitFor();
		// Each run looks at a hundred rows at most.
		await run(SEND);
		await run(SEND);

		await page.goto(`${live.urls.phone}#${PERSON}`);
		const bubble = page.getByTestId('bubble').last();
		await bubble.getByText('Hello Ada, until Sunday').waitFor();
		expect(await page.getByTestId(/^chat-\d+$/).count()).toBeGreaterThan(60);
		const link = /http:\S+opt-out\S+/.exec(await bubble.innerText())![0];
		await page.goto(link);
		expect(await violations(page)).toEqual([]);
		await page.getByRole('button', { name: 'Stop the messages' }).click();
		await page.getByRole('heading', { name: 'You get no more messages' }).waitFor();
		expect(await violations(page)).toEqual([]);

		await choose('Show the report');
		await page.getByRole('cell', { name: 'Outside of the send window' }).first().waitFor();
		// New York and Los Angeles. In London it is day.
		expect(await page.getByRole('cell', { name: '65', exact: true }).count()).toBe(2);
	},
	formPassword,
);

describe('the opt-out link', () => {
	/** Prepares the campaign and returns the first row with its link. */
	async function prepared(): Promise<{ row: Row; link: string }> {
		await run(PREPARE);
		await manage('Start');
		const [row] = await rows();
		return { row: row!, link: /http:\S+$/.exec(row!.text as string)![0] };
	}

	test('stops all messages to the person, also waiting ones and those of other campaigns', async () => {
		const { row, link } = await prepared();
		// Opening it decides nothing.
		expect(await (await fetch(link)).text()).toContain('<button>Stop the messages</button>');
		expect(await rowsOf(OPT_OUTS)).toEqual([]);
		for (const _ of [1, 2])
			expect(await (await fetch(link, { method: 'POST' })).text()).toContain(
				'You get no more mess',
			);
		expect(await rowsOf(OPT_OUTS)).toMatchObject([{ token: row.token, campaign: NAME }]);
		expect(JSON.stringify(await rowsOf(OPT_OUTS))).not.toContain(PERSON);
		expect((await rows())[0]).toMatchObject({ status: 'opted out' });
		// A later row, as of another campaign or after a failed attempt.
		await insertRows(OUTBOX, [message({ token: row.token, run: row.run })]);
		for (const _ of [1, 2, 3]) await run(SEND);
		const people = (await delivered()).map(({ chatId }) => chatId);
		expect(people).toHaveLength(69);
		expect(people).not.toContain(PERSON);
		expect((await rows()).at(-1)).toMatchObject({ status: 'opted out' });
		expect(await manage('Show the report')).toMatch(/<th>Opted out<\/th><td class="count">2</);
	});

	test('does nothing without its signature, recipient and campaign', async () => {
		const { link } = await prepared();
		for (const changed of [
			link.replace(/&s=.*/, ''),
			link.replace(/&s=.*/, `&s=${'0'.repeat(32)}`),
			link.replace(/&t=\w+/, `&t=${'0'.repeat(32)}`),
			link.replace(/c=\d+/, 'c=9999'),
		]) {
			for (const method of ['GET', 'POST']) {
				expect((await fetch(changed, { method })).status).toBe(404);
			}
		}
		expect(await rowsOf(OPT_OUTS)).toEqual([]);
	});
});
