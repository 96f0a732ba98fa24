import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { textOf } from '../harness/qrReader';
import { post, textTo } from '../harness/client';
import { itemsOf, OPERATIONS, prepare, requestOf } from '../harness/operations';
import { live } from '../live/live';
import { callN8n, type Json, setActive, waitFor } from '../live/n8n';
import {
	createWorkflow,
	httpRequest,
	manualTrigger,
	messagingGateway,
} from '../live/createWorkflow';
import { sandbox } from '../live/sandbox';
import { McpClient } from '../live/workflows/mcpClient';
import {
	type Item,
	n8n,
	publishWebhook,
	run,
	startExecution,
	waitForEnd,
	waitUntilWaiting,
} from './run';

const OURS = 'Messaging Gateway';
const TRIGGER = 'Messaging Gateway Trigger';
const PHONE = '+44 (7700) 900-123';
const CHAT = '447700900123';

beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});

const delivered = async () => (await sandbox.state()).delivered;

/** Defers two messages and returns their delivery keys. */
async function deferTwo(): Promise<string[]> {
	await sandbox.setStatus('DISCONNECTED');
	for (const text of ['Later', 'Later still']) {
		await post(live.account, 'sendMessage', { ...textTo(CHAT, text), windowMs: 600_000 });
	}
	return (await sandbox.state()).deferred.map(({ deliveryKey }) => deliveryKey);
}

/** Runs our node and returns the only item it outputs. */
async function itemOf(parameters: Json): Promise<Item> {
	const { error, outputs } = await run([manualTrigger, messagingGateway(parameters)]);
	expect(error).toBeUndefined();
	const [items] = outputs(OURS);
	expect(items).toHaveLength(1);
	return items![0]!;
}

const jsonOf = async (parameters: Json) => (await itemOf(parameters)).json;

/** Runs our node and returns its item, with the file as the next node reads it. */
async function imageOf(parameters: Json) {
	const { error, outputs } = await run([manualTrigger, messagingGateway(parameters), readFile]);
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

const { token: gatewayToken, secret: gatewaySecret, baseUrl } = live.account;
const stored = { baseUrl, gatewayToken, gatewaySecret };

describe(`n8n ${n8n.version} on Node ${n8n.node.version}`, () => {
	describe('Credential', () => {
		const testCredential = async (change: Json) =>
			await callN8n<{ status: string; message: string }>('POST', '/credentials/test', {
				credentials: {
					...live.credential,
					type: 'messagingGatewayApi',
					data: { ...stored, signDeferred: true, ...change },
				},
			});

		test('passes its test', async () => {
			expect(await testCredential({})).toMatchObject({ status: 'OK' });
		});

		test.each([
			[
				'gatewaySecret',
				'another',
				'The gateway did not accept the signature (401, invalid_signature)',
			],
			['gatewayToken', 'another', 'The gateway does not know the token (401, invalid_token)'],
			[
				'baseUrl',
				`${live.account.baseUrl}/elsewhere`,
				'The gateway found nothing at this address (404)',
			],
		])('reports a wrong %s in its test', async (field, value, message) => {
			const result = await testCredential({ [field]: value });
			expect(result).toMatchObject({ status: 'Error', message: expect.stringContaining(message) });
		});

		test('with an expression is resolved for each item; failed items keep their input', async () => {
			const { error, outputs } = await run(await sendWithTokensOfItems());
			expect(error).toBeUndefined();
			const [sent, failed] = outputs(OURS);
			expect(sent!.map(({ json }) => json.outcome)).toEqual(['sent', 'sent']);
			// An older n8n has no `details`.
			expect(failed!.map(({ json }) => json)).toMatchObject([
				{
					...TOKENS[1],
					error: 'The gateway does not know the token (401, invalid_token) [item 1]',
				},
				{ ...TOKENS[3], error: "'Token' of the credential is empty [item 3]" },
			]);
			expect((await delivered()).map(({ text }) => text)).toEqual(['first', 'third']);
		});
	});

	test.each(OPERATIONS)('$title', async (operation) => {
		const parameters = await prepare(operation, live.account, sandbox);
		const file = operation.needsFile ? [writeFile] : [];
		const pinData = { Start: [{ json: { text: 'Hello' } }] };
		const { error, outputs } = await run([manualTrigger, ...file, messagingGateway(parameters)], {
			pinData,
		});
		expect(error).toBeUndefined();
		expect(outputs(OURS)[0]).toMatchObject(itemsOf(operation));
		const { method, url, status } = (await sandbox.requests()).at(-1)!;
		expect({ request: `${method} ${url}`, status }).toEqual({
			request: requestOf(operation, parameters, live.account),
			status: 200,
		});
	});

	describe('Session', () => {
		test.each([
			['Start', { operation: 'start' }, 'DISCONNECTED', 'AWAITING_QR'],
			['Refresh', { operation: 'refresh', withDeletion: true }, 'ONLINE', 'AWAITING_QR'],
			['Terminate', { operation: 'terminate' }, 'ONLINE', 'DISCONNECTED'],
		] as const)('%s', async (_, parameters, before, after) => {
			await sandbox.setStatus(before);
			expect(await jsonOf({ resource: 'session', ...parameters })).toMatchObject({ status: after });
			expect((await sandbox.state()).status).toBe(after);
		});

		test('Get QR Code, with an image', async () => {
			await sandbox.setStatus('AWAITING_QR');
			const parameters = { resource: 'session', operation: 'qr' };
			const { json, bytes } = await imageOf(parameters);
			expect(json).toMatchObject({ available: true, qr: expect.stringMatching(/^2@/) });
			expect(textOf(bytes)).toBe(json.qr);
		});

		test('Get QR Image', async () => {
			await sandbox.setStatus('AWAITING_QR');
			const { json, binary, bytes } = await imageOf({
				resource: 'session',
				operation: 'qrImage',
			});
			expect(json).toMatchObject({ available: true });
			expect(binary?.data?.mimeType).toBe('image/png');
			// As in n8n 3, files are not in memory.
			expect(binary?.data?.id).toMatch(/^filesystem/);
			expect(textOf(bytes)).toMatch(/^2@/);
		});

		test('Pair', async () => {
			await sandbox.setStatus('DISCONNECTED');
			const { json, bytes } = await imageOf({ resource: 'session', operation: 'pair' });
			expect(json).toMatchObject({ online: false, status: 'AWAITING_QR' });
			expect(textOf(bytes)).toBe(json.qr);
		});

		const waiting = { resource: 'session', operation: 'waitUntilOnline', pollInterval: 1 };
		const waitForPoll = async () =>
			await waitFor('a status poll', async () => (await sandbox.requests())[0]);

		test('Wait Until Online', async () => {
			await sandbox.setStatus('AWAITING_QR');
			const execution = await startExecution([manualTrigger, messagingGateway(waiting)]);
			await waitForPoll();
			await sandbox.scan();
			const { json } = (await waitForEnd(execution)).outputs(OURS)[0]![0]!;
			expect(json).toMatchObject({ online: true, status: 'ONLINE', timedOut: false });
			expect(json.history).toMatchObject([{ status: 'AWAITING_QR' }, { status: 'ONLINE' }]);
		});

		test('Wait Until Online stops when the execution is cancelled', async () => {
			await sandbox.setStatus('AWAITING_QR');
			const execution = await startExecution([manualTrigger, messagingGateway(waiting)]);
			await waitForPoll();
			await callN8n('POST', `/executions/${execution}/stop`);
			expect((await waitForEnd(execution)).status).toBe('canceled');
			const before = (await sandbox.requests()).length;
			await delay(2500);
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

		test('Send, with failed items at the error output', async () => {
			const send = { ...messagingGateway(hello), onError: 'continueErrorOutput' };
			const { error, outputs } = await run([manualTrigger, send], { pinData });
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

		test('Send fails with a clear message', async () => {
			await sandbox.setStatus('DISCONNECTED');
			const send = messagingGateway({ chatId: PHONE, text: 'Hello' });
			const { status, error } = await run([manualTrigger, send]);
			expect(status).toBe('error');
			expect(error?.message).toContain('The session is not online');
			expect(error?.description).toContain('Use Session > Pair');
		});

		test('Send fails when the timeout expires', async () => {
			await sandbox.faults([{ endpoint: 'sendMessage', latencyMs: 30_000 }]);
			const requestOptions = { timeout: 500 };
			const send = messagingGateway({ chatId: PHONE, text: 'Hello', requestOptions });
			const startedAt = Date.now();
			const { error } = await run([manualTrigger, send]);
			expect(error?.message).toContain('did not respond within the timeout');
			expect(Date.now() - startedAt).toBeLessThan(10_000);
		});

		test('Send stops when the execution is cancelled during the request', async () => {
			await sandbox.faults([{ endpoint: 'sendMessage', latencyMs: 30_000 }]);
			const send = messagingGateway({ chatId: PHONE, text: 'Hello' });
			const execution = await startExecution([manualTrigger, send]);
			await waitFor('the message', async () => (await delivered())[0]);
			const cancelledAt = Date.now();
			await callN8n('POST', `/executions/${execution}/stop`);
			expect((await waitForEnd(execution)).status).toBe('canceled');
			expect(Date.now() - cancelledAt).toBeLessThan(5_000);
		});

		test('Send Media', async () => {
			const text = 'Grüße\n'.repeat(50_000);
			const media = messagingGateway({
				operation: 'sendMedia',
				chatId: PHONE,
				mediaType: 'file',
				caption: 'Your invoice',
			});
			const { error } = await run([manualTrigger, writeFile, media], {
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

		test('does not send a message again when an execution is retried whose message has arrived', async () => {
			const path = crypto.randomUUID();
			const options = { idempotencyKey: 'automatic', maxTries: 1 };
			const send = messagingGateway({ chatId: PHONE, text: 'Hello', options });
			const workflow = await createWorkflow([webhook(path), send]);
			const url = await publishWebhook(workflow, `/webhook/${path}`);
			await sandbox.faults([{ endpoint: 'sendMessage', times: 1, cut: 'after' }]);
			expect((await fetch(url, { method: 'POST' })).status).toBe(200);
			const failed = await waitFor('the execution', async () => await lastFinished(workflow));

			await callN8n('POST', `/executions/${failed}/retry`, { loadWorkflow: false });
			const retried = await waitFor('the retry', async () => {
				const last = await lastFinished(workflow);
				return last === failed ? undefined : last;
			});
			expect((await waitForEnd(retried)).outputs(OURS)[0]).toMatchObject([
				{ json: { outcome: 'duplicate' } },
			]);
			expect(await delivered()).toHaveLength(1);
		});
	});

	describe('Send and Wait for Response', () => {
		const double = { approvalOptions: { values: { approvalType: 'double' } } };
		/** Shows how often the workflow continues. */
		const report = {
			...messagingGateway({ chatId: CHAT, text: '={{ String($json.data.approved) }}' }),
			id: 'report',
			name: 'Report',
		};

		async function ask(parameters: Json, name = OURS) {
			const question = { operation: 'sendAndWait', chatId: PHONE, message: 'May we?' };
			const execution = await startExecution([
				manualTrigger,
				{ ...messagingGateway({ ...question, ...parameters }), name },
				report,
			]);
			await waitUntilWaiting(execution);
			const [message] = await delivered();
			const link = new URL(/http\S+/.exec(message!.text!)![0]);
			return { execution, link };
		}

		const answer = async (url: URL, fields: Record<string, string>) =>
			await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });

		/** n8n 1 stores the final status before the run data, here those of the wait. */
		const answered = async (execution: string, name = OURS) =>
			await waitFor('the answer', async () => {
				const [items = []] = (await waitForEnd(execution)).outputs(name);
				return items[0]?.json.data ? items.map(({ json }) => json) : undefined;
			});

		/** What the user sees. */
		async function pageOf(response: Response) {
			const html = await response.text();
			expect(response.headers.get('content-type')).toMatch(/^text\/html/);
			return { status: response.status, heading: /<h1[^>]*>(.*)<\/h1>/.exec(html)?.[1], html };
		}

		test('an approval', async () => {
			const { execution, link } = await ask(double);
			for (const method of ['GET', 'HEAD', 'GET']) {
				const page = await pageOf(await fetch(link, { method }));
				expect(page.status).toBe(200);
				if (method === 'GET') expect(page.html.match(/<button/g)).toHaveLength(2);
			}
			const { headers } = await fetch(link);
			expect(headers.get('content-security-policy')).toContain("default-src 'none'; style-src");
			expect(headers.get('referrer-policy')).toBe('no-referrer');

			const page = await pageOf(await answer(link, { approved: 'true' }));
			expect(page).toMatchObject({ status: 200, heading: 'Thank you' });
			expect(await answered(execution)).toEqual([
				{
					answered: true,
					data: { approved: true, respondedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
					chatId: CHAT,
					messageId: expect.any(String),
					outcome: 'sent',
				},
			]);
			const late = await answer(link, { approved: 'false' });
			expect(await late.text()).toMatch(/no action required/i);
			expect((await fetch(link)).status).toBe(200);
			expect((await delivered()).slice(1)).toMatchObject([{ text: 'true' }]);
		});

		test('is not answered by a link that was changed', async () => {
			const { execution, link } = await ask(double);
			const changes = [
				(url: URL) => url.searchParams.set('run', '1'),
				(url: URL) => url.searchParams.delete('run'),
				(url: URL) => url.searchParams.set('signature', `${link.searchParams.get('signature')}0`),
				(url: URL) => url.searchParams.delete('signature'),
			];
			for (const change of changes) {
				const changed = new URL(link);
				change(changed);
				expect((await fetch(changed)).status).toBe(401);
				expect((await answer(changed, { approved: 'true' })).status).toBe(401);
			}
			await answer(link, { approved: 'false' });
			expect(await answered(execution)).toMatchObject([{ data: { approved: false } }]);
		});

		test('continues once if several answers arrive together', async () => {
			const { execution, link } = await ask(double);
			const answers = ['true', 'true', 'false', 'true'].map(async (approved) => {
				return await (await answer(link, { approved })).text();
			});
			const pages = await Promise.all(answers);
			expect(pages.filter((page) => page.includes('Thank you'))).toHaveLength(1);
			const [item] = await answered(execution);
			const { approved } = item!.data as { approved: boolean };
			expect((await delivered()).slice(1)).toMatchObject([{ text: String(approved) }]);
		});

		test('in a loop, each link answers its own question', async () => {
			const loop = {
				id: 'loop',
				name: 'Loop',
				type: 'n8n-nodes-base.splitInBatches',
				typeVersion: 3,
				parameters: { options: {} },
			};
			const question = messagingGateway({
				operation: 'sendAndWait',
				chatId: PHONE,
				message: '={{ $json.text }}',
				...double,
			});
			const to = (...outputs: string[]) => ({
				main: outputs.map((node) => (node ? [{ node, type: 'main', index: 0 }] : [])),
			});
			const execution = await startExecution([manualTrigger, loop, question], {
				pinData: { Start: ['first', 'second'].map((text) => ({ json: { text } })) },
				connections: { Start: to('Loop'), Loop: to('', OURS), [OURS]: to('Loop') },
			});
			const linkOf = async (index: number) => {
				const { text } = await waitFor('the question', async () => (await delivered())[index]);
				await waitUntilWaiting(execution);
				return new URL(/http\S+/.exec(text!)![0]);
			};
			const first = await linkOf(0);
			expect(await (await answer(first, { approved: 'true' })).text()).toContain('Thank you');
			const second = await linkOf(1);
			for (const request of [
				async () => await fetch(first),
				answer.bind(null, first, { approved: 'true' }),
			]) {
				const page = await pageOf(await request());
				expect(page).toMatchObject({ status: 410, heading: 'Question closed' });
			}
			expect(await (await answer(second, { approved: 'false' })).text()).toContain('Thank you');
			const items = (await waitForEnd(execution)).outputs('Loop')[0]!;
			expect(items.map(({ json }) => (json.data as Json).approved)).toEqual([true, false]);
		});

		test('does not continue an execution that was stopped', async () => {
			const { execution, link } = await ask(double);
			await callN8n('POST', `/executions/${execution}/stop`);
			expect((await waitForEnd(execution)).status).toBe('canceled');
			const response = await answer(link, { approved: 'true' });
			expect(await response.text()).not.toContain('Thank you');
			expect((await waitForEnd(execution)).status).toBe('canceled');
			expect(await delivered()).toHaveLength(1);
		});

		// n8n looks once a minute for executions whose time is over.
		test('without an answer, nothing in the input looks like one', async () => {
			const forged = { order: 7, answered: true, data: { approved: true } };
			const values = { limitType: 'afterTimeInterval', resumeAmount: 0.05, resumeUnit: 'minutes' };
			const question = messagingGateway({
				...{ operation: 'sendAndWait', chatId: PHONE, message: 'May we?', ...double },
				options: { limitWaitTime: { values } },
			});
			const pinData = { Start: [{ json: forged }] };
			const execution = await startExecution([manualTrigger, question], { pinData });
			await waitUntilWaiting(execution);
			const items = await waitFor(
				'the end of the wait',
				async () => {
					const end = await waitForEnd(execution).catch(() => undefined);
					const [output = []] = end?.outputs(OURS) ?? [];
					// n8n 1 stores the final status before the run data.
					return 'order' in (output[0]?.json ?? {}) ? output : undefined;
				},
				150_000,
			);
			expect(items.map(({ json }) => json)).toEqual([{ order: 7, answered: false }]);
		}, 180_000);

		test('a free text', async () => {
			const { execution, link } = await ask({ responseType: 'freeText' });
			const empty = await pageOf(await answer(link, { 'field-0': ' ' }));
			expect(empty).toMatchObject({ status: 422, heading: 'Please respond' });
			const body = new FormData();
			body.set('field-0', 'Grüße\r\n<b>');
			const page = await pageOf(await fetch(link, { method: 'POST', body }));
			expect(page.heading).toBe('Thank you');
			expect(await answered(execution)).toMatchObject([{ data: { text: 'Grüße\n<b>' } }]);
		});

		test('a form of a node with an unusual name', async () => {
			const name = `Ask {{ "x" }} \\ 'y' } $`;
			const fields = [
				{ fieldLabel: 'Amount', fieldName: 'amount', fieldType: 'number', requiredField: true },
				{
					fieldLabel: 'Extras',
					fieldType: 'checkbox',
					fieldOptions: { values: [{ option: 'A' }, { option: 'B' }] },
				},
			];
			const form = { responseType: 'customForm', formFields: { values: fields } };
			const { execution, link } = await ask(form, name);
			const body = new FormData();
			body.set('field-0', '12.5');
			for (const extra of ['choice-0', 'choice-1']) body.append('field-1', extra);
			const page = await pageOf(await fetch(link, { method: 'POST', body }));
			expect(page.heading).toBe('Thank you');
			expect(await answered(execution, name)).toMatchObject([
				{ data: { amount: 12.5, Extras: ['A', 'B'] } },
			]);
		});
	});

	describe('Deferred Delivery', () => {
		test('Get Many', async () => {
			const keys = await deferTwo();
			const { outputs } = await run([
				manualTrigger,
				messagingGateway({ resource: 'deferred', operation: 'getAll', returnAll: true }),
			]);
			expect(outputs(OURS)[0]!.map(({ json }) => json.deliveryKey)).toEqual(keys);
		});

		test('Get', async () => {
			const [deliveryKey] = await deferTwo();
			const found = await jsonOf({ resource: 'deferred', operation: 'get', deliveryKey });
			expect(found).toMatchObject({ deliveryKey, text: 'Later' });
		});

		test('Delete', async () => {
			const [deliveryKey] = await deferTwo();
			const result = await jsonOf({ resource: 'deferred', operation: 'delete', deliveryKey });
			expect(result).toEqual({ deleted: true });
			expect((await sandbox.state()).deferred).toMatchObject([{ text: 'Later still' }]);
		});
	});

	test('works as the credential of an HTTP Request node', async () => {
		const { error, outputs } = await run([manualTrigger, httpRequest(CHAT, 'Grüße 🍝')]);
		expect(error).toBeUndefined();
		expect(outputs('HTTP Request')[0]).toMatchObject([{ json: { status: 'sent' } }]);
		expect(await delivered()).toMatchObject([{ chatId: CHAT, text: 'Grüße 🍝' }]);
	});

	test('works as a tool of the MCP Server Trigger', async () => {
		const path = crypto.randomUUID();
		const tools = [
			tool('Status', { resource: 'session', operation: 'status' }),
			tool('Send', { chatId: fromAi('recipient'), text: fromAi('text') }),
			tool('Pair', { resource: 'session', operation: 'pair' }),
		];
		const workflow = await createWorkflow([mcpServer(path), ...tools], {
			connections: Object.fromEntries(
				tools.map(({ name }) => [
					name,
					{ ai_tool: [[{ node: 'MCP server', type: 'ai_tool', index: 0 }]] },
				]),
			),
		});
		const client = new McpClient(await publishWebhook(workflow, `/mcp/${path}`));
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

		test.each(['statusChanged', 'sessionOffline', 'deferredAdded', 'deferredSettled'])(
			'Fetch Test Event, %s',
			async (event) => {
				const { error, outputs } = await run([trigger(event)]);
				expect(error).toBeUndefined();
				expect(outputs(TRIGGER)[0]).toMatchObject([{ json: { event, isSample: true } }]);
			},
		);

		test('starts workflows when the session comes online and when deliveries are settled', async () => {
			const [deliveryKey] = await deferTwo();
			const [onStatus, onSettled] = await Promise.all(
				['statusChanged', 'deferredSettled'].map(
					async (event) => await createWorkflow([trigger(event)]),
				),
			);
			for (const workflow of [onStatus!, onSettled!]) await setActive(workflow, true);
			await waitFor('the first poll', async () => {
				const polled = (await sandbox.requests()).map(({ endpoint }) => endpoint);
				return (polled.includes('status') && polled.includes('listDeferred')) || undefined;
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
			for (const workflow of [onStatus!, onSettled!]) await setActive(workflow, false);
		}, 240_000);

		/**
		 * The items that the trigger started the workflow with. n8n polls once a minute, and a delivery counts as settled
		 * after the second poll without it.
		 */
		async function startedBy(workflow: string): Promise<Json[]> {
			const findItems = async () => {
				const execution = await lastFinished(workflow);
				const [items = []] = execution ? (await waitForEnd(execution)).outputs(TRIGGER) : [];
				return items.length > 0 ? items.map(({ json }) => json) : undefined;
			};
			return await waitFor('a poll with items', findItems, 180_000);
		}
	});
});

const TOKENS = [
	{ token: live.account.token, text: 'first' },
	{ token: 'another', text: 'second' },
	{ token: live.account.token, text: 'third' },
	{ text: 'fourth' },
];

/** Sends a message for each item, with a credential whose token comes from the item. */
async function sendWithTokensOfItems() {
	const { id, name } = await callN8n<{ id: string; name: string }>('POST', '/credentials', {
		name: 'Token of the item',
		type: 'messagingGatewayApi',
		data: { ...stored, gatewayToken: '={{ $json.token }}', signDeferred: true },
	});
	const items = {
		id: 'items',
		name: 'Items',
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: { fieldToSplitOut: 'items', options: {} },
	};
	const list = {
		id: 'list',
		name: 'List',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: JSON.stringify({ items: TOKENS }), options: {} },
	};
	const send = {
		...messagingGateway({ chatId: CHAT, text: '={{ $json.text }}' }),
		credentials: { messagingGatewayApi: { id, name } },
		onError: 'continueErrorOutput',
	};
	return [manualTrigger, list, items, send];
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The newest finished execution of a workflow. */
async function lastFinished(workflowId: string): Promise<string | undefined> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const { results } = await callN8n<{ results: Array<{ id: string; status: string }> }>(
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
