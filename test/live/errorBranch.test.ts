import { browserTest, useBrowser } from './browser';
import { execute, openNode, byTestId } from './editor';
import { messagingGateway, createWorkflow, manualTrigger } from './createWorkflow';
import { sandbox, useSandbox } from './sandbox';

useBrowser();
useSandbox();

browserTest(
	'outputs failed items on the error branch and sent items on the success branch',
	async (page) => {
		const send = messagingGateway({ chatId: '={{ $json.phone }}', text: 'Hello' });
		const phones = ['+44 7700 900123', 'no number yet', '+44 7700 900124'];
		const nodes = [manualTrigger, { ...send, onError: 'continueErrorOutput' }];
		const pinData = { Start: phones.map((phone) => ({ json: { phone } })) };
		await openNode(page, await createWorkflow(nodes, { pinData }));
		await execute(page);
		const output = byTestId(page, 'output-panel');
		await output.getByText('Success Branch (2 items)').waitFor();
		await output.getByText('Error Branch (1 item)').click();
		await output.getByText("'Chat ID' cannot be 'no number yet'").waitFor();
		// The item keeps its input.
		await output.getByText('no number yet', { exact: true }).waitFor();

		const { delivered } = await sandbox.state();
		expect(delivered.map(({ chatId }) => chatId).sort()).toEqual(['447700900123', '447700900124']);
	},
);
