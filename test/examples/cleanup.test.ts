/** The daily cleanup of example 11: also when the data tables are full, it makes room, and forgets nobody whom a number has written to. */
import { FULL } from './exampleNodes';
import { exampleWith, OUTBOX } from './exampleWith';
import { Tables } from './tables';

const KNOWN = 'Messaging known people';
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000).toISOString();

let tables: Tables;
beforeEach(() => {
	tables = new Tables();
});

const row = (status: string, days: number, token: string | null = null) =>
	tables.insert(OUTBOX, { status, token, number: null, updatedAt: daysAgo(days) });

const clean = async () =>
	await exampleWith('11-outbox-send', 'Every day', tables).execute('1').catch(String);
const left = () => tables.rows(OUTBOX).map(({ id }) => id);
const known = () => tables.rows(KNOWN).map(({ token }) => token);

test('deletes what ended 30 days ago, and remembers whom a number has written to', async () => {
	const open = ['draft', 'pending', 'sending', 'paused'].map((status) => row(status, 90));
	const kept = [...open, row('sent', 28, 'new')];
	const almost = row('sent', 29.5, 'almost');
	for (const status of ['sent', 'deferred', 'failed', 'unknown', 'opted out']) row(status, 31);
	for (const status of ['stopped', 'counted', 'invalid']) row(status, 31);
	for (const token of ['a', 'b', 'a']) row('sent', 31, token);
	expect(await clean()).toBeUndefined();
	expect(left()).toEqual([...kept, almost]);
	expect(new Set(known())).toEqual(new Set(['a', 'b', 'almost']));
});

test('deletes all that needs no memory, although the tables are full', async () => {
	tables.insert(KNOWN, { token: 'known', number: '' });
	const ofNewPerson = row('sent', 31, 'new');
	row('sent', 31, 'known');
	row('sent', 31);
	row('failed', 31, 'new');
	tables.isFull = true;
	expect(await clean()).toContain(FULL);
	expect(left()).toEqual([ofNewPerson]);

	tables.isFull = false;
	expect(await clean()).toBeUndefined();
	expect(left()).toEqual([]);
	expect(known()).toEqual(['known', 'new']);
});

test.each([[[]], [['failed']], [['sent']]])('goes on after it has found only %j', async (found) => {
	for (const status of found) row(status, 31, 'token');
	expect(await clean()).toBeUndefined();
	expect(left()).toEqual([]);
});
