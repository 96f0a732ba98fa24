import { connections, createWorkflow, mcpServer, node } from './createWorkflow';
import { live } from './live';
import { publishWorkflow } from './n8n';
import { answer, endOf } from './questions';
import {
	call,
	question,
	review,
	scriptedModel,
	SEEN,
	sendTools,
	sentByTools,
	startAgent,
} from './reviews';
import { useSandbox } from './sandbox';

const model = scriptedModel('Model');

useSandbox();

test('the tools of an MCP server run only if they are approved', async () => {
	const path = 'reviewed-mcp-server';
	const server = await createWorkflow([mcpServer(path), ...sendTools()], {
		connections: connections([
			['Send message', 'MCP server', 'ai_tool'],
			['Send note', 'MCP server', 'ai_tool'],
		]),
	});
	await publishWorkflow(server);
	const client = node(
		'Client',
		'@n8n/n8n-nodes-langchain.mcpClientTool',
		{ endpointUrl: `${live.urls.n8n}/mcp/${path}`, authentication: 'none' },
		{ typeVersion: 1.2 },
	);
	for (const [index, approved] of ['false', 'true'].entries()) {
		model.play(call({ tool: 'Client_Send_note' }, 'Client_Send_message'), 'Done.');
		const id = await startAgent(
			[model.node(), review(), client],
			[
				['Review', 'Agent', 'ai_tool'],
				['Client', 'Review', 'ai_tool'],
			],
		);
		const { text, link } = await question(index);
		expect(text).toContain(`Client_Send_message\n\nInput:\n{\n  "text": "${SEEN}"\n}`);
		await answer(link, approved);
		await endOf(id);
		expect(await sentByTools()).toEqual(approved === 'true' ? [SEEN] : []);
	}
});
