/** What example 9c sends an alert about. */
import type { Fields } from '../harness/exampleCode';
import { Alarm, ALERTS, minutesAgo, row } from './alarm';
import { OUTBOX } from './exampleWith';

const CAMPAIGNS = 'Messaging campaigns';
const LOST = 'The phone has logged the session out. Pair it again, then choose Resume';
const released = (times: number) => ({
	...row('pending', 1, { campaign: 'Spring' }),
	reason: `Released ${times} times without an attempt: n8n was too slow`,
});
const sendAt = minutesAgo(31);

const alarmAbout = (...rows: Fields[]) => {
	const nine = new Alarm({ Message: 'working' });
	for (const each of rows) nine.tables.insert(each.name ? CAMPAIGNS : OUTBOX, each as never);
	return nine;
};

test.each<[string, Fields, RegExp]>([
	['may have been sent', row('unknown', 1), /^Row 1 may have been/],
	['waits', row('pending', 31), /^Row 1 still waits to be sent/],
	['waits after its time', row('pending', 31, { sendAt }), /^Row 1 still waits to be sent/],
	['has expired', row('expired', 31), /^Row 1 was not sent in t/],
	['is deferred', row('deferred', 31), /^Row 1 waits in the g/],
	[
		'belongs to a campaign that has paused itself',
		{ name: 'Spring', status: 'paused', reason: LOST },
		/^The campaign 'Spring' has paused itself, since \d{4}-.*\. The phone has logged the session out/,
	],
	[
		'is due for an hour, and nothing is sent',
		row('pending', 61, { campaign: 'Spring' }),
		/^The outbox stands still: row 1 has been due since \d{4}-/,
	],
	['is released again and again', released(3), /^The outbox makes no progress/],
])('sends an alert about what %s', async (_, each, line) => {
	const nine = alarmAbout(each);
	await nine.run();
	expect(nine.takeLines()).toEqual([expect.stringMatching(line)]);
});

const later = minutesAgo(-60);
const campaign = 'Spring';
test.each<[string, ...Fields[]]>([
	['a message that was sent', row('sent', 90)],
	[
		'a message that waits for its time',
		row('pending', 90, { sendAt: later, nextAttemptAt: later }),
	],
	['a new message', row('pending', 29)],
	['a message that was released twice', released(2)],
	['a campaign that waits for its time', row('pending', 90, { campaign, nextAttemptAt: later })],
	[
		'a large campaign, while its messages are sent',
		row('pending', 90, { campaign }),
		row('sent', 90, { campaign, sentAt: minutesAgo(5) }),
	],
	['a campaign that a person has paused', { name: 'Spring', status: 'paused', reason: '' }],
	['a running campaign', { name: 'Spring', status: 'running' }],
])('sends none about %s', async (_, ...rows) => {
	const nine = alarmAbout(...rows);
	expect(await nine.run()).toBeUndefined();
	expect(nine.takeSent()).toEqual({});
});

test('has no recipients and no texts', async () => {
	const nine = new Alarm({ Message: 'working', Chat: 'working', Email: 'working' });
	nine.tables.insert(OUTBOX, ...['unknown', 'pending', 'deferred'].map((each) => row(each, 90)));
	await nine.run();
	expect(JSON.stringify([nine.takeSent(), nine.tables.rows(ALERTS)])).not.toMatch(/900123|4711/);
});

test('sends one alert about each, and another if it happens again', async () => {
	const nine = alarmAbout(row('unknown', 5));
	await nine.run();
	expect(nine.takeLines()).toHaveLength(1);
	for (const isFull of [true, false, true]) {
		nine.tables.isFull = isFull;
		await nine.run();
		if (isFull) expect(nine.takeLines()).toEqual([expect.stringMatching(/^The data tables are f/)]);
		await nine.run();
		expect(nine.takeSent()).toEqual({});
	}
});

test('reads and lists a limited number of rows, the newest first', async () => {
	const nine = alarmAbout(
		...Array.from({ length: 300 }, (_, each) => [
			...[row('unknown', 300 - each), row('deferred', 900 - each)],
		]).flat(),
	);
	await nine.run();
	const lines = nine.takeLines();
	expect([lines.length, lines.at(-1)]).toEqual([21, 'And 180 more']);
	expect(lines[0]).toContain('Row 599 may');
	expect(Math.max(...Object.values(nine.tables.read))).toBe(100);
});
