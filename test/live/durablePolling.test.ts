/** The trigger with n8n's durable scheduler: polls are jobs in the database, and the state is stored with the execution. */
import { createWorkflow, messagingGatewayTrigger } from './createWorkflow';
import { live } from './live';
import { createCredential, waitFor } from './n8n';
import { useEmptyN8n } from './ownN8n';
import { emittedItems, startPolling, waitForItems } from './polling';
import { sandbox } from './sandbox';

const TRIGGER = 'Messaging Gateway Trigger';
const MINUTES = 60_000;

const n8n = useEmptyN8n(() => ({
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_TRIGGER_NODE_MODE: 'new',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
}));

beforeAll(async () => {
	live.credential = await createCredential();
});

const polls = async () =>
	(await sandbox.requests()).filter(({ endpoint }) => endpoint === 'status').length;

async function waitForPolls(count: number): Promise<void> {
	const expected = (await polls()) + count;
	await waitFor(
		`${count} polls`,
		async () => (await polls()) >= expected || undefined,
		3 * MINUTES,
	);
}

test('no event is lost or doubled by a restart, and the first poll only records the state', async () => {
	const workflow = await startPolling(
		await createWorkflow([
			messagingGatewayTrigger({
				event: 'statusChanged',
				pollTimes: { item: [{ mode: 'everyMinute' }] },
			}),
		]),
	);
	await waitForPolls(1);
	await sandbox.setStatus('DISCONNECTED');
	const first = { event: 'statusChanged', status: 'DISCONNECTED', previousStatus: 'ONLINE' };
	expect(await waitForItems(workflow, TRIGGER, 3 * MINUTES)).toMatchObject([first]);

	await n8n.stop();
	await sandbox.setStatus('ONLINE');
	await n8n.start();
	const second = { event: 'statusChanged', status: 'ONLINE', previousStatus: 'DISCONNECTED' };
	await waitFor(
		'the second event',
		async () => (await emittedItems(workflow, TRIGGER)).length > 1 || undefined,
		3 * MINUTES,
	);
	await waitForPolls(2);
	expect(await emittedItems(workflow, TRIGGER)).toMatchObject([first, second]);
}, 900_000);
