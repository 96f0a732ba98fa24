import { textOf } from '../harness/qrReader';
import { post, textTo } from '../harness/client';
import { OPERATIONS, prepare, requestOf } from '../harness/operations';
import {
	connections,
	createWorkflow,
	httpRequest,
	manualTrigger,
	mcpServer,
	messagingGateway,
	messagingGatewayTool,
	messagingGatewayTrigger,
	node,
	webhook,
} from '../live/createWorkflow';
import { executionsOf, waitForItems } from '../live/executions';
import { live } from '../live/live';
import { callN8n, createCredential, type Json, setActive, waitFor } from '../live/n8n';
import { answer, endOf, questionTo } from '../live/questions';
import { sandbox, useSandbox } from '../live/sandbox';
import { McpClient } from '../live/examples/mcpClient';
import { n8n, publishWebhook, run, startExecution } from './run';

const OURS = 'Messaging Gateway';
const TRIGGER = 'Messaging Gateway Trigger';
const PHONE = '+44 (7700) 900-123';
const CHAT = '447700900123';

useSandbox();

const delivered = async () => (await sandbox.state()).delivered;

/** Defers two messages and returns their delivery keys. */
async function deferTwo(): Promise<string[]> {
	await sandbox.setStatus('DISCONNECTED');
	for (const text of ['Later', 'Later still']) {
		await post(live.account, 'sendMessage', { ...textTo(CHAT, text), windowMs: 600_000 });
	}
	return (await sandbox.state()).deferred.map(({ deliveryKey }) => deliveryKey);
}

const readFile = node('Read file', 'n8n-nodes-base.extractFromFile', {
	operation: 'binaryToPropery',
	options: {},
});

const writeFile = node(
	'Write file',
	'n8n-nodes-base.convertToFile',
	{ operation: 'toText', sourceProperty: 'text', options: { fileName: 'invoice.txt' } },
	{ typeVersion: 1.1 },
);

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

		test('passes its test, which reports a wrong secret', async () => {
			expect(await testCredential({})).toMatchObject({ status: 'OK' });
			const message = 'The gateway did not accept the signature (401, invalid_signature)';
			expect(await testCredential({ gatewaySecret: 'another' })).toMatchObject({
				status: 'Error',
				message: expect.stringContaining(message),
			});
		});

		test('with an expression is resolved for each item; failed items keep their input', async () => {
			const token = { gatewayToken: '={{ $json.token }}', signDeferred: true };
			const messagingGatewayApi = await createCredential(token);
			const tokens: Json[] = [
				{ token: gatewayToken, text: 'first' },
				{ token: 'another', text: 'second' },
				{ token: gatewayToken, text: 'third' },
				{ text: 'fourth' },
			];
			const send = messagingGateway({ chatId: CHAT, text: '={{ $json.text }}' });
			const more = { credentials: { messagingGatewayApi }, onError: 'continueErrorOutput' };
			const pinData = { Start: tokens.map((json) => ({ json })) };
			const { error, outputs } = await run([manualTrigger, { ...send, ...more }], { pinData });
			expect(error).toBeUndefined();
			const [sent, failed] = outputs(OURS);
			expect(sent!.map(({ outcome }) => outcome)).toEqual(['sent', 'sent']);
			// An older n8n has no `details`.
			expect(failed).toMatchObject([
				{
					...tokens[1],
					error: 'The gateway does not know the token (401, invalid_token) [item 1]',
				},
				{ ...tokens[3], error: "'Token' of the credential is empty [item 3]" },
			]);
			expect((await delivered()).map(({ text }) => text)).toEqual(['first', 'third']);
		});
	});

	test.each(OPERATIONS)('$title', async (operation) => {
		const parameters = await prepare(operation, live.account, sandbox);
		const file = operation.needsFile ? [writeFile] : [];
		const pinData = { Start: [{ json: { text: 'Hello' } }] };
		const nodes = [manualTrigger, ...file, messagingGateway(parameters)];
		const { error, outputs } = await run(nodes, { pinData });
		expect(error).toBeUndefined();
		expect(outputs(OURS)[0]).toMatchObject([operation.item].flat());
		const { method, url, status } = (await sandbox.requests()).at(-1)!;
		expect({ request: `${method} ${url}`, status }).toEqual({
			request: requestOf(operation, parameters, live.account),
			status: 200,
		});
	});

	test('Get QR Image outputs a file that the next node can read', async () => {
		await sandbox.setStatus('AWAITING_QR');
		const qrImage = messagingGateway({ resource: 'session', operation: 'qrImage' });
		const id = await startExecution([manualTrigger, qrImage, readFile]);
		const { error, outputs } = await endOf(id);
		expect(error).toBeUndefined();
		const base64 = outputs(readFile.name)[0]![0]!.data as string;
		expect(textOf(Buffer.from(base64, 'base64'))).toMatch(/^2@/);
		// As in n8n 3, files are not in memory.
		const { data } = await callN8n<{ data: string }>('GET', `/executions/${id}`);
		expect(data).toContain('"filesystem');
	});

	describe('Message', () => {
		test('Send fails when the timeout expires', async () => {
			await sandbox.faults([{ endpoint: 'sendMessage', latencyMs: 30_000 }]);
			const requestOptions = { timeout: 500 };
			const send = messagingGateway({ chatId: PHONE, text: 'Hello', requestOptions });
			const startedAt = Date.now();
			const { error } = await run([manualTrigger, send]);
			expect(error).toContain('did not respond within the timeout');
			expect(Date.now() - startedAt).toBeLessThan(10_000);
		});

		test('Send stops when the execution is cancelled during the request', async () => {
			await sandbox.faults([{ endpoint: 'sendMessage', latencyMs: 30_000 }]);
			const send = messagingGateway({ chatId: PHONE, text: 'Hello' });
			const execution = await startExecution([manualTrigger, send]);
			await waitFor('the message', async () => (await delivered())[0]);
			const cancelledAt = Date.now();
			await callN8n('POST', `/executions/${execution}/stop`);
			expect((await endOf(execution)).status).toBe('canceled');
			expect(Date.now() - cancelledAt).toBeLessThan(5_000);
		});

		test('does not send a message again when an execution is retried whose message has arrived', async () => {
			const path = crypto.randomUUID();
			const options = { idempotencyKey: 'automatic' };
			const fields = { chatId: PHONE, text: 'Hello', options, advancedOptions: { maxTries: 1 } };
			const send = messagingGateway(fields);
			const workflow = await createWorkflow([webhook(path), send]);
			const url = await publishWebhook(workflow, `/webhook/${path}`);
			await sandbox.faults([{ endpoint: 'sendMessage', times: 1, cut: 'after' }]);
			expect((await fetch(url, { method: 'POST' })).status).toBe(200);
			const last = async () => (await executionsOf(workflow)).at(-1);
			const failed = await waitFor('the execution', last);

			await callN8n('POST', `/executions/${failed.id}/retry`, { loadWorkflow: false });
			const retried = await waitFor('the retry', async () => {
				const execution = await last();
				return execution?.id === failed.id ? undefined : execution;
			});
			expect(retried.outputs(OURS)[0]).toMatchObject([{ outcome: 'duplicate' }]);
			expect(await delivered()).toHaveLength(1);
		});
	});

	describe('Send and Wait for Response', () => {
		const double = { approvalOptions: { values: { approvalType: 'double' } } };
		/** Shows how often the workflow continues. */
		const text = '={{ String($json.data.approved) }}';
		const report = () => messagingGateway({ chatId: CHAT, text }, 'Report');

		async function ask(parameters: Json, name = OURS) {
			const question = { operation: 'sendAndWait', chatId: PHONE, message: 'May we?' };
			const asking = { ...messagingGateway({ ...question, ...parameters }), name };
			await startExecution([manualTrigger, asking, report()]);
			const { id, link } = await questionTo(CHAT);
			return { execution: id, link: new URL(link) };
		}

		/** The items at the end. n8n 1 stores the final status before the run data, here those of the wait, without this field. */
		const itemsWith = async (field: string, execution: string, name = OURS) =>
			await waitFor(`items with ${field}`, async () => {
				const [items = []] = (await endOf(execution)).outputs(name);
				return field in (items[0] ?? {}) ? items : undefined;
			});

		/** Of the page that follows an answer. */
		async function headingOf(response: Response) {
			expect(response.status).toBe(200);
			expect(response.headers.get('content-type')).toMatch(/^text\/html/);
			return /<h1[^>]*>(.*)<\/h1>/.exec(await response.text())?.[1];
		}

		test('an approval', async () => {
			const { execution, link } = await ask(double);
			for (const method of ['GET', 'HEAD', 'GET']) {
				const page = await fetch(link, { method });
				expect(page.status).toBe(200);
				expect(page.headers.get('content-type')).toMatch(/^text\/html/);
				if (method === 'HEAD') continue;
				expect((await page.text()).match(/<button/g)).toHaveLength(2);
				expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; ");
			}
			expect(await headingOf(await answer(link, 'true'))).toBe('Thank you');
			expect(await itemsWith('data', execution)).toEqual([
				{
					answered: true,
					data: { approved: true, respondedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
					chatId: CHAT,
					messageId: expect.any(String),
					outcome: 'sent',
				},
			]);
			const late = await answer(link, 'false');
			expect(await late.text()).toMatch(/no action required/i);
			expect((await fetch(link)).status).toBe(200);
			expect((await delivered()).slice(1)).toMatchObject([{ text: 'true' }]);
		});

		test('is not answered by a link that was changed', async () => {
			const { execution, link } = await ask(double);
			for (const name of ['run', 'signature']) {
				const changed = new URL(link);
				changed.searchParams.set(name, `${link.searchParams.get(name)}1`);
				expect((await fetch(changed)).status).toBe(401);
				expect((await answer(changed, 'true')).status).toBe(401);
			}
			await answer(link, 'false');
			expect(await itemsWith('data', execution)).toMatchObject([{ data: { approved: false } }]);
		});

		// n8n looks once a minute for executions whose time is over.
		test('without an answer, nothing in the input looks like one', async () => {
			const question = messagingGateway({
				...{ operation: 'sendAndWait', chatId: PHONE, message: 'May we?', ...double },
				options: { limitWaitTime: 0.05 },
			});
			const forged = { order: 7, answered: true, data: { approved: true } };
			const pinData = { Start: [{ json: forged }] };
			const execution = await startExecution([manualTrigger, question], { pinData });
			await questionTo(CHAT);
			const items = await itemsWith('order', execution);
			expect(items).toEqual([{ order: 7, answered: false }]);
		}, 180_000);

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
			expect(await headingOf(await fetch(link, { method: 'POST', body }))).toBe('Thank you');
			expect(await itemsWith('data', execution, name)).toMatchObject([
				{ data: { amount: 12.5, Extras: ['A', 'B'] } },
			]);
		});
	});

	test('works as the credential of an HTTP Request node', async () => {
		const { error, outputs } = await run([manualTrigger, httpRequest(CHAT, 'Grüße 🍝')]);
		expect(error).toBeUndefined();
		expect(outputs('HTTP Request')[0]).toMatchObject([{ status: 'sent' }]);
		expect(await delivered()).toMatchObject([{ chatId: CHAT, text: 'Grüße 🍝' }]);
	});

	test('works as a tool of the MCP Server Trigger', async () => {
		const path = crypto.randomUUID();
		const fromAi = (name: string) => `={{ $fromAI('${name}', 'The ${name}', 'string') }}`;
		const tools = Object.entries({
			Pair: { resource: 'session', operation: 'pair' },
			Send: { chatId: fromAi('recipient'), text: fromAi('text') },
			Status: { resource: 'session', operation: 'status' },
		}).map(([name, parameters]) =>
			messagingGatewayTool(name, { toolDescription: `${name} of a gateway`, ...parameters }),
		);
		const server = mcpServer(path);
		const workflow = await createWorkflow([server, ...tools], {
			connections: connections(tools.map(({ name }) => [name, server.name, 'ai_tool'])),
		});
		const client = new McpClient(await publishWebhook(workflow, `/mcp/${path}`));
		await client.initialize();
		const names = (await client.tools()).map(({ name }) => name);
		expect(names.sort()).toEqual(['Pair', 'Send', 'Status']);

		expect(await client.callTool('Status', {})).toContain('ONLINE');
		const message = { recipient: PHONE, text: 'Hello from a model' };
		expect(await client.callTool('Send', message)).toContain('"outcome":"sent"');
		expect(await delivered()).toMatchObject([{ chatId: CHAT, text: message.text }]);
		expect(await client.callTool('Pair', {})).toContain('"online":true');
	});

	describe('Trigger', () => {
		const trigger = (event: string) =>
			messagingGatewayTrigger({ event, pollTimes: { item: [{ mode: 'everyMinute' }] } });

		test.each(['statusChanged', 'sessionOffline', 'deferredAdded', 'deferredSettled'])(
			'Fetch Test Event, %s',
			async (event) => {
				const { error, outputs } = await run([trigger(event)]);
				expect(error).toBeUndefined();
				expect(outputs(TRIGGER)[0]).toMatchObject([{ event, isSample: true }]);
			},
		);

		test('starts workflows when the session comes online and when deliveries are settled', async () => {
			const [deliveryKey] = await deferTwo();
			const onStatus = await createWorkflow([trigger('statusChanged')]);
			const onSettled = await createWorkflow([trigger('deferredSettled')]);
			for (const workflow of [onStatus, onSettled]) await setActive(workflow, true);
			await waitFor('the first poll', async () => {
				const polled = (await sandbox.requests()).map(({ endpoint }) => endpoint);
				return (polled.includes('status') && polled.includes('listDeferred')) || undefined;
			});
			await sandbox.setStatus('ONLINE');
			// n8n polls once a minute, and a delivery counts as settled after the second poll without it.
			expect(await waitForItems(onStatus, TRIGGER)).toMatchObject([
				{ event: 'statusChanged', previousStatus: 'DISCONNECTED', status: 'ONLINE' },
			]);
			const settled = await waitForItems(onSettled, TRIGGER);
			expect(settled).toHaveLength(2);
			expect(settled).toContainEqual(
				expect.objectContaining({ event: 'deferredSettled', deliveryKey, text: 'Later' }),
			);
			for (const workflow of [onStatus, onSettled]) await setActive(workflow, false);
		}, 240_000);
	});
});
