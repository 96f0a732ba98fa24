/** The commands of workflows/README.md, in a shell, as a user runs them. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { live } from '../live';
import { unpublishWorkflow, waitFor } from '../n8n';
import { sandbox } from '../sandbox';
import { idOf, publish } from './examples';

const readme = readFileSync(join(__dirname, '../../../workflows/README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!);

/** Runs the command that calls this path, with the address, the password and the secret of this n8n. */
function runCommand(path: string): string {
	const found = blocks.filter((block) => block.includes(path));
	expect(found).toHaveLength(1);
	const command = found[0]!
		.replaceAll('http://127.0.0.1:5678', live.urls.n8n)
		.replace('example:Password', `${live.entryKeys.user}:${live.entryKeys.password}`)
		.replace('Client secret', live.entryKeys.secret)
		.replace('Bearer Token', `Bearer ${live.entryKeys.token}`);
	return execFileSync('sh', ['-c', command], {
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'pipe'],
	});
}

beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});

test('the command that calls the CRM webhook sends its message', async () => {
	await publish('2-crm-webhook-to-message', '/webhook/crm-event');
	runCommand('/webhook/crm-event');
	const delivered = await waitFor('the message', async () => {
		const all = (await sandbox.state()).delivered;
		return all.length > 0 ? all : undefined;
	});
	expect(delivered.map(({ chatId }) => chatId)).toEqual(['447700900123']);
	await unpublishWorkflow(idOf('2-crm-webhook-to-message'));
});

test('the command that calls the outbox stores its row', async () => {
	await publish('11-outbox-in', '/webhook/outbox');
	expect(JSON.parse(runCommand('/webhook/outbox'))).toMatchObject({ stored: true });
	await unpublishWorkflow(idOf('11-outbox-in'));
});

test('the command that calls the MCP server gets its name', async () => {
	await publish('7b-mcp-server', '/mcp/messaging-gateway');
	expect(runCommand('"method":"initialize"')).toContain('"serverInfo"');
	await unpublishWorkflow(idOf('7b-mcp-server'));
});
