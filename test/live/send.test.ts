import { browserTest, screenshot, useBrowser } from './browser';
import { addOption, byTestId, choose, chooseAction, execute, field, openNodePanel } from './editor';
import { sandbox } from './sandbox';

useBrowser();
beforeEach(async () => await sandbox.reset());

browserTest('sends a message and outputs the gateway’s response', async (page) => {
	await sandbox.setStatus('ONLINE');
	await openNodePanel(page, 'messaging gateway');
	await chooseAction(page, 'Send text message');
	await field(page, 'chatId').fill('+49 (151) 234-567');
	await field(page, 'text').fill('Grüße, your table is booked 🍝');
	await execute(page);
	await byTestId(page, 'node-run-status-success').waitFor();
	await byTestId(page, 'output-panel').getByText('49151234567').first().waitFor();
	await screenshot(page, 'send');

	const { delivered } = await sandbox.state();
	expect(delivered).toHaveLength(1);
	expect(delivered[0]).toMatchObject({
		chatId: '49151234567',
		text: 'Grüße, your table is booked 🍝',
	});
	await byTestId(page, 'output-panel').getByText(delivered[0]!.messageId).first().waitFor();
});

browserTest('says what to do if the session is not online', async (page) => {
	await openNodePanel(page, 'messaging gateway');
	await chooseAction(page, 'Send text message');
	await field(page, 'chatId').fill('49151234567');
	await field(page, 'text').fill('Hello');
	await execute(page);
	await byTestId(page, 'node-error-message').getByText('The session is not online').waitFor();
	await byTestId(page, 'node-error-description').getByText('Use Session > Pair').waitFor();
	await screenshot(page, 'send-not-online');
	expect((await sandbox.state()).delivered).toEqual([]);
});

browserTest('reads a local number with the default country', async (page) => {
	await sandbox.setStatus('ONLINE');
	await openNodePanel(page, 'messaging gateway');
	await chooseAction(page, 'Send text message');
	await field(page, 'chatId').fill('0151 234567');
	await field(page, 'text').fill('Hello');
	await addOption(page, 'Default Country');
	await choose(page, 'defaultCountry', 'Germany');
	await execute(page);
	await byTestId(page, 'node-run-status-success').waitFor();
	await screenshot(page, 'default-country');
	expect((await sandbox.state()).delivered).toMatchObject([{ chatId: '49151234567' }]);
});

browserTest('says in the output that a rate limit slowed the run down', async (page) => {
	await sandbox.setStatus('ONLINE');
	await sandbox.faults([{ endpoint: 'sendMessage', times: 1, status: 429, retryAfter: 1 }]);
	await openNodePanel(page, 'messaging gateway');
	await chooseAction(page, 'Send text message');
	await field(page, 'chatId').fill('49151234567');
	await field(page, 'text').fill('Hello');
	await execute(page);
	await byTestId(page, 'node-run-status-success').waitFor();
	await byTestId(page, 'output-panel')
		.getByText('The gateway limited the rate (429, last at')
		.waitFor();
	await screenshot(page, 'send-rate-limited');
});
