import { post, textTo } from '../harness/client';
import { browserTest, screenshot, useBrowser } from './browser';
import { byTestId, execute, openGatewayNode } from './editor';
import { live } from './live';
import { sandbox } from './sandbox';

useBrowser();

let deliveryKey: string;
beforeAll(async () => {
	await sandbox.setStatus('DISCONNECTED');
	const message = { ...textTo('4915123456789', 'Later'), windowMs: 600_000 };
	({ deliveryKey } = (await post(live.account, 'sendMessage', message)).json as never);
});
afterAll(async () => {
	await sandbox.setStatus('ONLINE');
});

const get = { resource: 'deferred', operation: 'get' };

browserTest('chooses a deferred delivery from the list', async (page) => {
	await openGatewayNode(page, get);
	await byTestId(page, 'rlc-input').click();
	const item = byTestId(page, 'rlc-item').filter({ hasText: '4915123456789 · text · ' }).first();
	await item.waitFor();
	await screenshot(page, 'delivery-list');
	await item.click();
	await execute(page);
	const output = byTestId(page, 'output-panel');
	await output.getByText('Later').first().waitFor();
});

browserTest('shows and runs the plain text of a saved workflow', async (page) => {
	await openGatewayNode(page, { ...get, deliveryKey });
	const field = byTestId(page, 'rlc-input');
	await field.waitFor();
	await screenshot(page, 'delivery-plain-text');
	expect(await field.inputValue()).toBe(deliveryKey);
	await execute(page);
	await byTestId(page, 'output-panel').getByText('Later').first().waitFor();
});
