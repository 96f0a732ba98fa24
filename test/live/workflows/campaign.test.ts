import { type Json, publishWorkflow, waitFor } from '../n8n';
import { codeOf } from '../../harness/exampleCode';
import { violations } from '../accessibility';
import { browserTest, signedOutBrowserTest, useBrowser } from '../browser';
import { byTestId } from '../editor';
import { live } from '../live';
import { sandbox } from '../sandbox';
import { deleteRows, draftOf, insertRows, type Row, rowsOf, updateRows } from './dataTables';
import {
	basicAuth,
	finalPage,
	idOf,
	postForm,
	publish,
	run,
	setFields,
	submitForm,
} from './examples';
import { McpClient } from './mcpClient';

const PREPARE = '13-campaign-prepare';
const MANAGE = '13-campaign-manage';
const OPT_OUT = '13-campaign-opt-out';
const SEND = '11-outbox-send';
const OUTBOX = 'Messaging outbox';
const NAME = 'Spring offer';
const RULES = codeOf('Rules');
/** In London it is noon, in New York 7:00, in Los Angeles 4:00. In the future, so that n8n takes no row for due that has to wait. */
const NOON_IN_LONDON = '2035-06-06T11:00:00Z';

useBrowser();

let form: string;
beforeAll(async () => {
	await setFields(MANAGE, 'Form', {});
	form = await publish(MANAGE, '/form/campaign');
	await publishWorkflow(idOf(OPT_OUT));
});

beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
	for (const table of [
		OUTBOX,
		'Messaging campaigns',
		'Messaging opt-outs',
		'Messaging known people',
	])
		await deleteRows(table);
	await setTime(NOON_IN_LONDON);
	await setLimits();
});

/** Sets the clock of the rules. */
const setTime = async (iso: string) =>
	await setFields(SEND, 'Rules', {
		jsCode: RULES.replaceAll('$now', `DateTime.fromISO('${iso}', { zone: 'UTC' })`),
	});

/** The limits of the numbers, by default those that no test reaches. */
async function setLimits(newPeoplePerDay = '1000'): Promise<void> {
	const limits = {
		...{ messagesPerMinute: 6000, dailyCaps: '1000', newPeoplePerDay },
		...{ numbers: '', whenOffline: 'wait' },
	};
	const assignments = Object.entries(limits).map(([name, value]) => ({
		...{ id: name, name, value, type: typeof value },
	}));
	await setFields(SEND, 'Settings', { assignments: { assignments } });
}

const rows = async () => await rowsOf(OUTBOX);
const delivered = async () => (await sandbox.state()).delivered;

/** How many rows have each status. */
async function counts(): Promise<Record<string, number>> {
	const all: Record<string, number> = {};
	for (const { status } of await rows()) all[status] = (all[status] ?? 0) + 1;
	return all;
}

/** Makes a choice in the form and returns the text of the report. */
async function manage(action: string, name = NAME): Promise<string> {
	const draft = action === 'Start' ? await draftOf(name) : '';
	const response = await submitForm(form, [name, action, draft]);
	const { formWaitingUrl } = (await response.json()) as { formWaitingUrl: string };
	return await finalPage(formWaitingUrl);
}

/** Makes all rows due that wait. */
const makeDue = async () =>
	await updateRows(OUTBOX, { status: 'pending' }, { nextAttemptAt: new Date(0).toISOString() });

const PERSON = '447700900200';
const messageTo = (person: string, fields: Json = {}): Json => ({
	...{
		requestId: '',
		recipient: person,
		person,
		text: `To ${person}`,
		token: `token of ${person}`,
	},
	...{ status: 'pending', attempts: 0, reason: '', campaign: NAME, timezone: '', number: '' },
	run: '7',
	nextAttemptAt: new Date(0).toISOString(),
	...fields,
});

/** Stores a running campaign whose window is always open. */
async function storeCampaign(fields: Json = {}): Promise<void> {
	await insertRows('Messaging campaigns', [
		{
			...{
				name: NAME,
				run: '7',
				status: 'running',
				timezone: 'UTC',
				windowFrom: '00:00',
				windowTo: '00:00',
			},
			...{ weekdays: '1,2,3,4,5,6,7', maxPerPerson: 0, perDays: 0, ...fields },
		},
	]);
}

test('prepares one draft per person, and sends nothing', async () => {
	for (let i = 0; i < 2; i += 1) {
		const { status, outputs } = await run(PREPARE);
		expect(status).toBe('success');
		expect(outputs('Invalid rows')[0]).toMatchObject([{ name: 'Valentina' }]);
		expect(await counts()).toEqual({ draft: 200 });
	}
	const all = await rows();
	expect(new Set(all.map(({ person }) => person)).size).toBe(200);
	expect(all[0]).toMatchObject({ person: PERSON, timezone: 'Europe/London', campaign: NAME });
	expect(all[0]!.text).toMatch(
		/^Hello Ada, .*No more messages: http:\S+\/opt-out\?c=\d+&t=\w{32}&s=\w{32}$/s,
	);
	expect(all[0]!.text).not.toContain('447700900');
	await run(SEND);
	expect(await delivered()).toEqual([]);
});

test('sends 200 messages by day in three time zones, and reports them', async () => {
	await run(PREPARE);
	expect(await manage('Show the report')).toMatch(
		/Spring offer: draft.*<th>Draft<\/th><td class="count">200</s,
	);
	expect(await manage('Start')).toMatch(
		/Spring offer: running.*<th>Waiting<\/th><td class="count">200</s,
	);
	await run(SEND);
	await run(SEND);
	expect(await counts()).toEqual({ sent: 70, pending: 130 });
	expect(new Set((await delivered()).map(({ chatId }) => chatId.slice(0, 9)))).toEqual(
		new Set(['447700900']),
	);
	const next = new Map(
		(await rows()).map(({ timezone, nextAttemptAt }) => [timezone, nextAttemptAt]),
	);
	expect(next.get('America/New_York')).toBe('2035-06-06T13:00:00.000Z');
	expect(next.get('America/Los_Angeles')).toBe('2035-06-06T16:00:00.000Z');

	// All are due for n8n. For the rules it is day in New York only.
	await makeDue();
	await setTime('2035-06-06T14:00:00Z');
	for (let i = 0; i < 2; i += 1) await run(SEND);
	expect(await counts()).toEqual({ sent: 135, pending: 65 });
	expect(await manage('Show the report')).toMatch(/<th>Sent<\/th><td class="count">135</);
	await makeDue();
	await setTime('2035-06-06T16:30:00Z');
	await run(SEND);
	expect(await counts()).toEqual({ sent: 200 });
	const people = (await delivered()).map(({ chatId }) => chatId);
	expect(people).toHaveLength(200);
	expect(new Set(people).size).toBe(200);
	expect((await run(PREPARE)).status).toBe('error');
	expect(await counts()).toEqual({ sent: 200 });
});

test('waits without an attempt while the phone is offline', async () => {
	await storeCampaign();
	await insertRows(OUTBOX, [messageTo(PERSON)]);
	await sandbox.setStatus('DISCONNECTED');
	await run(SEND);
	expect(await rows()).toMatchObject([
		{ status: 'pending', attempts: 0, reason: 'The phone is offline' },
	]);
	expect((await sandbox.requests()).map(({ endpoint }) => endpoint)).toEqual(['status']);
	expect(await manage('Show the report')).toContain('The phone is offline');
	await sandbox.setStatus('ONLINE');
	await makeDue();
	await run(SEND);
	expect(await counts()).toEqual({ sent: 1 });
});

test('the tool for agents makes a draft and a report, sends nothing, and there is no tool that starts it', async () => {
	const client = new McpClient(await publish(PREPARE, '/mcp/campaigns'), {
		authorization: `Bearer ${live.entryKeys.token}`,
	});
	expect(await client.initialize()).toMatch(/A person reads the draft and starts it\./);
	const tools = await client.tools();
	expect(tools.map(({ name }) => name)).toEqual(['Campaign_draft']);
	expect(Object.keys(tools[0]!.inputSchema.properties).sort()).toEqual(['name', 'text']);

	const text = 'Hello {name}, we open on Monday.';
	const report: unknown = JSON.parse(
		await client.callTool('Campaign_draft', { name: 'Opening', text }),
	);
	expect(report).toEqual([
		{
			campaign: 'Opening',
			status: 'draft',
			messages: 200,
			listedTwice: 1,
			invalidRows: [{ row: 202, reason: 'The number is invalid' }],
			draft: expect.any(String),
			text: `${text}\n\nNo more messages: (opt-out link)`,
			next: expect.stringMatching(/A person reads the texts and starts it/),
		},
	]);
	await run(SEND);
	expect(await delivered()).toEqual([]);
	expect(await counts()).toEqual({ draft: 200 });
});

test('pauses, resumes and stops', async () => {
	await storeCampaign();
	await insertRows(OUTBOX, [messageTo(PERSON)]);
	expect(await manage('Pause')).toContain('Spring offer: paused');
	// One that was being sent when the campaign was paused, and failed.
	await insertRows(OUTBOX, [messageTo('447700900201')]);
	await run(SEND);
	expect(await counts()).toEqual({ paused: 2 });
	expect(await manage('Start')).toMatch(
		/Spring offer: paused.*Nothing was changed: it is paused\. To go on, choose Resume\./s,
	);
	expect(await manage('Resume', ' spring OFFER')).toContain('Spring offer: running');
	expect(await counts()).toEqual({ pending: 2 });
	const stopped = await manage('Stop');
	expect(stopped).toContain('Spring offer: stopped');
	expect(stopped).not.toContain('Nothing was changed');
	for (const action of ['Start', 'Resume']) {
		expect(await manage(action)).toContain('a stopped campaign cannot be started again');
	}
	await run(SEND);
	expect(await counts()).toEqual({ stopped: 2 });
	expect(await delivered()).toEqual([]);
});

test('writes to so many new people per day', async () => {
	await setTime(new Date().toISOString());
	await setLimits('2');
	await storeCampaign();
	await insertRows(
		OUTBOX,
		[0, 1, 2].map((i) => messageTo(`44770090021${i}`)),
	);
	await run(SEND);
	expect((await rows()).map(({ status, isNew }) => [status, isNew])).toEqual([
		...['sent', 'sent'].map((status) => [status, true]),
		['pending', null],
	]);
	expect((await rows())[2]!.reason).toBe('The limit of 2 new people per day is reached');
	expect(await delivered()).toHaveLength(2);
});

test('starts nothing that another website asks for', async () => {
	await storeCampaign({ status: 'draft' });
	await postForm(form, [NAME, 'Start'], basicAuth());
	expect((await postForm(form, [NAME, 'Start'], {})).status).toBe(401);
	expect(await manage('Show the report')).toContain('Spring offer: draft');
});

const { user: username, password } = live.entryKeys;

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
			if (action === 'Start') await page.getByLabel('Draft').fill(await draftOf(NAME));
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
	() => ({ httpCredentials: { username, password } }),
);

describe('the opt-out link', () => {
	/** Prepares the campaign and returns the first row with its link. */
	async function prepared(): Promise<{ row: Row; link: string }> {
		await run(PREPARE);
		await manage('Start');
		const [row] = await rows();
		return { row: row!, link: /http:\S+$/.exec(row!.text as string)![0] };
	}

	const press = async (link: string) => await fetch(link, { method: 'POST' });

	signedOutBrowserTest(
		'opens a page in the language of the browser, and decides nothing',
		async (page) => {
			const { link } = await prepared();
			await updateRows('Messaging campaigns', { name: NAME }, { language: '' });
			for (const address of [link, link.slice(0, -1)]) {
				await page.goto(address);
				await page.locator('html[lang="ar"][dir="rtl"]').waitFor();
				expect(await page.getByRole('main').innerText()).not.toMatch(/message/i);
				expect(await violations(page)).toEqual([]);
			}
			expect(await rowsOf('Messaging opt-outs')).toEqual([]);
		},
		() => ({ locale: 'ar-EG' }),
	);

	test('stops all messages to the person, also waiting ones and those of other campaigns', async () => {
		const { row, link } = await prepared();
		for (let i = 0; i < 2; i += 1) {
			const page = await (await press(link)).text();
			expect(page).toMatch(
				/<h1>You get no more messages<.*If you change your mind, tell us in the/s,
			);
		}
		expect(await rowsOf('Messaging opt-outs')).toMatchObject([
			{ token: row.token, campaign: NAME },
		]);
		expect(JSON.stringify(await rowsOf('Messaging opt-outs'))).not.toContain(PERSON);
		expect((await rows())[0]).toMatchObject({ status: 'opted out' });
		// A later row, as of another campaign or after a failed attempt.
		await insertRows(OUTBOX, [messageTo(PERSON, { token: row.token, run: row.run })]);
		for (let i = 0; i < 3; i += 1) await run(SEND);
		const people = (await delivered()).map(({ chatId }) => chatId);
		expect(people).toHaveLength(69);
		expect(people).not.toContain(PERSON);
		expect((await rows()).at(-1)).toMatchObject({ status: 'opted out' });
		expect(await manage('Show the report')).toMatch(/<th>Opted out<\/th><td class="count">2</);
	});

	test.each([
		['without a signature', (link: string) => link.replace(/&s=.*/, '')],
		['with another signature', (link: string) => link.replace(/&s=.*/, `&s=${'0'.repeat(32)}`)],
		['for another recipient', (link: string) => link.replace(/&t=\w+/, `&t=${'0'.repeat(32)}`)],
		['with another campaign', (link: string) => link.replace(/c=\d+/, 'c=9999')],
	])('does nothing %s', async (_, change) => {
		const { link } = await prepared();
		for (const method of ['GET', 'POST']) {
			expect((await fetch(change(link), { method })).status).toBe(404);
		}
		expect(await rowsOf('Messaging opt-outs')).toEqual([]);
	});
});
