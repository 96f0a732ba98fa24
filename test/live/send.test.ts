import type { Page } from 'playwright-core';

import { browserTest, useBrowser } from './browser';
import { addOption, byTestId, chooseAction, execute, field, openNodePanel } from './editor';
import { sandbox } from './sandbox';

useBrowser();
beforeEach(async () => await sandbox.reset());

async function fillIn(page: Page, chatId = '49151234567', text = 'Hello'): Promise<void> {
	await openNodePanel(page, 'messaging gateway');
	await chooseAction(page, 'Send text message');
	await field(page, 'chatId').fill(chatId);
	await field(page, 'text').fill(text);
}

browserTest('sends a message and outputs the gateway’s response', async (page) => {
	await sandbox.setStatus('ONLINE');
	await fillIn(page, '+49 (151) 234-567', 'Grüße, your table is booked 🍝');
	await execute(page);
	await byTestId(page, 'node-run-status-success').waitFor();
	await byTestId(page, 'output-panel').getByText('49151234567').first().waitFor();

	const { delivered } = await sandbox.state();
	expect(delivered).toMatchObject([
		{ chatId: '49151234567', text: 'Grüße, your table is booked 🍝' },
	]);
	await byTestId(page, 'output-panel').getByText(delivered[0]!.messageId).first().waitFor();
});

browserTest('says what to do if the session is not online', async (page) => {
	await fillIn(page);
	await execute(page);
	await byTestId(page, 'node-error-message').getByText('The session is not online').waitFor();
	await byTestId(page, 'node-error-description').getByText('Use Session > Pair').waitFor();
	expect((await sandbox.state()).delivered).toEqual([]);
});

browserTest('says in the output that a rate limit slowed the run down', async (page) => {
	await sandbox.setStatus('ONLINE');
	await sandbox.faults([{ endpoint: 'sendMessage', times: 1, status: 429, retryAfter: 1 }]);
	await fillIn(page);
	await execute(page);
	await byTestId(page, 'node-run-status-success').waitFor();
	await byTestId(page, 'output-panel')
		.getByText('The gateway limited the rate (429, last at')
		.waitFor();
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
});
