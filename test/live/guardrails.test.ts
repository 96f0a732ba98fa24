/** Who gets messages, as the credential says, in a real n8n: one journey for each choice of Send Messages To. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	createWorkflow,
	httpRequest,
	manualTrigger,
	messagingGateway,
	startWorkflow,
} from './createWorkflow';
import { type Execution, waitForExecution } from './executions';
import { live } from './live';
import { callN8n, createCredential, type Json } from './n8n';
import { sandbox } from './sandbox';

const FRIEND = '447700900123';
const STRANGER = '447700900124';
const EXAMPLE = join(__dirname, '../../workflows/14-rehearse.json');

beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});

/** For the time of the test: the editor would choose the newest credential for new nodes. HTTP Request nodes can use it. */
async function withCredential(limits: Json, use: (credential: Json) => Promise<void>) {
	const credential = await createCredential({ allowedHttpRequestDomains: 'all', ...limits });
	await use(credential).finally(
		async () => await callN8n('DELETE', `/credentials/${credential.id}`),
	);
}

const runNode = async (credential: Json, node: ReturnType<typeof messagingGateway>) =>
	await waitForExecution(
		await startWorkflow(
			await createWorkflow([
				manualTrigger,
				{
					...node,
					credentials: { messagingGatewayApi: credential },
					onError: 'continueErrorOutput',
				},
			]),
		),
	);

const send = async (credential: Json, chatId: string) =>
	await runNode(credential, messagingGateway({ chatId, text: 'Hello' }));

/** A colleague without the secret writes the request. */
const request = async (credential: Json, chatId: string) =>
	await runNode(credential, { ...httpRequest(chatId, 'Hello'), name: 'Messaging Gateway' });

const outputs = (execution: Execution) =>
	execution.outputs('Messaging Gateway').map((items) => items.length);
const recipients = async () => (await sandbox.state()).delivered.map(({ chatId }) => chatId);

test('Allowed Recipients Only: only they get messages, from the node and an HTTP Request node', async () => {
	const limits = { sendTo: 'allowed', allowedRecipients: '+44 7700 900123\ngroups' };
	await withCredential(limits, async (credential) => {
		for (const run of [send, request]) {
			expect(outputs(await run(credential, FRIEND))).toEqual([1, 0]);
			const refused = await run(credential, STRANGER);
			expect(outputs(refused)).toEqual([0, 1]);
			expect(JSON.stringify(refused.outputs('Messaging Gateway')[1])).toContain(
				'The credential does not allow messages to this recipient',
			);
		}
	});
	expect(await recipients()).toEqual([FRIEND, FRIEND]);
});

/** What a colleague without the secret can change of the request, each with the stranger in it. */
const JSON_TO_STRANGER = JSON.stringify({ chatId: STRANGER, type: 'text', text: 'Hello' });
const JSON_TO_FRIEND = JSON.stringify({ chatId: FRIEND, type: 'text', text: 'Hello' });
const raw = (body: string, type = 'application/json') => ({
	contentType: 'raw',
	rawContentType: type,
	body,
});
const headers = (...pairs: Array<[string, string]>) => ({
	sendHeaders: true,
	headerParameters: { parameters: pairs.map(([name, value]) => ({ name, value })) },
});
const query = (name: string, value: string) => ({
	sendQuery: true,
	queryParameters: { parameters: [{ name, value }] },
});
const fields = (contentType: string) => ({
	contentType,
	bodyParameters: { parameters: [{ name: 'chatId', value: STRANGER }] },
});
const api = () => `${live.account.baseUrl}/api/whatsapp`;
const TRICKS: Array<[string, () => Json]> = [
	['the recipient', () => ({ jsonBody: JSON_TO_STRANGER })],
	['the recipient as a number', () => ({ jsonBody: JSON_TO_STRANGER.replace(/"(\d+)"/, '$1') })],
	['escapes', () => raw(JSON_TO_STRANGER.replace(/4(?=")/, '\\u0034'))],
	['a name twice', () => raw(JSON_TO_FRIEND.replace('{', `{"chatId":"${STRANGER}",`))],
	[
		'a name twice, escaped',
		() => raw(JSON_TO_FRIEND.replace('}', `,"chat\\u0049d":"${STRANGER}"}`)),
	],
	['two recipients', () => raw(JSON_TO_FRIEND.replace('{', `{"phone":"${STRANGER}",`))],
	['another name', () => raw(JSON_TO_FRIEND.replace('{', `{"to":"${STRANGER}",`))],
	['another case', () => raw(JSON_TO_FRIEND.replace('{', `{"CHATID":"${STRANGER}",`))],
	['a prototype', () => raw(JSON_TO_FRIEND.replace('{', `{"__proto__":{"chatId":"${STRANGER}"},`))],
	['a list', () => raw(`[${JSON_TO_STRANGER}]`)],
	['a list of recipients', () => raw(JSON_TO_FRIEND.replace(`"${FRIEND}"`, `["${STRANGER}"]`))],
	[
		'several numbers in one text',
		() => raw(JSON_TO_FRIEND.replace(FRIEND, `${FRIEND},${STRANGER}`)),
	],
	['a byte order mark', () => raw(`\ufeff${JSON_TO_STRANGER}`)],
	['two JSON texts', () => raw(`${JSON_TO_FRIEND}\n${JSON_TO_STRANGER}`)],
	['a comment', () => raw(`/*${JSON_TO_FRIEND}*/${JSON_TO_STRANGER}`)],
	['another type', () => raw(JSON_TO_STRANGER, 'text/plain')],
	['a form', () => fields('form-urlencoded')],
	['a multipart form', () => fields('multipart-form-data')],
	['the query', () => ({ jsonBody: JSON_TO_FRIEND, ...query('chatId', STRANGER) })],
	[
		'the query in the URL',
		() => ({ url: `${api()}/{token}/sendMessage?phone=${STRANGER}`, jsonBody: JSON_TO_FRIEND }),
	],
	[
		'a signature',
		() => ({
			jsonBody: JSON_TO_STRANGER,
			...headers(['X-API-Signature', 'a'.repeat(64)], ['X-API-Timestamp', '1']),
		}),
	],
	['another method', () => ({ method: 'PUT', jsonBody: JSON_TO_STRANGER })],
	['an encoding', () => ({ jsonBody: JSON_TO_STRANGER, ...headers(['Content-Encoding', 'gzip']) })],
	[
		'the case of the path',
		() => ({ url: `${api()}/{token}/SendMessage`, jsonBody: JSON_TO_STRANGER }),
	],
	[
		'dots in the path',
		() => ({ url: `${api()}/{token}/status/../sendMessage`, jsonBody: JSON_TO_STRANGER }),
	],
	[
		'escapes in the path',
		() => ({ url: `${api()}/{token}/%73endMessage`, jsonBody: JSON_TO_STRANGER }),
	],
	[
		'slashes in the path',
		() => ({ url: `${api()}//{token}//sendMessage`, jsonBody: JSON_TO_STRANGER }),
	],
	['an unknown path', () => ({ url: `${api()}/{token}/sendText`, jsonBody: JSON_TO_STRANGER })],
	['an older path', () => ({ url: `${api()}/{token}/send`, jsonBody: JSON_TO_STRANGER })],
	['a lookup', () => ({ url: `${api()}/{token}/inviteInfo`, jsonBody: JSON_TO_STRANGER })],
	[
		'a deferred delivery',
		() => ({ url: `${api()}/{token}/deferred/x`, method: 'DELETE', jsonBody: JSON_TO_STRANGER }),
	],
	[
		'a GET with a body',
		() => ({ url: `${api()}/{token}/status`, method: 'GET', jsonBody: JSON_TO_STRANGER }),
	],
	[
		'a page after the first',
		() => ({
			jsonBody: JSON_TO_FRIEND,
			options: {
				pagination: {
					pagination: {
						paginationMode: 'updateAParameterInEachRequest',
						parameters: { parameters: [{ type: 'body', name: 'chatId', value: STRANGER }] },
						limitPagesFetched: true,
						maxRequests: 2,
					},
				},
			},
		}),
	],
	['a proxy', () => ({ jsonBody: JSON_TO_FRIEND, options: { proxy: live.urls.sandbox } })],
];

test('Allowed Recipients Only: no request of a colleague names another recipient', async () => {
	const limits = { sendTo: 'allowed', allowedRecipients: FRIEND };
	const successful: string[] = [];
	await withCredential(limits, async (credential) => {
		for (const [trick, change] of TRICKS) {
			const { parameters, ...node } = httpRequest(FRIEND, 'Hello');
			await runNode(credential, {
				...{ ...node, name: 'Messaging Gateway' },
				parameters: { ...(parameters as Json), ...change() },
			});
			const received = JSON.stringify(await sandbox.requests());
			if (received.includes(STRANGER.slice(-6))) successful.push(trick);
			await sandbox.reset();
			await sandbox.setStatus('ONLINE');
		}
	});
	expect(successful).toEqual([]);
});

test('HTTP Request nodes cannot use a credential whose owner did not allow them', async () => {
	await withCredential({ allowedHttpRequestDomains: undefined }, async (credential) => {
		for (const typeVersion of [3, 4.2]) {
			const node = { ...httpRequest(FRIEND, 'Hello'), typeVersion, name: 'Messaging Gateway' };
			expect(outputs(await runNode(credential, node))).toEqual([0, 1]);
		}
		expect(outputs(await send(credential, FRIEND))).toEqual([1, 0]);
	});
	expect(await recipients()).toEqual([FRIEND]);
});

test('One Test Number: it gets every message of the node, and HTTP Request nodes send to no one else', async () => {
	const limits = { sendTo: 'testNumber', testRecipient: `+${FRIEND}` };
	await withCredential(limits, async (credential) => {
		expect(outputs(await send(credential, STRANGER))).toEqual([1, 0]);
		expect(outputs(await request(credential, STRANGER))).toEqual([0, 1]);
	});
	const { delivered } = await sandbox.state();
	expect(delivered).toMatchObject([{ chatId: FRIEND, text: 'To +44 770 …124:\nHello' }]);
});

test('Nobody: example 14 takes every branch, and nothing is sent', async () => {
	const { nodes, connections } = JSON.parse(readFileSync(EXAMPLE, 'utf8')) as {
		nodes: Array<Parameters<typeof createWorkflow>[0][number]>;
		connections: Json;
	};
	await withCredential({ sendTo: 'nobody' }, async (credential) => {
		const rehearsed = nodes.map((node) =>
			node.name === 'Send' ? { ...node, credentials: { messagingGatewayApi: credential } } : node,
		);
		const workflow = await createWorkflow(rehearsed, { connections });
		const execution = await waitForExecution(await startWorkflow(workflow, 'Manual trigger'));
		const ended = (name: string) => execution.outputs(name)[0]!.map(({ name: of }) => of);
		expect(execution.outputs('Sent or rehearsed')[0]).toEqual([
			{ chatId: FRIEND, text: 'Hello Ada, see you tomorrow at ten.', outcome: 'rehearsed' },
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
