import { setTimeout as delay } from 'node:timers/promises';

import { post, textTo } from '../../harness/client';
import { emittedItems, executionsOf, waitForItems } from '../executions';
import { live } from '../live';
import { startServer } from '../localServer';
import { publishWorkflow, unpublishWorkflow, waitFor } from '../n8n';
import { sandbox, useSandbox } from '../sandbox';
import { deleteRows, rowsOf } from './dataTables';
import { idOf, setFields } from './examples';

const ALERT = '9a-offline-alert';
const SENT = '9b-deferred-message-sent';
const ALERTS = 'Messaging alerts';
const OUTBOX = 'Messaging outbox';
const MINUTE_MS = 60_000;

useSandbox();
beforeEach(async () => {
	for (const table of [ALERTS, OUTBOX]) await deleteRows(table);
});
// Otherwise their polls would appear among the requests of later tests.
afterEach(async () => {
	for (const file of [ALERT, SENT]) await unpublishWorkflow(idOf(file));
});

/** Publishes the workflow again, because n8n polls at once then. Otherwise it polls once a minute at most. */
async function poll(workflow: string): Promise<void> {
	await unpublishWorkflow(workflow);
	await publishWorkflow(workflow);
}

test('9a. Send an alert when the number goes offline sends a chat message once per outage', async () => {
	const trigger = 'Offline for 10 minutes';
	const messages: unknown[] = [];
	const chatRoom = await startServer((body) => {
		messages.push(JSON.parse(body));
		return '{}';
	});
	await setFields(ALERT, 'Chat', { url: chatRoom.url });
	await setFields(ALERT, trigger, { minutes: 1 });
	const workflow = idOf(ALERT);
	await publishWorkflow(workflow);
	try {
		await sandbox.setStatus('DISCONNECTED');
		await poll(workflow);
		await delay(MINUTE_MS);
		await poll(workflow);
		expect(await waitForItems(workflow, trigger)).toMatchObject([
			{ event: 'sessionOffline', status: 'DISCONNECTED', minutes: 1 },
		]);
		await poll(workflow);
		expect(await emittedItems(workflow, trigger)).toHaveLength(1);
	} finally {
		chatRoom.close();
	}
	expect((await executionsOf(workflow)).map(({ status }) => status)).not.toContain('error');
	expect(await rowsOf(ALERTS)).toMatchObject([
		{ subject: 'The messaging number is offline (DISCONNECTED)' },
	]);
	expect(messages).toEqual([
		{ text: expect.stringContaining('has been offline for 1 min, since') },
	]);
}, 150_000);

const defer = async (text: string, windowMs: number) =>
	await post(live.account, 'sendMessage', { ...textTo('447700900123', text), windowMs });

test('9b. Notify sales when a deferred message is sent notifies about a message that was sent, not about one that expired', async () => {
	const workflow = idOf(SENT);
	await publishWorkflow(workflow);
	await sandbox.setStatus('DISCONNECTED');
	// Long enough for a poll on a busy machine.
	await defer('Too late by then', 20_000);
	await defer('Your offer is attached', 3_600_000);
	await poll(workflow);
	await waitFor(
		'the end of its delivery window',
		async () => (await sandbox.state()).deferred.length === 1 || undefined,
	);
	await sandbox.setStatus('ONLINE');
	// Two deliveries leave the list at once, so a second poll must confirm it.
	await poll(workflow);
	await poll(workflow);
	expect(await waitForItems(workflow, 'Deferred delivery settled')).toHaveLength(2);
	const notified = await waitFor('the notification', async () => {
		const { delivered } = await sandbox.state();
		return delivered.length > 1 ? delivered : undefined;
	});
	expect(notified).toMatchObject([
		{ chatId: '447700900123', text: 'Your offer is attached' },
		{
			chatId: '447700900199',
			text: expect.stringMatching(
				/^Your message to \+447700900123 has been sent\. It had been deferred since \d.*\n\nYour offer is attached$/,
			),
		},
	]);
	expect((await executionsOf(workflow)).map(({ status }) => status)).not.toContain('error');
});
