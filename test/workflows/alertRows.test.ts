import { runInNewContext } from 'node:vm';

import { DateTime } from 'luxon';

import { codeOf } from '../harness/exampleCode';

type Row = Record<string, unknown>;

/** Runs the node's code as n8n does. A table without such rows outputs an empty item. */
function alertRows(found: Record<string, Row[]>): Row[] {
	const $ = (node: string) => ({ all: () => (found[node] ?? [{}]).map((json) => ({ json })) });
	const $now = DateTime.fromISO('2026-06-03T14:00:00Z', { zone: 'Asia/Tokyo' });
	const context = { $, $now, DateTime };
	const items = runInNewContext(`(() => {${codeOf('Alert rows')}\n})()`, context) as Array<{
		json: Row;
	}>;
	return items.map(({ json }) => ({ ...json }));
}

const row = (id: number, status: string) => ({
	...{ id, status, recipient: '447700900123', text: 'Your PIN is 4711', requestId: 'order 4711' },
	...{ createdAt: '2026-06-03T12:00:00Z', reason: "'Chat ID' cannot be '447700900123'" },
});

test('says what each row is about, and nothing of a person', () => {
	expect(
		alertRows({
			'Unknown rows': [row(5, 'unknown')],
			'Old pending rows': [row(7, 'pending'), row(8, 'pending')],
			'Old deferred rows': [row(9, 'deferred')],
		}),
	).toEqual([
		{
			row: 5,
			status: 'unknown',
			line: 'Row 5 may have been sent or not, since 2026-06-03 21:00',
		},
		...[7, 8].map((id) => ({
			row: id,
			status: 'pending',
			line: `Row ${id} still waits to be sent, since 2026-06-03 21:00`,
		})),
		{
			row: 9,
			status: 'deferred',
			line: 'Row 9 waits in the gateway until the session is online, since 2026-06-03 21:00',
		},
	]);
});

test('is empty without such rows, so that there is no alert', () => {
	expect(alertRows({})).toEqual([]);
});
