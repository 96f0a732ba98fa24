import { browserTest, screenshot, useBrowser } from './browser';
import { addOption, byTestId, choose, chooseAction, execute, field, openNodePanel } from './editor';
import { waitFor } from './n8n';
import { sandbox } from './sandbox';

useBrowser();
beforeEach(async () => await sandbox.reset());

type Page = Parameters<typeof execute>[0];

async function fillIn(page: Page): Promise<void> {
	await openNodePanel(page, 'messaging gateway');
	await chooseAction(page, 'Send text message');
	await field(page, 'chatId').fill('49151234567');
	await field(page, 'text').fill('Hello');
}

const requests = async () =>
	(await sandbox.requests()).map(({ method, url }) => `${method} ${url.split('/').at(-1)}`);

browserTest('with When Offline set to Stop, says how to pair and sends nothing', async (page) => {
	await sandbox.setStatus('DISCONNECTED');
	await fillIn(page);
	await addOption(page, 'When Offline');
	await choose(page, 'offlineAction', 'Stop');
	await execute(page);
	await byTestId(page, 'node-error-message')
		.getByText('The session is not online: its status is DISCONNECTED')
		.waitFor();
	await byTestId(page, 'node-error-description').getByText('Session > Pair').waitFor();
	await screenshot(page, 'when-offline-stop');
	expect(await requests()).toEqual(['GET status']);
});

browserTest('with Wait, sends when the session comes online', async (page) => {
	await sandbox.setStatus('DISCONNECTED');
	await fillIn(page);
	await addOption(page, 'When Offline');
	expect(await field(page, 'offlineAction').inputValue()).toBe('Wait');
	expect(await field(page, 'onlineTimeout').inputValue()).toBe('120');
	await byTestId(page, 'node-execute-button').click();
	await waitFor('two polls', async () => (await requests()).length >= 2 || undefined);
	await sandbox.setStatus('ONLINE');
	await byTestId(page, 'node-run-status-success').waitFor();
	expect((await sandbox.state()).delivered).toHaveLength(1);
	expect((await requests()).at(-1)).toBe('POST sendMessage');
});

browserTest('preselects values for options that are added', async (page) => {
	await sandbox.setStatus('DISCONNECTED');
	await fillIn(page);
	await addOption(page, 'Idempotency Key');
	await addOption(page, 'Delivery Window');
	await addOption(page, 'Messages per Minute');
	await addOption(page, 'Text Format');
	expect(await field(page, 'amount').inputValue()).toBe('1');
	expect(await field(page, 'unit').inputValue()).toBe('Hours');
	expect(await field(page, 'idempotencyKey').inputValue()).toBe('Automatic');
	expect(await field(page, 'messagesPerMinute').inputValue()).toBe('20');
	expect(await field(page, 'textFormat').inputValue()).toBe('Markdown');
	await screenshot(page, 'added-options');
	await execute(page);
	await byTestId(page, 'node-run-status-success').waitFor();
	const [request] = await sandbox.requests();
	expect(JSON.parse(request!.bodyText!)).toMatchObject({
		windowMs: 3_600_000,
		idempotencyKey: expect.stringMatching(/^n8n-/) as string,
	});
});

browserTest('finds the default country by its calling code and its usual names', async (page) => {
	await fillIn(page);
	await addOption(page, 'Default Country');
	for (const [typed, expected] of [
		['+49', 'Germany (DE, +49, Deutschland)'],
		['USA', 'United States (US, +1, USA)'],
	] as const) {
		await field(page, 'defaultCountry').click();
		await page.keyboard.type(typed);
		const found = page.getByRole('option').filter({ visible: true });
		await found.first().waitFor();
		expect((await found.allInnerTexts()).map((name) => name.trim())).toEqual([expected]);
		await found.first().click();
	}
	await screenshot(page, 'default-country');
});
