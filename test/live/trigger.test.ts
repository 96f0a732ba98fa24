import { post, textTo } from '../harness/client';
import { browserTest, screenshot, useBrowser } from './browser';
import { execute, openNode, byTestId } from './editor';
import { live } from './live';
import type { Json } from './n8n';
import { messagingGatewayTrigger, createWorkflow } from './createWorkflow';
import { waitForItems, poll, startPolling, stopPolling, emittedItems } from './polling';
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

/**
 * Polls only when the test publishes the workflow: on the next 29 February. A scheduled poll next to one of those would report
 * the same events, because n8n stores the state after a poll.
 */
const NO_SCHEDULE = { pollTimes: { item: [{ mode: 'custom', cronExpression: '0 0 0 29 2 *' }] } };

/** Publishes a workflow that consists of the trigger. Its first poll, the baseline, is done when this returns. */
async function publishTrigger(parameters: Json, pollTimes: Json = NO_SCHEDULE): Promise<string> {
	const trigger = messagingGatewayTrigger({ ...parameters, ...pollTimes });
	return await startPolling(await createWorkflow([trigger]));
}

async function defer(text: string): Promise<void> {
	await post(live.account, 'sendMessage', { ...textTo(CHAT, text), windowMs: 3_600_000 });
}

test('emits statusChanged on the scheduled poll within a minute', async () => {
	const everyMinute = { pollTimes: { item: [{ mode: 'everyMinute' }] } };
	const workflow = await publishTrigger({ event: 'statusChanged' }, everyMinute);
	await sandbox.setStatus('DISCONNECTED');
	expect(await waitForItems(workflow, TRIGGER, 75_000)).toEqual([
		{ event: 'statusChanged', status: 'DISCONNECTED', previousStatus: 'ONLINE', at: TIME },
	]);
});

test('emits deferredAdded and deferredSettled for the same message', async () => {
	const [added, settled] = [
		await publishTrigger({ event: 'deferredAdded' }),
		await publishTrigger({ event: 'deferredSettled' }),
	];
	await sandbox.setStatus('DISCONNECTED');
	await defer('Your table is booked');
	await poll(added);
	const [delivery] = (await sandbox.state()).deferred;
	expect(await waitForItems(added, TRIGGER)).toEqual([
		{ event: 'deferredAdded', ...delivery, seenAt: TIME },
	]);

	await poll(settled);
	expect(await emittedItems(settled, TRIGGER)).toEqual([]);
	await sandbox.setStatus('ONLINE');
	for (const _ of [1, 2]) await poll(settled);
	await poll(added);
	expect(await waitForItems(settled, TRIGGER)).toEqual([
		{
			event: 'deferredSettled',
			...delivery,
			firstSeenAt: TIME,
			lastSeenAt: TIME,
			settledAt: TIME,
		},
	]);
	expect(await emittedItems(added, TRIGGER)).toHaveLength(1);
});

browserTest('shows a sample event on “Fetch Test Event”', async (page) => {
	const workflow = await createWorkflow([messagingGatewayTrigger({ event: 'statusChanged' })]);
	await openNode(page, workflow);
	await execute(page);
	const output = byTestId(page, 'output-panel');
	await output.getByText('isSample').waitFor();
	await output.getByText('ONLINE', { exact: true }).waitFor();
	await screenshot(page, 'fetch-test-event');
});

browserTest('shows the gateway’s error on “Fetch Test Event”', async (page) => {
	await sandbox.faults([{ endpoint: 'status', status: 401, code: 'invalid_token' }]);
	const workflow = await createWorkflow([messagingGatewayTrigger({ event: 'statusChanged' })]);
	await openNode(page, workflow);
	await execute(page);
	await byTestId(page, 'node-error-message').getByText('does not know the token').waitFor();
	await screenshot(page, 'fetch-test-event-refused');
});
