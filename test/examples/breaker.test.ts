/** Campaigns of a number pause themselves when it must not send. */
import { phaseOf } from '../../gateway/responses/dialect';
import { columnsOf, runCode } from '../harness/exampleCode';
import { campaign, decide, row, type Tables } from './decide';

const rows = [row(1), row(2)];
const offline = (status: string) => ({ '': { online: false, status } });

/** What pauses the campaign of the first row. */
const pausedBecause = (tables: Tables) => decide(tables)[0]!.pausedBecause;

test.each([
	['AUTH_FAILURE', 'The phone has logged the session out (AUTH_FAILURE). Pair it again'],
	['BANNED', "The account is blocked (BANNED). Check the phone and the gateway's console"],
])('the status %s pauses them, and nothing is sent', (status, why) => {
	const reason = `${why}, then choose Resume`;
	expect(decide({ rows, numbers: offline(status) })).toMatchObject(
		rows.map(() => ({ status: 'paused', reason, pausedBecause: reason })),
	);
});

// A batch may have asked just before a person has paired the phone and chosen Resume.
test('a status from before a campaign was resumed does not pause it', () => {
	const campaigns = [campaign({ updatedAt: '2026-06-03T11:59:58Z' })];
	const tables = { campaigns, numbers: offline('AUTH_FAILURE') };
	expect(decide({ ...tables, askedAt: '2026-06-03T11:59:57Z' })).toMatchObject([
		{ status: 'pending', reason: 'The phone is offline' },
	]);
	expect(decide({ ...tables, askedAt: '2026-06-03T11:59:59Z' })[0]!.status).toBe('paused');
});

// The words of other gateways are in one list of the package, which a Code node cannot import.
test.each([
	...['AUTHENTICATION_FAILED', 'AUTH_ERROR', 'loggedout', 'BLOCKED', 'SUSPENDED', 'ONLINE'],
	...['AUTHENTICATED', 'AUTHENTICATING', 'QR', 'NOT_LOGGED_IN', 'UNPAIRED', 'TIMEOUT', ''],
])('the word %j means the same as in the node', (status) => {
	const isLost = ['loggedOut', 'banned'].includes(phaseOf(status.toUpperCase()));
	expect(pausedBecause({ numbers: offline(status) }) !== undefined).toBe(isLost);
});

test('names the number, pauses before another one takes over, and leaves the campaigns of others', () => {
	const numbers = { A: true, B: { online: false, status: 'AUTH_FAILURE' } };
	const numbered = [
		row(1, { number: 'B', otherNumbers: 'A' }),
		row(2, { number: 'A', otherNumbers: 'B', campaign: 'Other' }),
	];
	const campaigns = [campaign(), campaign({ name: 'Other' })];
	const settings = { whenOffline: 'another number' };
	expect(decide({ rows: numbered, campaigns, numbers, settings })).toMatchObject([
		{ status: 'paused', reason: expect.stringMatching(/^The phone of B has logged/) },
		{ status: 'sending' },
	]);
});

test('five messages in a row without a response pause them, if they are of after Resume', () => {
	/** Of so many minutes after eleven o'clock. */
	const after = (count: number, updatedAt = '2026-06-03T11:00:30Z') => {
		const list = [1, 2, 3, 4, 5].slice(0, count).map((id) => `${id} 2026-06-03T11:0${id}:00.000Z`);
		const counted = [{ uncertain: list.join() }];
		return pausedBecause({ counted, campaigns: [campaign({ updatedAt })] });
	};
	expect(after(5)).toMatch(/^The last 5 messages have no response, so they may have been sent\./);
	expect([after(4), after(5, '2026-06-03T11:01:30Z')]).toEqual([undefined, undefined]);
});

test.each([
	[{ online: false, status: 'AUTH_FAILURE' }, true],
	[{ online: true }, true],
	[{ online: null }, false],
	[{ error: 'Not reached' }, false],
])('example 11 decides about the rows of a number with the status %j: %p', (session, expected) => {
	const nodes = {
		'Next batch': [{ held: [], skipped: [] }],
		Settings: [{ whenOffline: 'wait' }],
		Numbers: [{ number: 'A' }],
		'Session status': [session],
	};
	const [numbers] = runCode('Skipped numbers', { run: 0, nodes });
	expect(numbers!.skipped).toEqual(expected ? [] : ['A']);
});

test('every action of example 13 clears the reason', () => {
	expect(columnsOf('13-campaign-manage', 'Set campaign').reason).toBe('');
});
