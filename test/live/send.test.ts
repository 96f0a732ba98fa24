import type { Page } from 'playwright-core';

import { browserTest, useBrowser } from './browser';
import { createWorkflow, manualTrigger, messagingGateway } from './createWorkflow';
import { addAction, byTestId, execute, field, openNode } from './editor';
import { callN8n, createCredential } from './n8n';
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

browserTest('finds a recipient by name in the list of the credential', async (page) => {
	await sandbox.setStatus('ONLINE');
	const allowedRecipients = '+44 7700 900124\nAda Lovelace = +44 7700 900123';
	const credential = await createCredential({ sendTo: 'allowed', allowedRecipients });
	const chatId = { __rl: true, mode: 'list', value: '' };
	const node = {
		...messagingGateway({ chatId, text: 'Hello' }),
		credentials: { messagingGatewayApi: credential },
	};
	await openNode(page, await createWorkflow([manualTrigger, node]));
	await byTestId(page, 'rlc-input').click();
	await byTestId(page, 'rlc-search').fill('lovelace');
	const found = byTestId(page, 'rlc-item');
	await found.getByText('Ada Lovelace').waitFor();
	expect(await found.allInnerTexts()).toEqual(['Ada Lovelace']);
	await found.click();
	await execute(page);
	await byTestId(page, 'node-run-status-success').waitFor();
	expect((await sandbox.state()).delivered).toMatchObject([{ chatId: '447700900123' }]);
	await callN8n('DELETE', `/credentials/${credential.id}`);
});

browserTest('says what to do if the session is not online', async (page) => {
	await fillIn(page);
	await execute(page);
	await byTestId(page, 'node-error-message').getByText('The session is not online').waitFor();
	await byTestId(page, 'node-error-description').getByText('Use Session > Pair').waitFor();
	expect((await sandbox.state()).delivered).toEqual([]);
});
