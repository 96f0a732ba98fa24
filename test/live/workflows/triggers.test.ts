import { setTimeout as after } from 'node:timers/promises';

import { post, textTo } from '../../sandbox/client';
import { executionsOf } from '../executions';
import { live } from '../live';
import { until } from '../n8n';
import { news, poll, startPolling, stopPolling, told } from '../polling';
import { sandbox } from '../sandbox';
import { startChatRoom } from './chatRoom';
import { fillIn, giveCredential, idOf } from './examples';
import { startMailbox } from './mailbox';

const MINUTE_MS = 60_000;

beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});
afterEach(stopPolling);

describe('9a. Alert when the number goes offline', () => {
	const FILE = '9a-offline-alert';
	const TRIGGER = 'Offline for 10 minutes';

	test('it tells by e-mail and in a chat, once per outage', async () => {
		const [mailbox, chatRoom] = [await startMailbox(), await startChatRoom()];
		await giveCredential(FILE, 'E-mail', 'smtp', {
			host: '127.0.0.1',
			port: mailbox.port,
			secure: false,
			disableStartTls: true,
		});
		await fillIn(FILE, 'E-mail', {});
		await fillIn(FILE, 'Chat', { url: chatRoom.url });
		await fillIn(FILE, TRIGGER, { minutes: 1 });
		const workflow = await startPolling(idOf(FILE));
		try {
			await sandbox.setStatus('DISCONNECTED');
			await poll(workflow);
			await after(MINUTE_MS);
			await poll(workflow);
			expect(await news(workflow, TRIGGER)).toMatchObject([
				{ event: 'offlineFor', status: 'DISCONNECTED', minutes: 1 },
			]);
			await poll(workflow);
			expect(await told(workflow, TRIGGER)).toHaveLength(1);
		} finally {
			mailbox.close();
			chatRoom.close();
		}
		expect((await executionsOf(workflow)).map(({ status }) => status)).not.toContain('error');
		expect(mailbox.mails).toHaveLength(1);
		expect(mailbox.mails[0]).toContain('Subject: The messaging number is offline (DISCONNECTED)');
		expect(chatRoom.messages).toEqual([
			{ text: expect.stringContaining('has been offline for 1 minutes, since') },
		]);
	}, 150_000);
});

describe('9b. Tell the sales person that it went out', () => {
	const FILE = '9b-it-went-out';
	const TRIGGER = 'Not waiting any more';

	const defer = async (text: string, windowMs: number) =>
		await post(live.account, 'sendMessage', { ...textTo('447700900123', text), windowMs });

	test('it tells of what went out, and not of what waited too long', async () => {
		const workflow = await startPolling(idOf(FILE));
		await sandbox.setStatus('DISCONNECTED');
		await defer('Too late by then', 3_000);
		await defer('Your offer is attached', 3_600_000);
		await poll(workflow);
		await after(3_000);
		await sandbox.setStatus('ONLINE');
		await poll(workflow);
		expect(await news(workflow, TRIGGER)).toHaveLength(2);
		const messages = await until('what the sales person is told', async () => {
			const { delivered } = await sandbox.state();
			return delivered.length > 1 ? delivered : undefined;
		});
		expect(messages).toMatchObject([
			{ chatId: '447700900123', text: 'Your offer is attached' },
			{
				chatId: '447700900199',
				text: expect.stringMatching(
					/^Your message to 447700900123 has gone out\..*\n\nYour offer is attached$/s,
				),
			},
		]);
		expect((await executionsOf(workflow)).map(({ status }) => status)).not.toContain('error');
	});
});
