import { inBrowser, picture, useBrowser } from './browser';
import { chooseAction, execute, field, openNodePanel, part } from './editor';
import { sandbox } from './sandbox';

useBrowser();
beforeEach(async () => await sandbox.reset());

inBrowser(
	'a message filled in by hand arrives, and the gateway’s answer is the output',
	async (page) => {
		await sandbox.setStatus('ONLINE');
		await openNodePanel(page, 'messaging gateway');
		await chooseAction(page, 'Send text message');
		await field(page, 'chatId').fill('+49 (151) 234-567');
		await field(page, 'text').fill('Grüße, your table is booked 🍝');
		await execute(page);
		await part(page, 'node-run-status-success').waitFor();
		await part(page, 'output-panel').getByText('49151234567').first().waitFor();
		await picture(page, 'send');

		const { delivered } = await sandbox.state();
		expect(delivered).toHaveLength(1);
		expect(delivered[0]).toMatchObject({
			chatId: '49151234567',
			text: 'Grüße, your table is booked 🍝',
		});
		await part(page, 'output-panel').getByText(delivered[0]!.messageId).first().waitFor();
	},
);

inBrowser('a message to a phone that is not there says what to do', async (page) => {
	await openNodePanel(page, 'messaging gateway');
	await chooseAction(page, 'Send text message');
	await field(page, 'chatId').fill('49151234567');
	await field(page, 'text').fill('Hello');
	await execute(page);
	await part(page, 'node-error-message').getByText('The session is not online').waitFor();
	await part(page, 'node-error-description').getByText('Use Session > Start').waitFor();
	await picture(page, 'send-not-online');
	expect((await sandbox.state()).delivered).toEqual([]);
});
