import { createWorkflow, manualTrigger, messagingGateway, startWorkflow } from './createWorkflow';
import { waitForExecution } from './executions';
import { callN8n, type Json, waitFor } from './n8n';
import { answer, executionOf, linkIn, waitUntilWaiting } from './questions';
import { sandbox } from './sandbox';

beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});

/** Runs a workflow that asks, and returns the link as soon as the message has arrived. */
async function ask(parameters: Json = {}): Promise<string> {
	const workflow = await createWorkflow([
		manualTrigger,
		messagingGateway({
			operation: 'sendAndWait',
			chatId: '+44 7700 900123',
			message: 'May we?',
			approvalOptions: { values: { approvalType: 'double' } },
			...parameters,
		}),
	]);
	await startWorkflow(workflow);
	const [message] = await waitFor('the message', async () => {
		const { delivered } = await sandbox.state();
		return delivered.length > 0 ? delivered : undefined;
	});
	return linkIn(message!.text!);
}

async function dataIn(link: string): Promise<unknown> {
	const execution = await waitFor('the end', async () => {
		const { status, outputs } = await waitForExecution(executionOf(link));
		return status === 'waiting' ? undefined : outputs('Messaging Gateway')[0]![0];
	});
	return execution.data;
}

const post = async (link: string, body: string | FormData, type?: string) =>
	await fetch(link, { method: 'POST', body, headers: type ? { 'content-type': type } : {} });

test('an answer that arrives before the execution waits is rejected, and can be repeated', async () => {
	await sandbox.faults([{ endpoint: 'sendMessage', latencyMs: 3000 }]);
	const link = await ask();
	const early = await answer(link, 'true');
	expect(early.status).toBeGreaterThanOrEqual(400);
	expect(await early.text()).not.toContain('Thank you');
	await waitUntilWaiting(link);
	expect(await (await answer(link, 'false')).text()).toContain('Thank you');
	expect(await dataIn(link)).toMatchObject({ approved: false });
});

const URLENCODED = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const MEGABYTE = 1024 * 1024;

test('bodies that no page sends decide nothing', async () => {
	const link = await ask();
	await waitUntilWaiting(link);
	const bodies: Array<[body: string, type?: string]> = [
		['', URLENCODED],
		['', JSON_TYPE],
		['', 'multipart/form-data; boundary=x'],
		['approved', URLENCODED],
		['approved=TRUE&approved=true', URLENCODED],
		['approved[true]=true', URLENCODED],
		['__proto__[approved]=true', URLENCODED],
		['constructor[prototype][approved]=true', URLENCODED],
		['{"__proto__":{"approved":"true"}}', JSON_TYPE],
		['{"approved":true}', JSON_TYPE],
		['{"approved":{"toString":"true"}}', JSON_TYPE],
		['{', JSON_TYPE],
		['[]', JSON_TYPE],
		['<approved><b>true</b></approved>', 'application/xml'],
		['true', 'text/plain'],
		[`approved=${'x'.repeat(20 * MEGABYTE)}`, URLENCODED],
		['approved=true', 'application/octet-stream'],
	];
	for (const [body, type] of bodies) {
		const response = await post(link, body, type);
		expect([body.slice(0, 60), type, await response.text()].join('\n')).not.toContain('Thank you');
		expect(response.status).toBeGreaterThanOrEqual(400);
		expect(response.status).toBeLessThan(600);
	}
	await waitUntilWaiting(link);
	expect((await answer(link, 'true')).status).toBe(200);
	expect(await dataIn(link)).toEqual({ approved: true, respondedAt: expect.any(String) });
});

test('a form takes no fields that it does not have', async () => {
	const fields = [
		{ fieldLabel: 'constructor', fieldType: 'text' },
		{ fieldLabel: 'amount', fieldType: 'number' },
	];
	const link = await ask({ responseType: 'customForm', formFields: { values: fields } });
	await waitUntilWaiting(link);
	const body = new FormData();
	body.set('field-0', 'x');
	body.set('field-1', '9'.repeat(50_000) + 'x');
	body.set('__proto__', 'x');
	body.set('approved', 'true');
	body.set('field-2', 'x');
	expect((await post(link, body)).status).toBe(422);
	body.set('field-1', '9'.repeat(MEGABYTE));
	expect((await post(link, body)).status).toBe(413);
	body.set('field-1', '5');
	expect(await (await post(link, body)).text()).toContain('Thank you');
	const data = (await dataIn(link)) as Json;
	expect(Object.keys(data).sort()).toEqual(['amount', 'constructor', 'respondedAt']);
	expect(data.amount).toBe(5);
});

test('the link of a deleted execution leads nowhere', async () => {
	const link = await ask();
	await waitUntilWaiting(link);
	await callN8n('POST', `/executions/${executionOf(link)}/stop`);
	await callN8n('POST', '/executions/delete', { ids: [executionOf(link)] });
	expect((await fetch(link)).status).toBe(404);
	expect((await answer(link, 'true')).status).toBe(404);
});
