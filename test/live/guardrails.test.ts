/** Who gets messages, as the credential says, in a real n8n: one journey for each choice of Send Messages To. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	createWorkflow,
	httpRequest,
	manualTrigger,
	messagingGateway,
	type Node,
	startWorkflow,
} from './createWorkflow';
import { type Execution, waitForExecution } from './executions';
import { callN8n, createCredential, type Json } from './n8n';
import { isCompat } from './reviews';
import { sandbox, useSandbox } from './sandbox';
import { run, setCredential } from './examples/examples';

const FRIEND = '447700900123';
const STRANGER = '447700900124';
const EXAMPLE = join(__dirname, '../../examples/14-rehearse.json');

useSandbox();

/** For the time of the test: the editor would choose the newest credential for new nodes. HTTP Request nodes can use it. */
async function withCredential(limits: Json, use: (credential: Json) => Promise<void>) {
	const credential = await createCredential({ allowedHttpRequestDomains: 'all', ...limits });
	await use(credential).finally(
		async () => await callN8n('DELETE', `/credentials/${credential.id}`),
	);
}

async function runNode(credential: Json, node: Node): Promise<Execution> {
	const credentials = { messagingGatewayApi: credential };
	const nodes = [manualTrigger, { ...node, credentials, onError: 'continueErrorOutput' }];
	return await waitForExecution(await startWorkflow(await createWorkflow(nodes)));
}

const send = async (credential: Json, chatId: string) =>
	await runNode(credential, messagingGateway({ chatId, text: 'Hello' }));

/** A colleague without the secret writes the request. */
const request = async (credential: Json, chatId: string) =>
	await runNode(credential, { ...httpRequest(chatId, 'Hello'), name: 'Messaging Gateway' });

const outputs = (execution: Execution) =>
	execution.outputs('Messaging Gateway').map((items) => items.length);
const recipients = async () => (await sandbox.state()).delivered.map(({ chatId }) => chatId);

test('Allowed Recipients Only: only they get messages', async () => {
	const limits = { sendTo: 'allowed', allowedRecipients: '+44 7700 900123\ngroups' };
	await withCredential(limits, async (credential) => {
		expect(outputs(await send(credential, FRIEND))).toEqual([1, 0]);
		const refused = await send(credential, STRANGER);
		expect(outputs(refused)).toEqual([0, 1]);
		expect(JSON.stringify(refused.outputs('Messaging Gateway')[1])).toContain(
			'The credential does not allow messages to this recipient',
		);
		// A colleague could read the signature, and send the body again as another content type.
		expect(outputs(await request(credential, FRIEND))).toEqual([0, 1]);
	});
	expect(await recipients()).toEqual([FRIEND]);
});

test('HTTP Request nodes cannot use a credential whose owner did not allow them', async () => {
	await withCredential({ allowedHttpRequestDomains: 'none' }, async (credential) => {
		for (const typeVersion of [3, 4.2]) {
			const node = { ...httpRequest(FRIEND, 'Hello'), typeVersion, name: 'Messaging Gateway' };
			expect(outputs(await runNode(credential, node))).toEqual([0, 1]);
		}
		expect(outputs(await send(credential, FRIEND))).toEqual([1, 0]);
	});
	expect(await recipients()).toEqual([FRIEND]);
});

test('One Test Number: it gets every message of the node', async () => {
	const limits = { sendTo: 'testNumber', testRecipient: `+${FRIEND}` };
	await withCredential(limits, async (credential) => {
		expect(outputs(await send(credential, STRANGER))).toEqual([1, 0]);
		expect(outputs(await request(credential, FRIEND))).toEqual([0, 1]);
	});
	const { delivered } = await sandbox.state();
	expect(delivered).toMatchObject([{ chatId: FRIEND, text: 'To +44 770 …124:\nHello' }]);
});

test('Nobody: example 14 takes every branch, and nothing is sent', async () => {
	const example = readFileSync(EXAMPLE, 'utf8');
	const { nodes, connections } = JSON.parse(example) as { nodes: Node[]; connections: Json };
	await withCredential({ sendTo: 'nobody' }, async (credential) => {
		const rehearsed = nodes.map((node) =>
			node.credentials ? { ...node, credentials: { messagingGatewayApi: credential } } : node,
		);
		const workflow = await createWorkflow(rehearsed, { connections });
		const execution = await waitForExecution(await startWorkflow(workflow, 'Manual trigger'));
		const ended = (name: string) => execution.outputs(name)[0]!.map(({ name: of }) => of);
		expect(execution.outputs('Sent or rehearsed')[0]).toEqual([
			{
				...{ chatId: FRIEND, text: 'Hello Ada, see you tomorrow at ten.' },
				...{ outcome: 'rehearsed', isTest: true },
			},
		]);
		expect(execution.outputs('Deferred')[0]).toMatchObject([{ outcome: 'deferred' }]);
		// Items of n8n before 2.36 have no details, so each failure is checked first.
		if ('details' in execution.outputs('Send')[1]![0]!) {
			expect(ended('Check the chat first')).toEqual(['Timeout']);
			expect(ended('Do not send again')).toEqual(['Invalid']);
			expect(ended('Send again later')).toEqual(['Offline', 'Rate limit']);
		} else {
			const failed = ['Offline', 'Rate limit', 'Timeout', 'Invalid'];
			expect(ended('Check the chat first')).toEqual(failed);
		}
		expect(outputs(await request(credential, FRIEND))).toEqual([0, 1]);
	});
	expect(await sandbox.requests()).toEqual([]);
});

// The other versions of n8n have no examples.
(isCompat ? test.skip : test)(
	'npm start: example 14 sends nothing, and stops with the credential of the others',
	async () => {
		expect((await run('14-rehearse')).status).toBe('success');
		await setCredential('14-rehearse', 'Credential', 'messagingGatewayApi');
		await setCredential('14-rehearse', 'Send', 'messagingGatewayApi');
		const { status, error } = await run('14-rehearse');
		expect([status, error]).toEqual([
			'error',
			expect.stringMatching(/^Nothing was sent: in Credential/),
		]);
		expect(await sandbox.requests()).toEqual([]);
	},
);
