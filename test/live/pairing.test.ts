import { inBrowser, picture, useBrowser } from './browser';
import { codeInForce, readByCamera } from './camera';
import { execute, openOurNode } from './editor';
import { live } from './live';
import { publishWorkflow, until } from './n8n';
import { messagingGateway, newWorkflow } from './newWorkflow';
import { sandbox } from './sandbox';
import { run } from './workflows/examples';
import { McpClient } from './workflows/mcpClient';

useBrowser();
beforeEach(async () => await sandbox.reset());

inBrowser('a phone is paired on its page, and shows a text and a picture', async (page) => {
	const phone = await page.context().newPage();
	await phone.goto(live.urls.phone);
	const saysStatus = async (words: string) =>
		await phone.getByTestId('status').getByText(words, { exact: true }).waitFor();
	await saysStatus('Session not started');

	await openOurNode(page, { resource: 'session', operation: 'start' });
	await execute(page);
	await saysStatus('Waiting for a scan');
	await until('the code of the moment', async () => {
		const code = await codeInForce();
		return (await readByCamera(phone.getByTestId('qr'))) === code || undefined;
	});
	await picture(phone, 'phone-before-pairing');
	await phone.getByTestId('scan').click();
	await saysStatus('Online');
	expect((await sandbox.state()).status).toBe('ONLINE');

	await openOurNode(page, { chatId: '+44 7700 900123', text: 'Your table is booked' });
	await execute(page);
	await phone.getByTestId('chat-447700900123').click();
	await phone.getByTestId('bubble').getByText('Your table is booked').waitFor();

	await run('5-picture-and-invoice');
	const image = phone.locator('[data-testid="bubble"][data-kind="picture"] img');
	await until('a picture that has arrived', async () => {
		const width = await image.evaluate((shown: HTMLImageElement) => shown.naturalWidth);
		return width > 0 || undefined;
	});
	await picture(phone, 'phone');
});

test('a model pairs a phone with the two operations as its tools', async () => {
	const client = new McpClient(await toolsBehindAnAddress());
	await client.initialize();
	const code = await client.callTool('Pair', {});
	expect(code).toContain(await codeInForce());
	await sandbox.scan();
	expect(await client.callTool('Wait_Until_Online', {})).toContain('"online":true');
});

async function toolsBehindAnAddress(): Promise<string> {
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
	await publishWorkflow(await newWorkflow([server, ...tools], { connections }));
	return `${live.urls.n8n}/mcp/${path}`;
}
