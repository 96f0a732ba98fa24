import { browserTest, screenshot, useBrowser } from './browser';
import { currentQrCode, readQrCode } from './camera';
import { execute, openGatewayNode } from './editor';
import { live } from './live';
import { publishWorkflow, waitFor } from './n8n';
import { messagingGateway, createWorkflow } from './createWorkflow';
import { sandbox } from './sandbox';
import { run } from './workflows/examples';
import { McpClient } from './workflows/mcpClient';

useBrowser();
beforeEach(async () => await sandbox.reset());

browserTest('pairs the phone on its page, which then shows a text and an image', async (page) => {
	const phone = await page.context().newPage();
	await phone.goto(live.urls.phone);
	const waitForStatus = async (text: string) =>
		await phone.getByTestId('status').getByText(text, { exact: true }).waitFor();
	await waitForStatus('Session not started');

	await openGatewayNode(page, { resource: 'session', operation: 'start' });
	await execute(page);
	await waitForStatus('Waiting for a scan');
	await waitFor('the current QR code', async () => {
		const code = await currentQrCode();
		return (await readQrCode(phone.getByTestId('qr'))) === code || undefined;
	});
	await screenshot(phone, 'phone-before-pairing');
	await phone.getByTestId('scan').click();
	await waitForStatus('Online');
	expect((await sandbox.state()).status).toBe('ONLINE');

	await openGatewayNode(page, { chatId: '+44 7700 900123', text: 'Your table is booked' });
	await execute(page);
	await phone.getByTestId('chat-447700900123').click();
	await phone.getByTestId('bubble').getByText('Your table is booked').waitFor();

	await run('5-image-and-invoice');
	const image = phone.locator('[data-testid="bubble"][data-kind="picture"] img');
	await waitFor('the image to load', async () => {
		const width = await image.evaluate((shown: HTMLImageElement) => shown.naturalWidth);
		return width > 0 || undefined;
	});
	await screenshot(phone, 'phone');
});

test('pairs a phone with the operations as tools of a model', async () => {
	const client = new McpClient(await createMcpServer());
	await client.initialize();
	const code = await client.callTool('Pair', {});
	expect(code).toContain(await currentQrCode());
	await sandbox.scan();
	expect(await client.callTool('Wait_Until_Online', {})).toContain('"online":true');
});

async function createMcpServer(): Promise<string> {
	const path = crypto.randomUUID();
	const server = {
		id: 'server',
		name: 'MCP server',
		type: '@n8n/n8n-nodes-langchain.mcpTrigger',
		typeVersion: 2,
		webhookId: path,
		parameters: { path },
	};
	const tools = ['pair', 'waitUntilOnline'].map((operation) => ({
		...messagingGateway({ resource: 'session', operation }),
		id: operation,
		name: operation === 'pair' ? 'Pair' : 'Wait Until Online',
		type: 'n8n-nodes-messaging-gateway.messagingGatewayTool',
	}));
	const link = { ai_tool: [[{ node: server.name, type: 'ai_tool', index: 0 }]] };
	const connections = Object.fromEntries(tools.map(({ name }) => [name, link]));
	await publishWorkflow(await createWorkflow([server, ...tools], { connections }));
	return `${live.urls.n8n}/mcp/${path}`;
}
