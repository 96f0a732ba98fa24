import { browserTest, useBrowser } from './browser';
import { openNextNode } from './editor';

useBrowser();

browserTest('offers the output fields to the next node before anything has run', async (page) => {
	const input = await openNextNode(page);
	await input.getByText('Preview', { exact: true }).waitFor();
	for (const field of ['outcome', 'messageId', 'chatId', 'deliveryKey']) {
		await input.getByText(field, { exact: true }).first().waitFor();
	}
});
