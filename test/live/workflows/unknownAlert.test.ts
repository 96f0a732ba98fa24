/** Example 9c, in an n8n of its own: other examples fill the outbox. */
import { live } from '../live';
import { createCredential } from '../n8n';
import { useEmptyN8n } from '../ownN8n';
import { startChatRoom } from './chatRoom';
import { insertRows, rowsOf } from './dataTables';
import { importExample, run, setFields } from './examples';

const FILE = '9c-unknown-alert';
const OUTBOX = 'Messaging outbox';
const message = { recipient: '447700900123', text: 'Your table is booked', attempts: 1 };

useEmptyN8n();

beforeAll(async () => {
	live.credential = await createCredential();
	await importExample(FILE);
}, 60_000);

const lines = async () => {
	const alerts = await rowsOf('Messaging alerts');
	return alerts.map(({ subject, text }) => [subject, String(text).split('\n\n')[0]]);
};

test('alerts once about each message, also if the next run finds the same', async () => {
	const chatRoom = await startChatRoom();
	await setFields(FILE, 'Chat', { url: chatRoom.url });
	expect((await run(FILE)).status).toBe('success');
	await insertRows(OUTBOX, [
		{ ...message, status: 'unknown', reason: 'Timeout', campaign: 'Spring offer' },
		{ ...message, status: 'sent', reason: '' },
		{ ...message, status: 'pending', reason: '' },
	]);
	for (let times = 0; times < 2; times++) expect((await run(FILE)).status).toBe('success');
	expect(await lines()).toEqual([
		[
			'A message needs you',
			expect.stringMatching(/^Row 1 may have been sent or not, since \d{4}-\d\d-\d\d \d\d:\d\d$/),
		],
	]);
	expect(chatRoom.messages).toHaveLength(1);
	expect(JSON.stringify(chatRoom.messages)).not.toMatch(/900123|booked/);
	chatRoom.close();
}, 120_000);
