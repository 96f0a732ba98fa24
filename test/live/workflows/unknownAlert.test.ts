/** Example 9c, in an n8n of its own: other examples fill the outbox. */
import { live } from '../live';
import { startChatRoom } from '../localServer';
import { createCredential } from '../n8n';
import { useEmptyN8n } from '../ownN8n';
import { insertRows, rowsOf } from './dataTables';
import { importExample, run, setFields } from './examples';

const FILE = '9c-unknown-alert';
const message = { recipient: '447700900123', text: 'Your table is booked', attempts: 1 };

useEmptyN8n();

beforeAll(async () => {
	live.credential = await createCredential();
	await importExample(FILE);
}, 60_000);

test('alerts once about each message, also if the next run finds the same', async () => {
	const chatRoom = await startChatRoom();
	await setFields(FILE, 'Chat', { url: chatRoom.url });
	expect((await run(FILE)).status).toBe('success');
	await insertRows('Messaging outbox', [
		{ ...message, status: 'unknown', reason: 'Timeout', campaign: 'Spring offer' },
		{ ...message, status: 'sent', reason: '' },
		{ ...message, status: 'pending', reason: '' },
	]);
	for (let times = 0; times < 2; times++) expect((await run(FILE)).status).toBe('success');
	const alerts = await rowsOf('Messaging alerts');
	expect(alerts.map(({ subject }) => subject)).toEqual(['A message needs you']);
	expect(String(alerts[0]!.text).split('\n\n')[0]).toMatch(
		/^Row 1 may have been sent or not, since \d{4}-\d\d-\d\d \d\d:\d\d$/,
	);
	expect(chatRoom.messages).toHaveLength(1);
	expect(JSON.stringify(chatRoom.messages)).not.toMatch(/900123|booked/);
	chatRoom.close();
}, 120_000);
