import type { Locator, Page } from 'playwright-core';

import { violations } from './accessibility';
import { browserTest, screenshot, useBrowser } from './browser';
import { byTestId } from './editor';
import { live } from './live';
import { unpublishWorkflow, waitFor } from './n8n';
import { sandbox } from './sandbox';
import { idOf } from './workflows/examples';

/** Whose buttons say first that they are not published. Other tests may have published them. */
const WITH_BUTTONS = ['2-crm-webhook-to-message', '11-outbox-in', '11-outbox-send'];

useBrowser();
beforeAll(async () => {
	for (const file of WITH_BUTTONS) await unpublishWorkflow(idOf(file));
});
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

/** Follows 'Open in n8n', and clicks Publish there. */
async function publishInN8n(page: Page, name: string): Promise<void> {
	const opened = page.context().waitForEvent('page');
	await (await openExample(page, name)).getByRole('link', { name: 'Open in n8n' }).click();
	const editor = await opened;
	await byTestId(editor, 'canvas-node').first().waitFor();
	await byTestId(editor, 'workflow-open-publish-modal-button').click();
	await byTestId(editor, 'workflow-publish-button').click();
	await editor.getByText('Published', { exact: true }).first().waitFor();
	await editor.close();
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

browserTest('opens one example at a time, and copies what to enter', async (page) => {
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	await openPhone(page);
	const copied = async () => await page.evaluate(() => navigator.clipboard.readText());
	const first = await openExample(page, '1. Send a message from a form');
	await first.getByRole('button', { name: 'Copy Password' }).click();
	await first.getByText('Copied').waitFor();
	expect(await copied()).toBe(live.entryKeys.password);
	await screenshot(page, 'try-it');

	const own = await openExample(page, 'A credential of your own');
	expect(await first.getByRole('button', { name: 'Copy Password' }).isVisible()).toBe(false);
	for (const [label, value] of [
		['Base URL', live.account.baseUrl],
		['Token', live.account.token],
		['Secret', live.account.secret],
	] as const) {
		await own.getByRole('button', { name: `Copy ${label}` }).click();
		expect(await copied()).toBe(value);
	}
	// A long value ends with an ellipsis.
	const tools = page.locator('aside.tools');
	const widths = await tools.evaluate(({ scrollWidth, clientWidth }) => ({
		scrollWidth,
		clientWidth,
	}));
	expect(widths.scrollWidth).toBe(widths.clientWidth);
});

browserTest('scrolls an example into view that opens at the lower edge', async (page) => {
	await page.setViewportSize({ width: 1400, height: 900 });
	await openPhone(page);
	// Otherwise the others move up when it closes.
	await example(page, '1. Send a message from a form').locator('summary').click();
	const own = example(page, 'A credential of your own');
	await own.evaluate((row) => row.scrollIntoView({ block: 'end' }));
	await own.locator('summary').click();
	const lowest = own.getByRole('button', { name: 'Copy Secret' });
	await lowest.waitFor();
	await waitUntilInView(lowest);
});

async function waitUntilInView(locator: Locator): Promise<void> {
	const isInView = async () =>
		await locator.evaluate((shown) => {
			const { top, bottom, left } = shown.getBoundingClientRect();
			return shown.contains(document.elementFromPoint(left + 2, (top + bottom) / 2));
		});
	await waitFor('its place in the view', async () => (await isInView()) || undefined);
}

browserTest(
	'sends the CRM event, signed as example 2 expects, and the same again',
	async (page) => {
		const name = '2. Send a message when a CRM reports a won deal';
		await openPhone(page);
		const row = await openExample(page, name);
		const response = row.getByTestId('example-response');
		await row.getByRole('button', { name: 'Send the CRM event' }).click();
		await response.getByText('click Publish, then send').waitFor();

		await publishInN8n(page, name);
		await row.getByRole('button', { name: 'Send the CRM event' }).click();
		await response.getByText('200 {"sent":true,"outcome":"sent"}').waitFor();
		await page.getByTestId('chat-447700900123').waitFor();
		await screenshot(page, 'try-it-crm');

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
		await unpublishWorkflow(idOf('2-crm-webhook-to-message'));
	},
);

browserTest('sends the order that example 11 stores, and the next example sends', async (page) => {
	await page.setViewportSize({ width: 1400, height: 900 });
	await openPhone(page);
	const name = '11. Outbox: store requests';
	await publishInN8n(page, name);
	const row = example(page, name);
	await row.getByRole('button', { name: 'Send the order' }).click();
	const response = row.getByTestId('example-response');
	await response.getByText('200 {"stored":true').waitFor();
	await waitUntilInView(response);
	await publishInN8n(page, '11. Outbox: send stored requests');
	await waitFor(
		'the message',
		async () => (await deliveredTexts()).includes('Your order is on its way.') || undefined,
	);
	for (const file of ['11-outbox-in', '11-outbox-send']) await unpublishWorkflow(idOf(file));
});

browserTest('a narrow screen has a button with the words of the terminal', async (page) => {
	await page.goto(live.urls.phone);
	for (const width of [390, 1024]) {
		await page.setViewportSize({ width, height: 700 });
		const button = page.locator('header').getByText('Try it', { exact: true });
		await button.waitFor();
		const { x, width: ownWidth } = (await button.boundingBox())!;
		expect([x >= 0, x + ownWidth <= width]).toEqual([true, true]);
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
	}
});

browserTest('is a sheet on a narrow screen, and its tabs follow the arrow keys', async (page) => {
	await page.setViewportSize({ width: 390, height: 760 });
	await page.goto(live.urls.phone);
	await page.getByRole('button', { name: 'Try it' }).click();
	await page.getByTestId('example').first().waitFor();
	await screenshot(page, 'try-it-narrow');
	await page.getByRole('tab', { name: 'Try it' }).focus();
	await page.keyboard.press('ArrowRight');
	await page.getByTestId('fault-429').waitFor();
	expect(await page.getByTestId('example').first().isVisible()).toBe(false);
	await page.keyboard.press('ArrowRight');
	await page.getByTestId('example').first().waitFor();
});

describe('axe-core finds nothing', () => {
	for (const colorScheme of ['light', 'dark'] as const) {
		browserTest(
			`in an open example, ${colorScheme}`,
			async (page) => {
				await openPhone(page);
				const row = await openExample(page, '2. Send a message when a CRM reports a won deal');
				await row.getByRole('button', { name: 'Send the CRM event' }).click();
				await row.getByText('click Publish, then').waitFor();
				await screenshot(page, `try-it-${colorScheme}`);
				expect(await violations(page)).toEqual([]);
			},
			() => ({ colorScheme }),
		);
	}
});
