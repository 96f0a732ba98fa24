import { type Fields, runCode } from '../harness/exampleCode';

const alertRows = (found: Record<string, Fields[]>) =>
	runCode('Alert rows', {
		nodes: { 'Unknown rows': [], 'Old pending rows': [], 'Old deferred rows': [], ...found },
		zone: 'Asia/Tokyo',
	});

const row = (id: number, status: string) => ({
	...{ id, status, recipient: '447700900123', text: 'Your PIN is 4711', requestId: 'order 4711' },
	...{ createdAt: '2026-06-03T12:00:00Z', reason: "'Chat ID' cannot be '447700900123'" },
});

const SINCE = 'since 2026-06-03 21:00';

test('says what each row is about, and nothing of a person', () => {
	expect(
		alertRows({
			'Unknown rows': [row(5, 'unknown')],
			'Old pending rows': [row(7, 'pending')],
			'Old deferred rows': [row(9, 'deferred')],
		}),
	).toEqual([
		{ row: 5, status: 'unknown', line: `Row 5 may have been sent or not, ${SINCE}` },
		{ row: 7, status: 'pending', line: `Row 7 still waits to be sent, ${SINCE}` },
		{
			...{ row: 9, status: 'deferred' },
			line: `Row 9 waits in the gateway until the session is online, ${SINCE}`,
		},
	]);
	expect(alertRows({})).toEqual([]);
});
