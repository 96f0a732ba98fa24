import type { Page } from 'playwright-core';

import { browserTest, useBrowser } from './browser';
import { byTestId } from './editor';
import { live } from './live';
import { unpublishWorkflow } from './n8n';
import { sandbox } from './sandbox';
import { idOf } from './workflows/examples';

const CRM = '2-crm-webhook-to-message';

useBrowser();
// Its buttons say first that it is not published. Other tests may have published it.
beforeAll(async () => await unpublishWorkflow(idOf(CRM)));
beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});

const example = (page: Page, name: string) =>
	page.getByTestId('example').filter({ has: page.locator(`summary:text-is("${name}")`) });

async function openExample(page: Page, name: string) {
	const row = example(page, name);
	// Of a new page, the first is open.
	if (!(await row.locator('details[open]').count())) await row.locator('summary').click();
	return row;
}

async function openPhone(page: Page): Promise<void> {
	await page.goto(live.urls.phone);
	await page.getByTestId('example').first().waitFor();
}

const deliveredTexts = async () => (await sandbox.state()).delivered.map(({ text }) => text);

browserTest('lists every example, each with steps and its workflow in n8n', async (page) => {
	await openPhone(page);
	const rows = page.getByTestId('example');
	const links = await rows.evaluateAll((list) =>
		list.map((row) => row.querySelector('a.primary')?.getAttribute('href')),
	);
	const workflows = Object.values(live.workflows).map((id) => `${live.urls.n8n}/workflow/${id}`);
	// After the examples comes a credential of your own.
	expect(links.filter(Boolean).sort()).toEqual(workflows.sort());
	expect(links.at(-1)).toBeUndefined();
	expect(links).toHaveLength(workflows.length + 1);
	const names = (await rows.locator('summary').allTextContents()).slice(0, -1);
	const numbers = names.map((name) => Number.parseInt(name, 10));
	expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
	for (const steps of await rows.locator('.steps').all()) {
		expect(await steps.locator('li').count()).toBeGreaterThan(0);
	}
});

browserTest(
	'sends the CRM event, signed as example 2 expects, and the same again',
	async (page) => {
		const name = '2. Send a message when a CRM reports a won deal';
		await openPhone(page);
		const row = await openExample(page, name);
		const response = row.getByTestId('example-response');
		await row.getByRole('button', { name: 'Send the CRM event' }).click();
		await response.getByText('click Publish, then send').waitFor();

		const opened = page.context().waitForEvent('page');
		await row.getByRole('link', { name: 'Open in n8n' }).click();
		const editor = await opened;
		await byTestId(editor, 'canvas-node').first().waitFor();
		await byTestId(editor, 'workflow-open-publish-modal-button').click();
		await byTestId(editor, 'workflow-publish-button').click();
		await editor.getByText('Published', { exact: true }).first().waitFor();
		await editor.close();
		await row.getByRole('button', { name: 'Send the CRM event' }).click();
		await response.getByText('200 {"sent":true,"outcome":"sent"}').waitFor();
		await page.getByTestId('chat-447700900123').waitFor();

		const first = /ID (\d+)/.exec((await response.textContent())!)?.[1];
		await row.getByRole('button', { name: 'Send it again' }).click();
		await response.getByText(`200 {"sent":true,"outcome":"duplicate"} ID ${first}`).waitFor();
		expect(await deliveredTexts()).toEqual([
			"Hello Ada, thank you for your order of 249.50 €. We'll be in touch soon.",
		]);

		await row.getByRole('button', { name: 'Send the CRM event with a new ID' }).click();
		await response.getByText('200 {"sent":true,"outcome":"sent"} ID').waitFor();
		expect(await response.textContent()).not.toContain(first);
		expect(await deliveredTexts()).toHaveLength(2);
		await unpublishWorkflow(idOf(CRM));
	},
);
