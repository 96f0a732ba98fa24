import { post, textTo } from '../../harness/client';
import { executionsOf, waitForItems } from '../executions';
import { live } from '../live';
import { publishWorkflow, unpublishWorkflow, waitFor } from '../n8n';
import { sandbox, useSandbox } from '../sandbox';
import { idOf } from './examples';

const SENT = '9b-deferred-message-sent';

useSandbox();
// Otherwise its polls would appear among the requests of later tests.
afterEach(async () => await unpublishWorkflow(idOf(SENT)));

/** Publishes the workflow again, because n8n polls at once then. Otherwise it polls once a minute at most. */
async function poll(workflow: string): Promise<void> {
	await unpublishWorkflow(workflow);
	await publishWorkflow(workflow);
}

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
