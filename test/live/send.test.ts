import type { Page } from 'playwright-core';

import { browserTest, useBrowser } from './browser';
import { addAction, byTestId, execute, field } from './editor';
import { sandbox } from './sandbox';

useBrowser();
beforeEach(async () => await sandbox.reset());

async function fillIn(page: Page, chatId = '49151234567', text = 'Hello'): Promise<void> {
	await addAction(page, 'Send text message');
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
