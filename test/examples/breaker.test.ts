/** Campaigns of a number pause themselves when it must not send. */
import { phaseOf } from '../../gateway/responses/dialect';
import {
	columnsOf,
	evaluate,
	type Fields,
	nextOf,
	parametersOf,
	runCode,
} from '../harness/exampleCode';
import { campaign, decide, row, type Tables } from './decide';

const LOGGED_OUT =
	'The phone has logged the session out (AUTH_FAILURE). Pair it again, then choose Resume';
const BLOCKED =
	"The account is blocked (BANNED). Check the phone and the gateway's console, then choose Resume";
const IN_DOUBT =
	'The last 5 messages have no response, so they may have been sent. Check their chats and the gateway, then choose Resume';
const rows = [row(1), row(2)];
const offline = (status: string) => ({ '': { online: false, status } });

/** An attempt at minute `id` of eleven o'clock. */
const attempt = (id: number, fields: Fields = {}) => ({
	...{ ...row(id), status: 'pending', attempts: 1, isNew: false },
	...{ sentAt: `2026-06-03T11:${String(id).padStart(2, '0')}:00Z`, reason: UNCERTAIN },
	...fields,
});
const UNCERTAIN = 'No response; unknown: it may have been sent';
const attempts = (ids: number[], fields: Fields = {}) => ids.map((id) => attempt(id, fields));

/** What pauses the campaign of the first row. */
const pausedBecause = (tables: Tables) => decide(tables)[0]!.pausedBecause;

test.each([
	['AUTH_FAILURE', LOGGED_OUT],
	['BANNED', BLOCKED],
])('the status %s pauses them, and nothing is sent', (status, reason) => {
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
	expect(decide({ ...tables, askedAt: '2026-06-03T11:59:59Z' })).toMatchObject([
		{ status: 'paused', reason: LOGGED_OUT },
	]);
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
	const settings = { whenOffline: 'another number' };
	const numbered = [
		row(1, { number: 'B', otherNumbers: 'A' }),
		row(2, { number: 'A', otherNumbers: 'B', campaign: 'Other' }),
	];
	const campaigns = [campaign(), campaign({ name: 'Other' })];
	expect(decide({ rows: numbered, campaigns, numbers, settings })).toMatchObject([
		{
			status: 'paused',
			reason:
				'The phone of B has logged the session out (AUTH_FAILURE). Pair it again, then choose Resume',
		},
		{ status: 'sending' },
	]);
});

describe('uncertain messages', () => {
	const SENT = { reason: '', status: 'sent' };

	test.each([
		['five after one that was sent', [attempt(1, SENT), ...attempts([2, 3, 4, 5, 6])], IN_DOUBT],
		['five that ended', attempts([1, 2, 3, 4, 5], { status: 'unknown', attempts: 10 }), IN_DOUBT],
		['five of orders', attempts([1, 2, 3, 4, 5], { campaign: '', number: null }), IN_DOUBT],
		[
			'four, one that was sent, four',
			[...attempts([1, 2, 3, 4]), attempt(5, SENT), ...attempts([6, 7, 8, 9])],
			undefined,
		],
		[
			'five before a run that crashed',
			[...attempts([1, 2, 3, 4, 5]), ...attempts([6, 7, 8], { attempts: 0, reason: '' })],
			IN_DOUBT,
		],
	])('%s', (_, sentToday, expected) => {
		expect(pausedBecause({ sentToday })).toBe(expected);
	});

	test('from before the campaign was resumed no longer count', () => {
		const sentToday = attempts([1, 2, 3, 4, 5]);
		const resumedAt = (updatedAt: string) =>
			pausedBecause({ sentToday, campaigns: [campaign({ updatedAt })] });
		expect(resumedAt('2026-06-03T11:00:30Z')).toBe(IN_DOUBT);
		expect(resumedAt('2026-06-03T11:01:30Z')).toBeUndefined();
	});
});

describe('Breaker', () => {
	/** `items` are those of Send (`of` is the index of the row), or decisions of Rules. */
	const breaker = (given: Fields[], items: Array<Fields & { of?: number }>) =>
		runCode('Breaker', {
			nodes: { 'Oldest first': items.map(({ of }) => given[of!] ?? {}) },
			input: items.map(({ of: _, ...json }) => json),
		});

	test('pauses each campaign once, as Rules decided', () => {
		const paused = decide({ rows, numbers: offline('AUTH_FAILURE') });
		expect(breaker([], paused)).toEqual([{ campaign: 'Spring', reason: LOGGED_OUT }]);
	});

	test.each([
		[
			'logged_out',
			LOGGED_OUT.replace('phone has', 'phone of A has').replace(' (AUTH_FAILURE)', ''),
		],
		['banned', BLOCKED.replace('account', 'account of A').replace(' (BANNED)', '')],
		['offline', undefined],
	])('after a failure with the cause %s pauses the campaign, but no order: %s', (cause, reason) => {
		const given = [row(1, { number: 'A' }), row(2, { number: 'A', campaign: '' })];
		const failed = (of: number) => ({ error: 'Failed', details: { cause, retry: 'later' }, of });
		expect(breaker(given, [failed(0)])).toEqual(reason ? [{ campaign: 'Spring', reason }] : []);
		expect(breaker(given, [failed(1)])).toEqual([]);
	});
});

test.each([
	[{ online: false, status: 'AUTH_FAILURE' }, true],
	[{ online: true }, true],
	[{ online: null }, false],
	[{ error: 'Not reached' }, false],
])('example 11 decides about the rows of a number with the status %j: %p', ($json, expected) => {
	const filter = JSON.stringify(parametersOf('11-outbox-send', 'Status known?'));
	const [, expression] = /\{\{ (.*?) \|\| .*? \}\}/.exec(filter)!;
	expect(evaluate(`={{ ${expression!} }}`, { $json })).toBe(expected);
});

test('example 11 leads each message from Send to Breaker', () => {
	expect(nextOf('11-outbox-send', 'Send')).toEqual([expect.arrayContaining(['Breaker'])]);
});

test('every action of example 13 clears the reason', () => {
	expect(columnsOf('13-campaign-manage', 'Set campaign').reason).toBe('');
});
