/** The files of a campaign in another n8n: empty but for the package, with one credential to set. */
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { browserTest, useBrowser } from '../browser';
import { byTestId, field, newCredential } from '../editor';
import { live } from '../live';
import { callN8n, publishWorkflow, setActive, waitFor } from '../n8n';
import { useEmptyN8n } from '../ownN8n';
import { sandbox } from '../sandbox';
import { draftOf, rowsOf } from './dataTables';
import { basicAuth, idOf, run, setFields } from './examples';

const ROOT = join(__dirname, '../../..');
const PREPARE = '13-campaign-prepare';
const MANAGE = '13-campaign-manage';
const OPT_OUT = '13-campaign-opt-out';
const SEND = '11-outbox-send';
const KIT = [SEND, PREPARE, OPT_OUT, MANAGE];
const OUTBOX = 'Messaging outbox';
const FORM = '/form/campaign';

interface Workflow {
	id: string;
	name: string;
	nodes: Array<{
		name: string;
		type: string;
		parameters: { assignments?: { assignments: Array<{ name: string; value: unknown }> } };
		credentials?: Record<string, { id: string }>;
	}>;
}

useEmptyN8n();

useBrowser();

const workflow = async (file: string) => await callN8n<Workflow>('GET', `/workflows/${idOf(file)}`);

/** Creates the credential under the name that n8n suggests. */
async function createCredential(page: Page): Promise<void> {
	const dialog = await newCredential(page);
	await field(page, 'baseUrl').fill(live.account.baseUrl);
	await field(page, 'gatewayToken').fill(live.account.token);
	await field(page, 'gatewaySecret').fill(live.account.secret);
	await byTestId(page, 'credential-save-button').click();
	await dialog.getByText('Connection tested successfully').waitFor();
}

/** Imports a file as workflows/README.md says, and remembers its id. */
async function importFile(page: Page, file: string): Promise<void> {
	await page.goto(`${live.urls.n8n}/workflow/new`);
	await byTestId(page, 'canvas-add-button').waitFor();
	await byTestId(page, 'workflow-menu').click();
	const chosen = page.waitForEvent('filechooser');
	await page.getByRole('menuitem', { name: 'Import' }).hover();
	await page.getByRole('menuitem', { name: 'From file' }).click();
	await (await chosen).setFiles(join(ROOT, 'workflows', `${file}.json`));
	await byTestId(page, 'canvas-node').first().waitFor();
	await page.keyboard.press('Control+s');
	live.workflows[`${file}.json`] = await waitFor(`the id of ${file}`, async () => {
		const id = /\/workflow\/(\w+)(?=\?|$)/.exec(page.url())?.[1];
		return id === 'new' ? undefined : id;
	});
	// The editor knows the id before n8n has stored the workflow.
	await waitFor(`${file} in n8n`, async () => {
		const stored = await workflow(file).catch(() => undefined);
		return stored?.nodes.length || undefined;
	});
}

/** Sets fields of a Set node, as the note of the workflow says. */
async function set(file: string, name: string, values: Record<string, unknown>): Promise<void> {
	const { nodes } = await workflow(file);
	const { assignments } = nodes.find((node) => node.name === name)!.parameters.assignments!;
	const changed = assignments.map((assignment) => ({
		...assignment,
		value: values[assignment.name] ?? assignment.value,
	}));
	await setFields(file, name, { assignments: { assignments: changed } });
}

/** Makes a choice in the editor, and returns the report that it shows. */
async function manage(action: string, draft = ''): Promise<string> {
	await set(MANAGE, 'Choice', { action, draft });
	const { status, outputs } = await run(MANAGE);
	expect(status).toBe('success');
	return outputs('Report in the editor')[0]![0]!.html as string;
}

browserTest('has the credential first', createCredential);

for (const file of KIT)
	browserTest(`imports ${file}`, async (page) => await importFile(page, file));

test('every node has the one credential', async () => {
	const credentials = await callN8n<Array<{ id: string }>>('GET', '/credentials');
	expect(credentials).toMatchObject([{ name: 'Messaging Gateway account' }]);
	const nodes = (await Promise.all(KIT.map(workflow))).flatMap((each) => each.nodes);
	const ours = nodes.filter(({ type }) => type.startsWith('n8n-nodes-messaging-gateway.'));
	expect(ours.map(({ name, credentials: own }) => [name, own?.messagingGatewayApi?.id])).toEqual(
		['Session status', 'Send', 'Check'].map((name) => [name, credentials[0]!.id]),
	);
});

test('prepares, starts and sends a campaign from the editor, and takes an opt-out', async () => {
	// So that it is day for everybody, whenever this test runs.
	await set(PREPARE, 'Settings', { windowFrom: '00:00', windowTo: '00:00' });
	for (let i = 0; i < 2; i += 1) expect((await run(PREPARE)).status).toBe('success');
	// Preparing again makes no other key.
	const [{ key } = { key: undefined }, ...others] = await rowsOf('Messaging keys');
	expect(key).toMatch(/^[0-9a-f]{64}$/);
	expect(others).toEqual([]);

	const shown = [await manage('Show the report')];
	expect(shown[0]).not.toContain('<a ');
	for (const file of [SEND, OPT_OUT]) await publishWorkflow(idOf(file));
	// Whoever has not read the texts does not know the draft.
	expect(await manage('Start')).toContain('Spring offer: draft');
	shown.push(await manage('Start', await draftOf('Spring offer')));
	expect(shown[1]).toContain('Spring offer: running');
	await waitFor('the first messages', async () => (await sandbox.state()).delivered[0]);

	// The last person, whose message still waits.
	const last = (await rowsOf(OUTBOX)).at(-1)!;
	expect(last.status).toBe('pending');
	const link = /http:\S+\/opt-out\S+$/.exec(last.text as string)![0];
	shown.push(link, await (await fetch(link)).text());
	shown.push(await (await fetch(link, { method: 'POST' })).text());
	expect(shown.at(-1)).toContain('<h1>You get no more messages</h1>');
	expect(await rowsOf('Messaging opt-outs')).toMatchObject([{ token: last.token }]);
	expect((await rowsOf(OUTBOX)).at(-1)).toMatchObject({ status: 'opted out' });
	shown.push(await manage('Stop'));
	for (const text of shown) expect(text).not.toContain(key);
});

test('publishes no form that works without a password', async () => {
	const url = `${live.urls.n8n}${FORM}`;
	await setActive(idOf(MANAGE), true).catch(() => undefined);
	expect((await fetch(url)).status).toBe(404);
	await setFields(MANAGE, 'Form', {});
	await setActive(idOf(MANAGE), true).catch(() => undefined);
	for (const headers of [{}, basicAuth()]) {
		expect([401, 404]).toContain((await fetch(url, { headers })).status);
	}
});
