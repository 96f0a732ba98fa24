import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { DateTime } from 'luxon';

import { codeOf } from '../harness/exampleCode';

type Fields = Record<string, unknown>;

const PERSON = '447700900123';
const items = (rows: Fields[]) => (rows.length > 0 ? rows : [{}]).map((json) => ({ json }));

interface Rows {
	action?: string;
	withIdentity?: Fields[];
	withoutIdentity?: Fields[];
	/** By recipient, as from Check. */
	identities?: Record<string, string>;
}

/** What happens to each row. */
function steps({ action = 'Forget', withIdentity = [], withoutIdentity = [], ...rest }: Rows) {
	const { identities = {} } = rest;
	const nodes: Record<string, Fields[]> = {
		Check: [{ identity: PERSON, input: { action } }],
		'With identity': withIdentity,
		'Without identity': withoutIdentity,
	};
	const checked = withoutIdentity.map(({ recipient }) => {
		const identity = identities[recipient as string];
		return identity ? { identity, input: { recipient } } : { error: "'Chat ID' is not valid" };
	});
	const $ = (name: string) => ({
		all: () => items(nodes[name]!),
		first: () => items(nodes[name]!)[0],
	});
	const $input = { all: () => items(checked.length > 0 ? checked : [{ error: 'is empty' }]) };
	const output = runInNewContext(`(() => {${codeOf('Rows to change')}\n})()`, {
		...{ $, $input, $runIndex: 3 },
	}) as Array<{ json: Fields }>;
	return output.map(({ json: { run, id, step, statusAfter } }) => {
		expect(run).toBe(3);
		return [id, step, statusAfter];
	});
}

test.each([
	...['sent', 'deferred', 'failed', 'unknown', 'opted out', 'stopped', 'counted'].map((status) => ({
		...{ status, step: 'change', statusAfter: status },
	})),
	...['draft', 'pending', 'paused', 'Running'].map((status) => ({
		...{ status, step: 'change', statusAfter: 'stopped' },
	})),
	// An attempt may have arrived.
	{ status: 'pending', sentAt: '2026-06-01T10:00:00Z', step: 'change', statusAfter: 'unknown' },
])('a row is changed, and not sent any more: %j', ({ step, statusAfter, ...row }) => {
	expect(steps({ withIdentity: [{ id: 7, ...row }] })).toEqual([[7, step, statusAfter]]);
});

test('a row that is being sent waits', () => {
	expect(steps({ withIdentity: [{ id: 7, status: 'sending' }] })).toEqual([[7, 'wait', 'stopped']]);
});

test.each(['Show what is stored', 'Stop messages', 'Allow messages'])(
	'%s changes no row',
	(action) => {
		const withIdentity = [{ id: 7, status: 'pending' }];
		expect(steps({ action, withIdentity })).toEqual([[7, 'keep', 'stopped']]);
	},
);

test('rows without an identity are found by what Check reads in their recipient', () => {
	const withoutIdentity = ['+44 7700 900123', '447700900124', 'a name', '447700900123@c.us'].map(
		(recipient, id) => ({ id, recipient, status: 'sent' }),
	);
	const identities = {
		'+44 7700 900123': PERSON,
		'447700900124': '447700900124',
		'447700900123@c.us': PERSON,
	};
	expect(steps({ withoutIdentity, identities }).map(([id]) => id)).toEqual([0, 3]);
});

test('says that there is no row, so that the workflow goes on', () => {
	expect(steps({})).toEqual([[undefined, 'none', undefined]]);
});

test.each(['Delete', '', 'constructor'])(
	'says which actions there are, instead of %j',
	(action) => {
		expect(() => steps({ action })).toThrow(
			`'action' is '${action}'. Use one of: Show what is stored, Stop messages, Allow messages, Forget.`,
		);
	},
);

/** The page, after the rows were read once for each list. */
function summary(action: string, runs: Fields[][], optOut: Fields = { id: 1 }) {
	const nodes: Record<string, Fields[]> = {
		Check: [{ identity: PERSON, input: { action } }],
		'Opt-out': [optOut],
	};
	const found = runs.map((rows, run) =>
		rows.length > 0 ? rows.map((row) => ({ ...row, run })) : [{ run, step: 'none' }],
	);
	const $ = (name: string) => ({
		all: (_output: number, run: number) =>
			name === 'Delete known' ? items([{ id: 7 }]) : items(found[run]!),
		first: () => items(nodes[name]!)[0],
	});
	const $input = { first: () => items(found.at(-1)!)[0] };
	const [item] = runInNewContext(`(() => {${codeOf('Summary')}\n})()`, {
		...{
			$,
			$input,
			DateTime,
			$now: DateTime.fromISO('2026-06-03T12:00:00Z', { zone: 'Asia/Tokyo' }),
		},
	}) as Array<{ json: Fields & { html: string } }>;
	return item!.json;
}

test('counts what is no longer found as done, by its last state', () => {
	const sending = { id: 1, step: 'wait', status: 'sending', statusAfter: 'stopped' };
	const sent = { id: 1, step: 'change', status: 'sent', statusAfter: 'sent' };
	const waiting = { id: 2, step: 'change', status: 'pending', statusAfter: 'stopped' };
	const deferred = { id: 3, step: 'change', status: 'deferred', statusAfter: 'deferred' };
	const done = summary('Forget', [[sending, waiting, deferred], [sending], [sent], []]);
	expect(done).toMatchObject({ anonymous: 3, stopped: 1, deferred: 1, left: 0, optedOut: true });
	expect(done.html).toContain('1 message may still wait at the gateway');
	expect(done.html).not.toContain('could not be changed');
	expect(done.html).toContain('<td>Messaging known people</td><td>1</td><td>deleted</td>');

	const unfinished = summary('Forget', [[sending, waiting], [sending]]);
	expect(unfinished).toMatchObject({ anonymous: 1, left: 1 });
	expect(unfinished.html).toContain('1 message could not be changed');
});

test('shows what is stored, and escapes it', () => {
	const createdAt = '2026-06-01T07:30:15.123Z';
	const row = { id: 1, step: 'keep', status: 'sent', createdAt, text: '<b>Hello' };
	const { html } = summary('Show what is stored', [[row]], {});
	expect(html).toContain('1 message in the outbox');
	expect(html).toContain(
		'<th scope="col">Stored at</th><th scope="col">Status</th><th scope="col">Campaign</th><th scope="col">Text</th>',
	);
	expect(html).toContain(
		'<td>2026-06-01 16:30</td><td>sent</td><td></td><td>&#60;b&#62;Hello</td>',
	);
	expect(html).toContain('Not on the list of opt-outs');
	const many = Array.from({ length: 51 }, (_, id) => ({ ...row, id }));
	expect(summary('Show what is stored', [many]).html).toContain('And 1 more.');
});

// A run whose claim has ended may still write its result, and would make the row pending again.
test('takes a row away from the run that had claimed it, but not while the run is sending', () => {
	const file = join(__dirname, '../../workflows/16-forget-a-person.json');
	const { nodes } = JSON.parse(readFileSync(file, 'utf8')) as {
		nodes: Array<{ name: string; parameters: object }>;
	};
	expect(nodes.find(({ name }) => name === 'Make anonymous')!.parameters).toMatchObject({
		filters: {
			conditions: [{ keyName: 'id' }, { keyName: 'status', condition: 'neq', keyValue: 'sending' }],
		},
		columns: { value: { claimedBy: '' } },
	});
});
