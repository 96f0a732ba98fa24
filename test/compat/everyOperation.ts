import { createHash } from 'node:crypto';

import { textOf } from '../qrReader';
import { post, textTo } from '../sandbox/client';
import { live } from '../live/live';
import { type Json, press, until } from '../live/n8n';
import { messagingGateway, startByHand } from '../live/newWorkflow';
import { sandbox } from '../live/sandbox';
import { McpClient } from '../live/workflows/mcpClient';
import { begin, endOf, type Item, n8n, published, run, saved } from './run';

const OURS = 'Messaging Gateway';
const TRIGGER = 'Messaging Gateway Trigger';
const PHONE = '+44 (7700) 900-123';
const CHAT = '447700900123';

beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});

const delivered = async () => (await sandbox.state()).delivered;

/** The keys of two messages that wait. */
async function deferred(): Promise<string[]> {
	await sandbox.setStatus('DISCONNECTED');
	for (const text of ['Later', 'Later still']) {
		await post(live.account, 'sendMessage', { ...textTo(CHAT, text), windowMs: 600_000 });
	}
	return (await sandbox.state()).deferred.map(({ deliveryKey }) => deliveryKey);
}

/** The one item that comes out of our node. */
async function itemOf(parameters: Json): Promise<Item> {
	const { error, outputs } = await run([startByHand, messagingGateway(parameters)]);
	expect(error).toBeUndefined();
	const [items] = outputs(OURS);
	expect(items).toHaveLength(1);
	return items![0]!;
}

const jsonOf = async (parameters: Json) => (await itemOf(parameters)).json;

/** A file that comes out of our node, as the next node reads it. */
async function pictureOf(parameters: Json) {
	const { error, outputs } = await run([startByHand, messagingGateway(parameters), readFile]);
	expect(error).toBeUndefined();
	const [{ json, binary }] = outputs(OURS)[0]! as [Item];
	const base64 = outputs(readFile.name)[0]![0]!.json.data as string;
	return { json, binary, bytes: Buffer.from(base64, 'base64') };
}

const readFile = {
	id: 'readFile',
	name: 'Read file',
	type: 'n8n-nodes-base.extractFromFile',
	typeVersion: 1,
	parameters: { operation: 'binaryToPropery', options: {} },
};

const writeFile = {
	id: 'writeFile',
	name: 'Write file',
	type: 'n8n-nodes-base.convertToFile',
	typeVersion: 1.1,
	parameters: {
		operation: 'toText',
		sourceProperty: 'text',
		options: { fileName: 'invoice.txt' },
	},
};

describe(`n8n ${n8n.version} on Node ${n8n.node.version}`, () => {
	describe('Credential', () => {
		const tested = async (change: Json) =>
			await press<{ status: string; message: string }>('POST', '/credentials/test', {
				credentials: {
					...live.credential,
					type: 'messagingGatewayApi',
					data: { ...live.account, signDeferred: true, ...change },
				},
			});

		test('its test passes', async () => {
			expect(await tested({})).toMatchObject({ status: 'OK' });
		});

		// Before 2.11 n8n takes any answer for a good one, and there is nothing a credential can do: README says so.
		(n8n.version.startsWith('1.') ? test.failing : test).each([
			['secret', 'another', 'Secret:'],
			['token', 'another', 'Token:'],
			// Without our words, which n8n 2.20 does not look up for what it throws itself.
			['baseUrl', `${live.account.baseUrl}/elsewhere`, ''],
		])('its test says that the %s is wrong', async (field, value, message) => {
			const answer = await tested({ [field]: value });
			expect(answer).toMatchObject({ status: 'Error', message: expect.stringContaining(message) });
		});
	});

	describe('Session', () => {
		test('Ping', async () => {
			expect(await jsonOf({ resource: 'session', operation: 'ping' })).toMatchObject({
				message: 'pong',
			});
		});

		test('Get Status', async () => {
			expect(await jsonOf({ resource: 'session', operation: 'status' })).toMatchObject({
				status: 'ONLINE',
			});
		});

		test.each([
			['Start', { operation: 'start' }, 'DISCONNECTED', 'AWAITING_QR'],
			['Refresh', { operation: 'refresh', withDeletion: true }, 'ONLINE', 'AWAITING_QR'],
			['Terminate', { operation: 'terminate' }, 'ONLINE', 'DISCONNECTED'],
		] as const)('%s', async (_, parameters, before, after) => {
			await sandbox.setStatus(before);
			expect(await jsonOf({ resource: 'session', ...parameters })).toMatchObject({ status: after });
			expect((await sandbox.state()).status).toBe(after);
		});

		test('Get QR Code, with a picture', async () => {
			await sandbox.setStatus('AWAITING_QR');
			const parameters = { resource: 'session', operation: 'qr', qrOutput: 'png' };
			const { json, bytes } = await pictureOf(parameters);
			expect(json).toMatchObject({ available: true, qr: expect.stringMatching(/^2@/) });
			expect(textOf(bytes)).toBe(json.qr);
		});

		test('Get QR Image', async () => {
			await sandbox.setStatus('AWAITING_QR');
			const { json, binary, bytes } = await pictureOf({
				resource: 'session',
				operation: 'qrImage',
			});
			expect(json).toMatchObject({ available: true });
			expect(binary?.data?.mimeType).toBe('image/png');
			expect(textOf(bytes)).toMatch(/^2@/);
		});

		test('Pair', async () => {
			await sandbox.setStatus('DISCONNECTED');
			const { json, bytes } = await pictureOf({ resource: 'session', operation: 'pair' });
			expect(json).toMatchObject({ online: false, status: 'AWAITING_QR' });
			expect(textOf(bytes)).toBe(json.qr);
		});

		const waiting = { resource: 'session', operation: 'waitUntilOnline', pollInterval: 1 };
		const looked = async () =>
			await until('a look at the status', async () => (await sandbox.requests())[0]);

		test('Wait Until Online', async () => {
			await sandbox.setStatus('AWAITING_QR');
			const execution = await begin([startByHand, messagingGateway(waiting)]);
			await looked();
			await sandbox.scan();
			const { json } = (await endOf(execution)).outputs(OURS)[0]![0]!;
			expect(json).toMatchObject({ online: true, status: 'ONLINE', timedOut: false });
			expect(json.history).toMatchObject([{ status: 'AWAITING_QR' }, { status: 'ONLINE' }]);
		});

		test('Wait Until Online ends when the execution is cancelled', async () => {
			await sandbox.setStatus('AWAITING_QR');
			const execution = await begin([startByHand, messagingGateway(waiting)]);
			await looked();
			await press('POST', `/executions/${execution}/stop`);
			expect((await endOf(execution)).status).toBe('canceled');
			const before = (await sandbox.requests()).length;
			await pause(2500);
			expect((await sandbox.requests()).length).toBe(before);
		});
	});

	describe('Message', () => {
		const rows = [
			{ phone: PHONE, name: 'Zoë' },
			{ phone: 'no number yet', name: 'Mary' },
			{ phone: '120363041234567890@g.us', name: 'all 🍝' },
		];
		const pinData = { Start: rows.map((json) => ({ json })) };
		const hello = { chatId: '={{ $json.phone }}', text: '=Hello {{ $json.name }}' };

		test('Send, with what cannot be sent at the Error output', async () => {
			const send = { ...messagingGateway(hello), onError: 'continueErrorOutput' };
			const { error, outputs } = await run([startByHand, send], { pinData });
			expect(error).toBeUndefined();
			const [sent, notSent] = outputs(OURS);
			expect(sent!.map(({ json }) => json.outcome)).toEqual(['sent', 'sent']);
			expect(notSent).toMatchObject([
				{ json: { error: expect.stringContaining("'Chat ID' cannot be 'no number yet'") } },
			]);
			expect((await delivered()).map(({ chatId, text }) => [chatId, text]).sort()).toEqual([
				['120363041234567890@g.us', 'Hello all 🍝'],
				[CHAT, 'Hello Zoë'],
			]);
		});

		test('Send says in words what went wrong', async () => {
			await sandbox.setStatus('DISCONNECTED');
			const send = messagingGateway({ chatId: PHONE, text: 'Hello' });
			const { status, error } = await run([startByHand, send]);
			expect(status).toBe('error');
			expect(error?.message).toContain('The session is not online');
			expect(error?.description).toContain('Use Session > Start');
		});

		test('Send gives up at the time-out', async () => {
			await sandbox.faults([{ endpoint: 'sendMessage', latencyMs: 30_000 }]);
			const requestOptions = { timeout: 500 };
			const send = messagingGateway({ chatId: PHONE, text: 'Hello', requestOptions });
			const startedAt = Date.now();
			const { error } = await run([startByHand, send]);
			expect(error?.message).toContain('did not answer in time');
			expect(Date.now() - startedAt).toBeLessThan(10_000);
		});

		test('Send is cancelled on its way', async () => {
			await sandbox.faults([{ endpoint: 'sendMessage', latencyMs: 30_000 }]);
			const send = messagingGateway({ chatId: PHONE, text: 'Hello' });
			const execution = await begin([startByHand, send]);
			await until('the message', async () => (await delivered())[0]);
			const cancelledAt = Date.now();
			await press('POST', `/executions/${execution}/stop`);
			expect((await endOf(execution)).status).toBe('canceled');
			expect(Date.now() - cancelledAt).toBeLessThan(5_000);
		});

		test('Send Media', async () => {
			const text = 'Grüße\n'.repeat(50_000);
			const media = messagingGateway({
				operation: 'sendMedia',
				chatId: PHONE,
				mediaType: 'file',
				options: { caption: 'Your invoice' },
			});
			const { error } = await run([startByHand, writeFile, media], {
				pinData: { Start: [{ json: { text } }] },
			});
			expect(error).toBeUndefined();
			expect(await delivered()).toMatchObject([
				{
					chatId: CHAT,
					type: 'file',
					caption: 'Your invoice',
					media: { filename: 'invoice.txt', mimetype: 'text/plain', sha256: sha256(text) },
				},
			]);
		});

		test('Get Invite Info', async () => {
			const parameters = { operation: 'inviteInfo', inviteCode: 'AbC123' };
			expect(await jsonOf(parameters)).toMatchObject({ inviteCode: 'AbC123', size: 12 });
		});

		test('Get Channel Info', async () => {
			await jsonOf({ operation: 'channelInfo', channel: 'https://example.com/channel/AbC123' });
			expect(await sandbox.requests()).toMatchObject([{ endpoint: 'channelInfo', status: 200 }]);
		});

		test('Retry of an execution whose message had arrived sends it no second time', async () => {
			const path = crypto.randomUUID();
			const options = { idempotencyKey: 'automatic', maxTries: 1 };
			const send = messagingGateway({ chatId: PHONE, text: 'Hello', options });
			const workflow = await saved([webhook(path), send]);
			const url = await published(workflow, `/webhook/${path}`);
			await sandbox.faults([{ endpoint: 'sendMessage', times: 1, cut: 'after' }]);
			expect((await fetch(url, { method: 'POST' })).status).toBe(200);
			const failed = await until('the execution', async () => await lastOf(workflow));

			await press('POST', `/executions/${failed}/retry`, { loadWorkflow: false });
			const retried = await until('its repeat', async () => {
				const last = await lastOf(workflow);
				return last === failed ? undefined : last;
			});
			expect((await endOf(retried)).outputs(OURS)[0]).toMatchObject([
				{ json: { outcome: 'duplicate' } },
			]);
			expect(await delivered()).toHaveLength(1);
		});
	});

	describe('Deferred Delivery', () => {
		test('Get Many', async () => {
			const keys = await deferred();
			const { outputs } = await run([
				startByHand,
				messagingGateway({ resource: 'deferred', operation: 'getAll', returnAll: true }),
			]);
			expect(outputs(OURS)[0]!.map(({ json }) => json.deliveryKey)).toEqual(keys);
		});

		test('Get', async () => {
			const [deliveryKey] = await deferred();
			const found = await jsonOf({ resource: 'deferred', operation: 'get', deliveryKey });
			expect(found).toMatchObject({ deliveryKey, text: 'Later' });
		});

		test('Delete', async () => {
			const [deliveryKey] = await deferred();
			const answer = await jsonOf({ resource: 'deferred', operation: 'delete', deliveryKey });
			expect(answer).toEqual({ deleted: true });
			expect((await sandbox.state()).deferred).toMatchObject([{ text: 'Later still' }]);
		});
	});

	test('an HTTP Request node with the credential', async () => {
		const { error, outputs } = await run([startByHand, httpRequest]);
		expect(error).toBeUndefined();
		expect(outputs(httpRequest.name)[0]).toMatchObject([{ json: { status: 'sent' } }]);
		expect(await delivered()).toMatchObject([{ chatId: CHAT, text: 'Grüße 🍝' }]);
	});

	test('as a tool, through the MCP Server Trigger', async () => {
		const path = crypto.randomUUID();
		const tools = [
			tool('Status', { resource: 'session', operation: 'status' }),
			tool('Send', { chatId: fromAi('recipient'), text: fromAi('text') }),
			tool('Pair', { resource: 'session', operation: 'pair' }),
		];
		const workflow = await saved([mcpServer(path), ...tools], {
			connections: Object.fromEntries(
				tools.map(({ name }) => [
					name,
					{ ai_tool: [[{ node: 'MCP server', type: 'ai_tool', index: 0 }]] },
				]),
			),
		});
		const client = new McpClient(await published(workflow, `/mcp/${path}`));
		await client.initialize();
		expect((await client.tools()).map(({ name }) => name).sort()).toEqual([
			'Pair',
			'Send',
			'Status',
		]);

		expect(await client.callTool('Status', {})).toContain('ONLINE');
		const message = { recipient: PHONE, text: 'Hello from a model' };
		expect(await client.callTool('Send', message)).toContain('"outcome":"sent"');
		expect(await delivered()).toMatchObject([{ chatId: CHAT, text: message.text }]);
		expect(await client.callTool('Pair', {})).toContain('"online":true');
	});

	describe('Trigger', () => {
		const trigger = (event: string) => ({
			...messagingGateway({ event, pollTimes: { item: [{ mode: 'everyMinute' }] } }),
			name: TRIGGER,
			type: 'n8n-nodes-messaging-gateway.messagingGatewayTrigger',
		});

		test.each(['statusChanged', 'offlineFor', 'deferredAdded', 'deferredSettled'])(
			'Fetch Test Event, %s',
			async (event) => {
				const { error, outputs } = await run([trigger(event)]);
				expect(error).toBeUndefined();
				expect(outputs(TRIGGER)[0]).toMatchObject([{ json: { event, isSample: true } }]);
			},
		);

		test('it starts workflows when the session comes online, and a delivery is settled', async () => {
			const [deliveryKey] = await deferred();
			const [onStatus, onSettled] = await Promise.all(
				['statusChanged', 'deferredSettled'].map(async (event) => await saved([trigger(event)])),
			);
			await setActive(true, onStatus!, onSettled!);
			await until('the first poll', async () => {
				const asked = (await sandbox.requests()).map(({ endpoint }) => endpoint);
				return (asked.includes('status') && asked.includes('listDeferred')) || undefined;
			});
			await sandbox.setStatus('ONLINE');
			expect(await startedBy(onStatus!)).toMatchObject([
				{ event: 'statusChanged', previousStatus: 'DISCONNECTED', status: 'ONLINE' },
			]);
			const settled = await startedBy(onSettled!);
			expect(settled).toHaveLength(2);
			expect(settled).toContainEqual(
				expect.objectContaining({ event: 'deferredSettled', deliveryKey, text: 'Later' }),
			);
			await setActive(false, onStatus!, onSettled!);
		}, 180_000);

		/** What it started with. It is polled once a minute. */
		async function startedBy(workflow: string): Promise<Json[]> {
			const look = async () => await lastOf(workflow);
			const execution = await until('a poll', look).catch(async () => await until('a poll', look));
			const [items] = (await endOf(execution)).outputs(TRIGGER);
			return items!.map(({ json }) => json);
		}
	});
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const pause = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

async function setActive(isActive: boolean, ...workflows: string[]): Promise<void> {
	for (const id of workflows) {
		const { versionId } = await press<Json>('GET', `/workflows/${id}`);
		await press('POST', `/workflows/${id}/${isActive ? 'activate' : 'deactivate'}`, { versionId });
	}
}

/** The newest execution of a workflow that is over. */
async function lastOf(workflowId: string): Promise<string | undefined> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const { results } = await press<{ results: Array<{ id: string; status: string }> }>(
		'GET',
		`/executions?filter=${filter}`,
	);
	return results.find(({ status }) => !['new', 'running'].includes(status))?.id;
}

function webhook(path: string) {
	return {
		id: 'webhook',
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { httpMethod: 'POST', path, options: {} },
	};
}

function mcpServer(path: string) {
	return {
		id: 'mcpServer',
		name: 'MCP server',
		type: '@n8n/n8n-nodes-langchain.mcpTrigger',
		typeVersion: 2,
		webhookId: path,
		parameters: { path },
	};
}

function tool(name: string, parameters: Json) {
	const description = { descriptionType: 'manual', toolDescription: `${name} of a gateway` };
	return {
		...messagingGateway({ ...description, ...parameters }),
		id: name,
		name,
		type: 'n8n-nodes-messaging-gateway.messagingGatewayTool',
	};
}

const fromAi = (name: string) => `={{ $fromAI('${name}', 'The ${name}', 'string') }}`;

const httpRequest = {
	id: 'httpRequest',
	name: 'HTTP Request',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		method: 'POST',
		url: `${live.account.baseUrl}/api/whatsapp/{token}/sendMessage`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'messagingGatewayApi',
		sendBody: true,
		specifyBody: 'json',
		jsonBody: JSON.stringify(textTo(CHAT, 'Grüße 🍝')),
		options: {},
	},
	credentials: { messagingGatewayApi: live.credential },
};
