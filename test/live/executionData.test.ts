/** What leaves an execution: its trace, and its data for a user who may not see them. */
import { createWorkflow, messagingGateway, node, webhook } from './createWorkflow';
import { type Execution, executionsOf } from './executions';
import { live } from './live';
import { startServer } from './localServer';
import { callN8n, createCredential, type Json, publishWorkflow, waitFor } from './n8n';
import { useEmptyN8n } from './ownN8n';
import { answer, endOf, questionTo } from './questions';
import { sandbox, useSandbox } from './sandbox';

const FRIEND = '447700900123';
const UNKNOWN = '447700900124';
const REJECTED = '447700900125';
const TEXT = 'Your table is booked';
const PERSONAL = [FRIEND, UNKNOWN, REJECTED, '900123', '900124', '900125', TEXT];

/** An OpenTelemetry collector. It keeps what it gets as it is: names and texts are readable in it. */
let collector: Awaited<ReturnType<typeof startServer>>;
let received = '';

beforeAll(async () => {
	collector = await startServer((body) => {
		received += body;
		return '';
	});
});
afterAll(() => collector.close());

useEmptyN8n(() => ({
	N8N_OTEL_ENABLED: 'true',
	N8N_OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
	OTEL_BSP_SCHEDULE_DELAY: '100',
}));

useSandbox();
beforeAll(async () => {
	live.credential = await createCredential();
});

/** Starts a workflow with these nodes by a webhook that gets the body. Returns the id of the workflow. */
async function start(body: unknown, ...nodes: Parameters<typeof createWorkflow>[0]) {
	const path = crypto.randomUUID();
	const workflow = await createWorkflow([webhook(path), ...nodes]);
	await publishWorkflow(workflow);
	const headers = { 'content-type': 'application/json' };
	const url = `${live.urls.n8n}/webhook/${path}`;
	await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
	return workflow;
}

/** One message is sent, one is uncertain, one is rejected. */
async function sendThree(onError: string): Promise<Execution> {
	await sandbox.faults([
		{ chatId: UNKNOWN, cut: 'after' },
		{ chatId: REJECTED, status: 422 },
	]);
	const split = { fieldToSplitOut: 'body', options: {} };
	const fields = { chatId: '={{ $json.to }}', text: '={{ $json.text }}' };
	const workflow = await start(
		[FRIEND, UNKNOWN, REJECTED].map((to) => ({ to, text: TEXT })),
		node('Messages', 'n8n-nodes-base.splitOut', split),
		{ ...messagingGateway({ ...fields, advancedOptions: { maxTries: 1 } }), onError },
	);
	return await waitFor('the execution', async () => (await executionsOf(workflow))[0]);
}

/** As n8n shows an execution to a user who may not see its data. */
const redacted = async (execution: string) =>
	JSON.stringify(await callN8n<Json>('GET', `/executions/${execution}?redactExecutionData=true`));

const expectNone = (texts: string[], data: string) => {
	for (const text of texts) expect(data).not.toContain(text);
};

test('neither the trace nor a redacted execution has recipients or texts', async () => {
	const executions = [await sendThree('continueErrorOutput'), await sendThree('stopWorkflow')];
	expect(executions[0]!.outputs('Messaging Gateway')).toMatchObject([
		[{ chatId: FRIEND, outcome: 'sent' }],
		[{ error: expect.any(String) }, { error: expect.any(String) }],
	]);
	for (const { id } of executions) {
		const data = await redacted(id);
		expect(data).toContain('isRedacted');
		expectNone(PERSONAL, data);
	}
	await waitFor('both traces', async () => {
		const spans = received.split('workflow.execute').length - 1;
		const isComplete = spans >= 2 && received.includes('n8n-nodes-messaging-gateway');
		return await Promise.resolve(isComplete || undefined);
	});
	expectNone(PERSONAL, received);
});

test('redacted, a question hides its text and its link, and can still be answered', async () => {
	const question = { chatId: '={{ $json.body.to }}', message: '={{ $json.body.text }}' };
	const ask = messagingGateway({ operation: 'sendAndWait', ...question });
	await start({ to: FRIEND, text: TEXT }, ask);
	const { link, id } = await questionTo(FRIEND);
	const hidden = [...PERSONAL, new URL(link).searchParams.get('signature')!];
	expectNone(hidden, await redacted(id));
	expect((await answer(link, 'true')).status).toBe(200);
	const { outputs } = await endOf(id);
	expect(outputs('Messaging Gateway')[0]).toMatchObject([
		{ answered: true, data: { approved: true } },
	]);
	expectNone(hidden, await redacted(id));
});
