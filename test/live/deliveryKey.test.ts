import { post, textTo } from '../harness/client';
import { browserTest, useBrowser } from './browser';
import { byTestId, execute, openGatewayNode } from './editor';
import { live } from './live';
import { sandbox } from './sandbox';

useBrowser();

beforeAll(async () => {
	await sandbox.setStatus('DISCONNECTED');
	const message = { ...textTo('4915123456789', 'Later'), windowMs: 600_000 };
	await post(live.account, 'sendMessage', message);
});
afterAll(async () => {
	await sandbox.setStatus('ONLINE');
});

browserTest('chooses a deferred delivery from the list', async (page) => {
	await openGatewayNode(page, { resource: 'deferred', operation: 'get' });
	await byTestId(page, 'rlc-input').click();
	const item = byTestId(page, 'rlc-item').filter({ hasText: '4915123456789 · text · ' }).first();
	await item.waitFor();
	await item.click();
	await execute(page);
	const output = byTestId(page, 'output-panel');
	await output.getByText('Later').first().waitFor();
});
