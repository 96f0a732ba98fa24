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

test('says what each row is about, and nothing of a person', () => {
	expect(
		alertRows({
			'Unknown rows': [row(5, 'unknown')],
			'Old pending rows': [row(7, 'pending')],
			'Old deferred rows': [row(9, 'deferred')],
		}),
	).toEqual(
		[
			['unknown', 'Row 5 may have been sent or not, since 2026-06-03 21:00'],
			['pending', 'Row 7 still waits to be sent, since 2026-06-03 21:00'],
			[
				'deferred',
				'Row 9 waits in the gateway until the session is online, since 2026-06-03 21:00',
			],
		].map(([status, line], index) => ({ row: 5 + 2 * index, status, line })),
	);
	expect(alertRows({})).toEqual([]);
});
