/** Which of the claimed rows are sent. */
import { type Fields, runCode } from '../harness/exampleCode';

const NOW = '2026-06-03T12:00:00.000Z';
const row = (id: number, fields: Fields = {}) => ({
	...{ id, requestId: `request ${id}`, recipient: '+447700900123', text: 'Hello', reason: '' },
	...{ status: 'sending', claimedBy: '7-0', updatedAt: NOW, ...fields },
});

/** What Claimed decides about the claimed rows, in the order of their IDs. */
const claimed = (read: Fields[], ids?: unknown[]) =>
	runClaimed(read, ids).map(({ status, reason, isReleased }) => ({ status, reason, isReleased }));

const runClaimed = (read: Fields[], ids = read.map(({ id }) => id)) =>
	runCode('Claimed', {
		nodes: {
			Batch: [{ ids, number: '' }],
			Claim: [{ claimedBy: '7-0' }],
			'Being sent': read,
		},
		now: NOW,
	});

const SENDING = { status: 'sending', reason: '' };
const twin = { requestId: 'request 1' };
const done = (status: string) => row(1, { status, claimedBy: '6-0' });

test('a row whose ID has another row follows that one, and is sent by no second request', () => {
	expect(claimed([row(1), row(2, twin)])).toEqual([
		SENDING,
		{ status: 'pending', reason: 'same as row 1' },
	]);
	for (const status of ['sent', 'failed', 'unknown', 'withdrawn', 'expired'])
		expect(claimed([row(2, twin), done(status)])).toEqual([{ status, reason: 'same as row 1' }]);
	expect(claimed([row(2, twin), done('pending')])).toMatchObject([{ status: 'pending' }]);
});

test.each([{ text: 'Bye' }, { recipient: '1' }, { sendAt: NOW }])(
	'a row with the ID of another message is rejected: %j',
	(fields) => {
		expect(claimed([row(1), row(2, { ...twin, ...fields })])[1]).toEqual({
			...{ status: 'failed', reason: 'Rejected: row 1 has another message with this ID' },
		});
	},
);

test('rows without an ID are all sent', () => {
	const rows = [1, 2].map((id) => row(id, { requestId: '' }));
	expect(claimed(rows)).toEqual([SENDING, SENDING]);
});

test('a claim is released if another run sends for the number, and the row says how often', () => {
	const other = row(9, { claimedBy: '8-0' });
	const reason = 'another run was sending for its number';
	expect(claimed([row(1), other])).toEqual([
		{ status: 'pending', reason: `Released 1 time without an attempt: ${reason}` },
	]);
	expect(claimed([row(1), { ...other, number: 'B' }])).toEqual([SENDING]);
	const again = row(1, { reason: 'Released 2 times without an attempt: n8n was too slow' });
	expect(claimed([again, other])[0]!.reason).toBe(`Released 3 times without an attempt: ${reason}`);
});

test('a claim that is 30 seconds old, or of a row that was not chosen, sends nothing', () => {
	expect(claimed([row(1, { updatedAt: '2026-06-03T11:59:31.000Z' })])).toEqual([SENDING]);
	expect(claimed([row(1, { updatedAt: '2026-06-03T11:59:30.000Z' })])).toMatchObject([
		{ status: 'pending' },
	]);
	expect(claimed([row(1), row(2)], [1])).toMatchObject([
		...[{ isReleased: true }, { isReleased: true }],
	]);
});

test.each([
	[null, 'expired'],
	['2026-06-03T11:00:00.000Z', 'unknown'],
])('a row that has expired is not sent (%s)', (sentAt, status) => {
	expect(claimed([row(1, { expiresAt: NOW, sentAt })])).toMatchObject([{ status }]);
});

describe('the options of Send, which are the same for all rows', () => {
	const inSeconds = (seconds: number) => new Date(Date.parse(NOW) + seconds * 1_000).toISOString();
	const optionsOf = (rows: Fields[]) =>
		runClaimed(rows).map(({ sendWithin, maxWait }) => [sendWithin, maxWait]);

	test('every attempt ends before the first of them expires', () => {
		const expiring = [90, 60.5, 300].map((seconds, index) =>
			row(index + 1, { expiresAt: inSeconds(seconds) }),
		);
		expect(optionsOf([...expiring, row(9)])).toEqual(Array(4).fill([59, 0]));
		expect(optionsOf([row(1, { expiresAt: inSeconds(300) })])).toEqual([[120, 60]]);
		expect(optionsOf([row(1, { expiresAt: inSeconds(1.5) })])).toEqual([[1, 60]]);
	});
});
