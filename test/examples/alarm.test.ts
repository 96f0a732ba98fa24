/** What example 9c sends an alert about. */
import { Alarm, ALERTS, minutesAgo, row } from './alarm';
import { OUTBOX } from './exampleWith';
import type { Tables } from './tables';

const CAMPAIGNS = 'Messaging campaigns';

test.each<[string, (tables: Tables) => void, RegExp]>([
	[
		'may have been sent',
		(tables) => tables.insert(OUTBOX, row('unknown', 1)),
		/^Row 1 may have been/,
	],
	['waits', (tables) => tables.insert(OUTBOX, row('pending', 31)), /^Row 1 still waits to be sent/],
	[
		'waits, although its time has come',
		(tables) => tables.insert(OUTBOX, row('pending', 31, { sendAt: minutesAgo(31) })),
		/^Row 1 still waits to be sent/,
	],
	[
		'has expired',
		(tables) => tables.insert(OUTBOX, row('expired', 31)),
		/^Row 1 was not sent in t/,
	],
	['is deferred', (tables) => tables.insert(OUTBOX, row('deferred', 31)), /^Row 1 waits in the g/],
	[
		'belongs to a campaign that has paused itself',
		(tables) => {
			const reason = 'The phone has logged the session out. Pair it again, then choose Resume';
			tables.insert(CAMPAIGNS, { name: 'Spring', status: 'paused', reason });
		},
		/^The campaign 'Spring' has paused itself, since \d{4}-.*\. The phone has logged the session out/,
	],
	[
		'is due for an hour, and nothing is sent',
		(tables) => tables.insert(OUTBOX, row('pending', 61, { campaign: 'Spring' })),
		/^The outbox stands still: row 1 has been due since \d{4}-/,
	],
	[
		'is released again and again',
		(tables) => {
			const reason = 'Released 3 times without an attempt: n8n was too slow';
			tables.insert(OUTBOX, row('pending', 1, { campaign: 'Spring', reason }));
		},
		/^The outbox makes no progress/,
	],
	[
		'cannot be stored',
		(tables) => {
			tables.isFull = true;
		},
		/^The data tables are full/,
	],
])('sends an alert about what %s', async (_, happen, line) => {
	const nine = new Alarm({ Message: 'working' });
	happen(nine.tables);
	await nine.run();
	expect(nine.takeLines()).toEqual([expect.stringMatching(line)]);
});

test.each<[string, (tables: Tables) => void]>([
	['a message that was sent', (tables) => tables.insert(OUTBOX, row('sent', 90))],
	[
		'a message that waits for its time',
		(tables) => {
			const later = minutesAgo(-60);
			tables.insert(OUTBOX, row('pending', 90, { sendAt: later, nextAttemptAt: later }));
		},
	],
	['a new message', (tables) => tables.insert(OUTBOX, row('pending', 29))],
	[
		'a message that was released twice',
		(tables) => {
			const reason = 'Released 2 times without an attempt: n8n was too slow';
			tables.insert(OUTBOX, row('pending', 1, { reason }));
		},
	],
	[
		'a message of a campaign that waits for its time',
		(tables) =>
			tables.insert(
				OUTBOX,
				row('pending', 90, { campaign: 'Spring', nextAttemptAt: minutesAgo(-60) }),
			),
	],
	[
		'a large campaign, while its messages are sent',
		(tables) => {
			tables.insert(OUTBOX, row('pending', 90, { campaign: 'Spring' }));
			tables.insert(OUTBOX, row('sent', 90, { campaign: 'Spring', sentAt: minutesAgo(5) }));
		},
	],
	[
		'a campaign that a person has paused',
		(tables) => tables.insert(CAMPAIGNS, { name: 'Spring', status: 'paused', reason: '' }),
	],
	[
		'a running campaign',
		(tables) => tables.insert(CAMPAIGNS, { name: 'Spring', status: 'running' }),
	],
])('sends none about %s', async (_, happen) => {
	const nine = new Alarm({ Message: 'working' });
	happen(nine.tables);
	expect(await nine.run()).toBeUndefined();
	expect(nine.takeSent()).toEqual({});
});

test('has no recipients and no texts', async () => {
	const nine = new Alarm({ Message: 'working', Chat: 'working', Email: 'working' });
	for (const status of ['unknown', 'pending', 'deferred']) {
		nine.tables.insert(OUTBOX, row(status, 90));
	}
	await nine.run();
	expect(JSON.stringify([nine.takeSent(), nine.tables.rows(ALERTS)])).not.toMatch(/900123|4711/);
});

test('sends one alert about each, and another if it happens again', async () => {
	const nine = new Alarm({ Message: 'working' });
	nine.tables.insert(OUTBOX, row('unknown', 5));
	await nine.run();
	expect(nine.takeLines()).toHaveLength(1);
	nine.tables.isFull = true;
	await nine.run();
	expect(nine.takeLines()).toEqual([expect.stringContaining('full')]);
	await nine.run();
	expect(nine.takeSent()).toEqual({});
	nine.tables.isFull = false;
	expect(await nine.run()).toBeUndefined();
	expect(nine.takeSent()).toEqual({});
	nine.tables.isFull = true;
	await nine.run();
	expect(nine.takeLines()).toEqual([expect.stringContaining('full')]);
});

test('reads and lists a limited number of rows, the newest first', async () => {
	const nine = new Alarm({ Message: 'working' });
	for (let each = 0; each < 300; each++) {
		nine.tables.insert(OUTBOX, row('unknown', 300 - each));
		nine.tables.insert(OUTBOX, row('deferred', 900 - each));
	}
	await nine.run();
	const lines = nine.takeLines();
	expect([lines.length, lines[0], lines.at(-1)]).toEqual([
		21,
		expect.stringContaining('Row 599 may'),
		'And 180 more',
	]);
	expect(Math.max(...Object.values(nine.tables.read))).toBe(100);
});
