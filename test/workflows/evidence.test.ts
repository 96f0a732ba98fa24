/** An example reports success only from evidence: what a data table has returned, or the outcome of a message. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { DateTime } from 'luxon';
import type { INode, IWorkflowSettings } from 'n8n-workflow';

import { codeOf } from '../harness/exampleCode';

type Fields = Record<string, unknown>;

interface Workflow {
	name: string;
	nodes: INode[];
	connections: Record<string, Record<string, Array<Array<{ node: string }>>>>;
	settings: IWorkflowSettings;
}

const FOLDER = join(__dirname, '../../workflows');
const WORKFLOWS = readdirSync(FOLDER)
	.filter((name) => name.endsWith('.json'))
	.map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Workflow);

const workflow = (name: string) => WORKFLOWS.find((each) => each.name.startsWith(name))!;
const parametersOf = (example: string, node: string) =>
	workflow(example).nodes.find(({ name }) => name === node)!.parameters;

/** A text with expressions, or a single one, as n8n evaluates it. */
function evaluate(value: string, context: object): unknown {
	const [, single] = /^=\{\{((?:(?!\}\}).)*)\}\}$/s.exec(value) ?? [];
	if (single !== undefined) return runInNewContext(single, context) as unknown;
	return value
		.replace(/^=/, '')
		.replace(/\{\{(.*?)\}\}/gs, (_, code: string) => String(runInNewContext(code, context)));
}

/** Whether an If node leads an item to its first output. */
function isTrue(example: string, node: string, context: object): boolean {
	const { conditions } = parametersOf(example, node).conditions as {
		conditions: Array<{ leftValue: string }>;
	};
	return conditions.every(({ leftValue }) => evaluate(leftValue, context) === true);
}

test('no example stores that a message was sent without its outcome', () => {
	const stored = WORKFLOWS.flatMap(({ nodes }) => nodes).flatMap(({ parameters }) => {
		const { columns } = parameters as { columns?: { value?: Fields } };
		return columns?.value?.status ?? [];
	});
	expect(stored.length).toBeGreaterThan(5);
	expect(stored).toContain('counted');
	expect(stored).not.toContain('sent');
});

/** The tables that an example reads or writes, without those that it creates. */
function otherTables({ nodes }: Workflow): string[] {
	const tables = nodes.filter(({ type }) => type === 'n8n-nodes-base.dataTable');
	const created = tables.map(({ parameters }) => parameters.tableName);
	const used = tables.map(
		({ parameters }) => (parameters.dataTableId as Fields | undefined)?.value,
	);
	return [...new Set(used as string[])].filter((name) => name && !created.includes(name)).sort();
}

// The outbox read a table of example 13, so it sent nothing where there was none.
test('examples create the tables that they use, or belong to one that was executed before', () => {
	const missing = WORKFLOWS.map((each) => [each.name, otherTables(each)] as const);
	expect(Object.fromEntries(missing.filter(([, tables]) => tables.length > 0))).toEqual({
		'11. Outbox: store requests': ['Messaging outbox'],
		// For rows of a campaign.
		'11. Outbox: send stored requests': ['Messaging campaigns', 'Messaging opt-outs'],
		'13. Campaign: manage': ['Messaging campaigns', 'Messaging outbox'],
		'13. Campaign: opt-out page': [
			...['Messaging campaigns', 'Messaging keys', 'Messaging opt-outs', 'Messaging outbox'],
		],
	});
});

// What n8n 2.41 puts on the first output if it could not store a row: the input item, or an item around it.
test.each([
	[{ id: 7, text: 'Hello' }, true],
	[{ id: 0 }, true],
	[{}, false],
	[{ headers: {}, body: { id: 7 } }, false],
	[{ json: { id: 7 }, pairedItem: { item: 0 } }, false],
	[{ id: '7' }, false],
	[{ id: null }, false],
	[{ error: 'Data table size limit exceeded' }, false],
])('11 takes a request with the output %j of Store as stored: %p', ($json, isStored) => {
	expect(isTrue('11. Outbox: store', 'Stored?', { $json })).toBe(isStored);
});

test('11 responds with 200 only after Stored?, and with 503 otherwise', () => {
	const { connections } = workflow('11. Outbox: store');
	const before = Object.entries(connections).filter(([, { main }]) =>
		main!.flat().some(({ node }) => node === '200: stored'),
	);
	expect(before.map(([node]) => node)).toEqual(['Stored?']);
	expect(connections['Stored?']!.main!.map(([to]) => to!.node)).toEqual([
		...['200: stored', '503: not stored'],
	]);
});

test.each([
	[{ to: '447700900123', text: 'Hello' }, true],
	[{ to: '447700900123', text: 'a\u0000b' }, false],
	[{ to: '4477\u000000900123', text: 'Hello' }, false],
	[{ to: '447700900123', text: 'Hello', id: '\u0000' }, false],
	[{ to: '447700900123', text: 'a\u0001b\n', id: 4711 }, true],
])('11 accepts the request %j: %p', (body, isValid) => {
	const $json = { headers: { 'content-type': 'application/json' }, body };
	expect(isTrue('11. Outbox: store', 'Valid request?', { $json })).toBe(isValid);
});

test.each(['sent', 'duplicate', 'deferred', 'rehearsed', 'later', undefined])(
	'no example calls a message with the outcome %j sent unless it was',
	(outcome) => {
		const isSent = outcome === 'sent' || outcome === 'duplicate';
		const $json = { outcome };
		const body = parametersOf('2.', '200: sent').responseBody as string;
		expect(runInNewContext(`(${body.slice(3, -2)})`, { $json })).toMatchObject({ sent: isSent });
		const statuses: Record<string, string> = { deferred: 'deferred', rehearsed: 'pending' };
		expect(statusAfterSend({ outcome })).toBe(isSent ? 'sent' : (statuses[outcome!] ?? 'unknown'));
		if (outcome !== 'deferred' && outcome !== 'rehearsed') return;
		const page = parametersOf('1.', 'Page: sent');
		const $ = () => ({ item: { json: { phone: '1' } } });
		expect(evaluate(page.completionTitle as string, { $json })).toBe(
			outcome === 'deferred' ? 'Not sent yet' : 'Rehearsal',
		);
		expect(evaluate(page.completionMessage as string, { $json, $ })).not.toContain('was sent');
	},
);

/** The status of a row of the outbox after Send. */
function statusAfterSend(json: Fields): unknown {
	const row = { id: 1, attempts: 0, updatedAt: '2026-06-03T11:59:59Z' };
	const $input = { all: () => [{ json: { ...json, error: undefined } }] };
	const $ = () => ({ itemMatching: () => ({ json: row }) });
	const $now = DateTime.fromISO('2026-06-03T12:00:00Z');
	const code = `(() => {${codeOf('Results')}\n})()`;
	const [item] = runInNewContext(code, { $, $input, $now }) as [{ json: Fields }];
	return item.json.status;
}

// Two drafts of one name can be prepared at the same time: the report would show the text of one, with the rows of the other.
test('the text of a draft and its run are written at once', () => {
	const valuesOf = (node: string) =>
		Object.keys((parametersOf('13. Campaign: prepare', node).columns as { value: Fields }).value);
	expect(valuesOf('Set run')).toEqual(['text', 'run']);
	expect(valuesOf('Store campaign')).toEqual(expect.not.arrayContaining(['text']));
});

// A store that goes on after a failure outputs its input. Only a check of what it returned says that something is stored.
test('every store that goes on after a failure is followed by a check', () => {
	const unchecked = WORKFLOWS.flatMap(({ name, nodes, connections }) =>
		nodes
			.filter(({ type, onError }) => type === 'n8n-nodes-base.dataTable' && onError)
			.filter((node) => !isChecked(node.name, connections, nodes))
			.map((node) => `${name}: ${node.name}`),
	);
	expect(unchecked).toEqual([]);
});

/** Whether all paths from a store lead to a check of an ID before anything responds. */
function isChecked(from: string, connections: Workflow['connections'], nodes: INode[]): boolean {
	const [first = []] = connections[from]?.main ?? [];
	return first.every(({ node: name }) => {
		const next = nodes.find((node) => node.name === name)!;
		if (/\.(if|code)$/.test(next.type))
			return JSON.stringify(next.parameters).includes('Number.isInteger(');
		return next.type.endsWith('.dataTable') && isChecked(name, connections, nodes);
	});
}

describe('a workflow that everyone can start', () => {
	const ENTRIES = /\.(webhook|formTrigger|chatTrigger|mcpTrigger)$/;
	const isOpen = ({ type, parameters }: INode) =>
		ENTRIES.test(type) && (parameters.authentication ?? 'none') === 'none';
	const open = WORKFLOWS.filter(({ nodes }) => nodes.some(isOpen));

	test('is the one for signed events, and the one for signed links', () => {
		expect(open.map(({ name }) => name.split(/[. ]/)[0]).sort()).toEqual(['13', '2']);
	});

	test('keeps no execution data in n8n', () => {
		for (const { settings } of open) {
			expect(settings).toMatchObject({
				...{ saveDataSuccessExecution: 'none', saveDataErrorExecution: 'none' },
				saveExecutionProgress: false,
			});
		}
	});
});

describe('a file for office programs', () => {
	const exportsOf = ({ nodes, connections }: Workflow) =>
		nodes
			.filter(({ type }) => type === 'n8n-nodes-base.convertToFile')
			.filter(({ parameters }) =>
				['csv', 'xls', 'xlsx', 'ods', 'html'].includes(
					(parameters.operation as string | undefined) ?? 'csv',
				),
			)
			.map(({ name }) =>
				Object.entries(connections)
					.filter(([, { main = [] }]) => main.flat().some(({ node }) => node === name))
					.map(([before]) => before),
			);

	test('gets its rows from Cells as text only', () => {
		expect(WORKFLOWS.flatMap(exportsOf)).toEqual([['Cells as text']]);
	});

	test.each([
		['=1+1', "'=1+1"],
		['+44 7700 900123', "'+44 7700 900123"],
		['-1', "'-1"],
		['@SUM(A1)', "'@SUM(A1)"],
		['\t=1', "'\t=1"],
		['\r=1', "'\r=1"],
		['Ada = Grace', 'Ada = Grace'],
		['', ''],
		[-1, -1],
	])('gets %j as %j', (value, expected) => {
		const $input = { all: () => [{ json: { row: 2, name: value } }] };
		const code = `(() => {${codeOf('Cells as text')}\n})()`;
		expect(JSON.parse(JSON.stringify(runInNewContext(code, { $input })))).toEqual([
			{ json: { row: 2, name: expected }, pairedItem: { item: 0 } },
		]);
	});
});

test.each([
	['order 4711', 'request order 4711'],
	['campaign 3 447700900123 0123456789abcdef', 'request campaign 3 447700900123 0123456789abcdef'],
	[4711, 'request 4711'],
	[0, 'request 0'],
	['', ''],
	[undefined, ''],
])('the key of a request with the id %j is %j, so it cannot be that of a campaign', (id, key) => {
	const { columns } = parametersOf('11. Outbox: store', 'Store') as {
		columns: { value: { requestId: string } };
	};
	expect(evaluate(columns.value.requestId, { $json: { body: { id } } })).toBe(key);
	const campaign = parametersOf('13. Campaign: prepare', 'Store rows') as {
		columns: { value: { requestId: string } };
	};
	expect(campaign.columns.value.requestId).toMatch(/^=campaign \{\{/);
});
