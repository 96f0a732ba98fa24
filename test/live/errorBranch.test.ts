import { inBrowser, picture, useBrowser } from './browser';
import { execute, openView, part } from './editor';
import { messagingGateway, newWorkflow, startByHand } from './newWorkflow';
import { sandbox } from './sandbox';

useBrowser();
beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});

inBrowser('what cannot be sent leaves by the Error output, the rest by the other', async (page) => {
	const send = messagingGateway({ chatId: '={{ $json.phone }}', text: 'Hello' });
	const phones = ['+44 7700 900123', 'no number yet', '+44 7700 900124'];
	const workflow = await newWorkflow([startByHand, { ...send, onError: 'continueErrorOutput' }], {
		pinData: { Start: phones.map((phone) => ({ json: { phone } })) },
	});
	await openView(page, workflow);
	await execute(page);
	const output = part(page, 'output-panel');
	await output.getByText('Success Branch (2 items)').waitFor();
	await output.getByText('Error Branch (1 item)').click();
	await output.getByText("'Chat ID' cannot be 'no number yet'").waitFor();
	await picture(page, 'error-branch');

	const { delivered } = await sandbox.state();
	expect(delivered.map(({ chatId }) => chatId).sort()).toEqual(['447700900123', '447700900124']);
});
