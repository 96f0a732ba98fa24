import { setTimeout as delay } from 'node:timers/promises';

import { post, textTo } from '../../harness/client';
import { executionsOf } from '../executions';
import { live } from '../live';
import { waitFor } from '../n8n';
import { waitForItems, poll, startPolling, stopPolling, emittedItems } from '../polling';
import { sandbox } from '../sandbox';
import { startChatRoom } from './chatRoom';
import { rowsOf } from './dataTables';
import { idOf, setFields } from './examples';

const MINUTE_MS = 60_000;

beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});
afterEach(stopPolling);

test('9a. Send an alert when the number goes offline sends a chat message once per outage', async () => {
	const FILE = '9a-offline-alert';
	const TRIGGER = 'Offline for 10 minutes';
	const chatRoom = await startChatRoom();
	await setFields(FILE, 'Chat', { url: chatRoom.url });
	await setFields(FILE, TRIGGER, { minutes: 1 });
	const workflow = await startPolling(idOf(FILE));
	try {
		await sandbox.setStatus('DISCONNECTED');
		await poll(workflow);
		await delay(MINUTE_MS);
		await poll(workflow);
		expect(await waitForItems(workflow, TRIGGER)).toMatchObject([
			{ event: 'sessionOffline', status: 'DISCONNECTED', minutes: 1 },
		]);
		await poll(workflow);
		expect(await emittedItems(workflow, TRIGGER)).toHaveLength(1);
	} finally {
		chatRoom.close();
	}
	expect((await executionsOf(workflow)).map(({ status }) => status)).not.toContain('error');
	expect(await rowsOf('Messaging alerts')).toMatchObject([
		{ subject: 'The messaging number is offline (DISCONNECTED)' },
	]);
	expect(chatRoom.messages).toEqual([
		{ text: expect.stringContaining('has been offline for 1 min, since') },
	]);
}, 150_000);

const FILE = '9b-deferred-message-sent';
const TRIGGER = 'Deferred delivery settled';

const defer = async (text: string, windowMs: number) =>
	await post(live.account, 'sendMessage', { ...textTo('447700900123', text), windowMs });

test('9b. Notify sales when a deferred message is sent notifies about a message that was sent, not about one that expired', async () => {
	const workflow = await startPolling(idOf(FILE));
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
	expect(await waitForItems(workflow, TRIGGER)).toHaveLength(2);
	const messages = await waitFor('the notification', async () => {
		const { delivered } = await sandbox.state();
		return delivered.length > 1 ? delivered : undefined;
	});
	expect(messages).toMatchObject([
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
