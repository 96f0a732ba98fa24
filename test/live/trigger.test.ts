import { post, textTo } from '../sandbox/client';
import { inBrowser, picture, useBrowser } from './browser';
import { execute, openView, part } from './editor';
import { live } from './live';
import type { Json } from './n8n';
import { messagingGatewayTrigger, newWorkflow } from './newWorkflow';
import { news, poll, startPolling, stopPolling, told } from './polling';
import { sandbox } from './sandbox';

const TRIGGER = 'Messaging Gateway Trigger';
const CHAT = '447700900123';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

useBrowser();
beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});
afterEach(stopPolling);

/** A published workflow of the trigger alone: its first poll, which is the baseline, has been. */
async function watching(parameters: Json): Promise<string> {
	return await startPolling(await newWorkflow([messagingGatewayTrigger(parameters)]));
}

async function defer(text: string): Promise<void> {
	await post(live.account, 'sendMessage', { ...textTo(CHAT, text), windowMs: 3_600_000 });
}

test('statusChanged, by the poll that comes by itself within a minute', async () => {
	const workflow = await watching({ event: 'statusChanged' });
	await sandbox.setStatus('DISCONNECTED');
	expect(await news(workflow, TRIGGER, 75_000)).toEqual([
		{ event: 'statusChanged', status: 'DISCONNECTED', previousStatus: 'ONLINE', at: TIME },
	]);
});

test('statusChanged, only to the wanted status, and over an outage of the gateway', async () => {
	const workflow = await watching({ event: 'statusChanged', toStatuses: 'AUTH_FAILURE' });
	await sandbox.setStatus('DISCONNECTED');
	await poll(workflow);
	await sandbox.faults([{ endpoint: 'status', cut: 'before' }]);
	await poll(workflow);
	await sandbox.faults([]);
	await sandbox.setStatus('AUTH_FAILURE');
	await poll(workflow);
	await poll(workflow);
	expect(await news(workflow, TRIGGER)).toEqual([
		{
			event: 'statusChanged',
			status: 'AUTH_FAILURE',
			previousStatus: 'DISCONNECTED',
			at: TIME,
		},
	]);
});

test('deferredAdded, and deferredSettled of the same message', async () => {
	const [added, settled] = [
		await watching({ event: 'deferredAdded' }),
		await watching({ event: 'deferredSettled' }),
	];
	await sandbox.setStatus('DISCONNECTED');
	await defer('Your table is booked');
	await poll(added);
	const [delivery] = (await sandbox.state()).deferred;
	expect(await news(added, TRIGGER)).toEqual([
		{ event: 'deferredAdded', ...delivery, seenAt: TIME },
	]);

	await poll(settled);
	expect(await told(settled, TRIGGER)).toEqual([]);
	await sandbox.setStatus('ONLINE');
	await poll(settled);
	await poll(added);
	expect(await news(settled, TRIGGER)).toEqual([
		{
			event: 'deferredSettled',
			...delivery,
			firstSeenAt: TIME,
			lastSeenAt: TIME,
			settledAt: TIME,
		},
	]);
	expect(await told(added, TRIGGER)).toHaveLength(1);
});

inBrowser('“Fetch Test Event” shows what an event looks like', async (page) => {
	const workflow = await newWorkflow([messagingGatewayTrigger({ event: 'statusChanged' })]);
	await openView(page, workflow);
	await execute(page);
	const output = part(page, 'output-panel');
	await output.getByText('isSample').waitFor();
	await output.getByText('ONLINE', { exact: true }).waitFor();
	await picture(page, 'fetch-test-event');
});

inBrowser('“Fetch Test Event” says what keeps the gateway from answering', async (page) => {
	await sandbox.faults([{ endpoint: 'status', status: 401, code: 'invalid_token' }]);
	const workflow = await newWorkflow([messagingGatewayTrigger({ event: 'statusChanged' })]);
	await openView(page, workflow);
	await execute(page);
	await part(page, 'node-error-message').getByText('does not know the token').waitFor();
	await picture(page, 'fetch-test-event-refused');
});
