/** What leaves an execution: its trace, and its data for a user who may not see them. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createWorkflow, messagingGateway, webhook } from './createWorkflow';
import { executionsOf } from './executions';
import { live } from './live';
import { callN8n, createCredential, type Json, publishWorkflow, waitFor } from './n8n';
import { useEmptyN8n } from './ownN8n';
import { answer, endOf, executionOf, linkIn, waitUntilWaiting } from './questions';
import { sandbox } from './sandbox';

const FRIEND = '447700900123';
const UNKNOWN = '447700900124';
const REJECTED = '447700900125';
const TEXT = 'Your table is booked';
const PERSONAL = [FRIEND, UNKNOWN, REJECTED, '900123', '900124', '900125', TEXT];

/** An OpenTelemetry collector. It keeps what it gets as it is: names and texts are readable in it. */
let collector: Server;
let received = '';

beforeAll(async () => {
	collector = createServer((request, response) => {
		request.setEncoding('latin1').on('data', (chunk: string) => (received += chunk));
		request.on('end', () => response.end());
	});
	await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void collector.close());

useEmptyN8n(() => ({
	N8N_OTEL_ENABLED: 'true',
	N8N_OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
	OTEL_BSP_SCHEDULE_DELAY: '100',
}));

beforeAll(async () => {
	live.credential = await createCredential();
});

async function publish(path: string, ...nodes: ReturnType<typeof messagingGateway>[]) {
	const workflow = await createWorkflow([webhook(path), ...nodes]);
	await publishWorkflow(workflow);
	return workflow;
}

const post = async (path: string, body: unknown) =>
	await fetch(`${live.urls.n8n}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});

const split = {
	id: 'split',
	name: 'Messages',
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: 'body', options: {} },
};

const fields = { chatId: '={{ $json.to }}', text: '={{ $json.text }}' };
const send = () => messagingGateway({ ...fields, options: { maxTries: 1 } });
let paths = 0;

/** One message is sent, one is uncertain, one is rejected. */
async function sendThree(onError: string): Promise<string> {
	await sandbox.faults([
		{ chatId: UNKNOWN, cut: 'after' },
		{ chatId: REJECTED, status: 422 },
	]);
	const path = `three-${(paths += 1)}`;
	const workflow = await publish(path, split, { ...send(), onError });
	await post(
		path,
		[FRIEND, UNKNOWN, REJECTED].map((to) => ({ to, text: TEXT })),
	);
	return workflow;
}

test('the trace has the counts of the items, and nothing personal leaves n8n', async () => {
	const workflow = await sendThree('continueErrorOutput');
	const [execution] = await waitFor('the execution', async () => {
		const all = await executionsOf(workflow);
		return all.length > 0 ? all : undefined;
	});
	expect(execution!.outputs('Messaging Gateway')).toMatchObject([
		[{ chatId: FRIEND, outcome: 'sent' }],
		[{ error: expect.any(String) }, { error: expect.any(String) }],
	]);
	expect(execution!.tracing('Messaging Gateway')).toEqual({
		'messages.sent': 1,
		'messages.deferred': 0,
		'messages.duplicate': 0,
		'messages.rehearsed': 0,
		'messages.unknown': 1,
		'messages.failed': 1,
		'requests.limited': 0,
		'limited.ms': 0,
	});
	await sendThree('stopWorkflow');
	await waitFor('both traces', async () => {
		const spans = received.split('workflow.execute').length - 1;
		return await Promise.resolve(
			spans >= 2 && received.includes('n8n-nodes-messaging-gateway') ? true : undefined,
		);
	});
	for (const text of PERSONAL) expect(received).not.toContain(text);
});

/** As n8n shows an execution to a user who may not see its data. */
const redacted = async (execution: string) =>
	JSON.stringify(await callN8n<Json>('GET', `/executions/${execution}?redactExecutionData=true`));

test('redacted, an execution contains neither recipients nor texts', async () => {
	for (const onError of ['continueErrorOutput', 'stopWorkflow']) {
		const workflow = await sendThree(onError);
		const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow }));
		const { results } = await callN8n<{ results: Array<{ id: string }> }>(
			'GET',
			`/executions?filter=${filter}`,
		);
		const data = await redacted(results[0]!.id);
		expect(data).toContain('isRedacted');
		for (const text of PERSONAL) expect(data).not.toContain(text);
	}
});

test('redacted, a question hides its text and its link, and can still be answered', async () => {
	await publish(
		'ask',
		messagingGateway({
			operation: 'sendAndWait',
			chatId: '={{ $json.body.to }}',
			message: '={{ $json.body.text }}',
		}),
	);
	await post('ask', { to: FRIEND, text: TEXT });
	const [message] = await waitFor('the question', async () => {
		const { delivered } = await sandbox.state();
		const questions = delivered.filter(({ text }) => text?.includes('webhook-waiting'));
		return questions.length > 0 ? questions : undefined;
	});
	const link = linkIn(message!.text!);
	await waitUntilWaiting(link);
	const signature = new URL(link).searchParams.get('signature')!;
	const data = await redacted(executionOf(link));
	for (const text of [...PERSONAL, signature]) expect(data).not.toContain(text);
	expect((await answer(link, 'true')).status).toBe(200);
	const { outputs } = await endOf(executionOf(link));
	expect(outputs('Messaging Gateway')[0]).toMatchObject([
		{ answered: true, data: { approved: true } },
	]);
	const ended = await redacted(executionOf(link));
	for (const text of [...PERSONAL, signature]) expect(ended).not.toContain(text);
});
