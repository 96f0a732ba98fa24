/** An example reports success only from evidence: what a data table has returned, or the outcome of a message. */
import type { INode } from 'n8n-workflow';

import {
	evaluate,
	type Example,
	EXAMPLES,
	type Fields,
	parametersOf,
	runCode,
} from '../harness/exampleCode';

const STORE = '11-outbox-in';
const PREPARE = '13-campaign-prepare';

/** Whether an If node leads an item to its first output. */
function isTrue(example: string, node: string, context: object): boolean {
	const { conditions } = parametersOf(example, node).conditions as {
		conditions: Array<{ leftValue: string }>;
	};
	return conditions.every(({ leftValue }) => evaluate(leftValue, context) === true);
}

test('no example stores that a message was sent without its outcome', () => {
	const stored = EXAMPLES.flatMap(({ nodes }) => nodes).flatMap(({ parameters }) => {
		const { columns } = parameters as { columns?: { value?: Fields } };
		return columns?.value?.status ?? [];
	});
	expect(stored.length).toBeGreaterThan(5);
	expect(stored).toContain('counted');
	expect(stored).not.toContain('sent');
});

/** The tables that an example reads or writes, without those that it creates. */
function otherTables({ nodes }: Example): string[] {
	const tables = nodes.filter(({ type }) => type === 'n8n-nodes-base.dataTable');
	const created = tables.map(({ parameters }) => parameters.tableName);
	const used = tables.map(
		({ parameters }) => (parameters.dataTableId as Fields | undefined)?.value,
	);
	return [...new Set(used as string[])].filter((name) => name && !created.includes(name)).sort();
}

// The outbox read a table of example 13, so it sent nothing where there was none.
test('examples create the tables that they use, or belong to one that was executed before', () => {
	const missing = EXAMPLES.map((each) => [each.name, otherTables(each)] as const);
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
	[{}, false],
	[{ headers: {}, body: { id: 7 } }, false],
	[{ error: 'Data table size limit exceeded' }, false],
])('11 takes a request with the output %j of Store as stored: %p', ($json, isStored) => {
	expect(isTrue(STORE, 'Stored?', { $json })).toBe(isStored);
});

test.each([
	[{ to: '447700900123', text: 'Hello' }, true],
	[{ to: '447700900123', text: 'a\u0000b' }, false],
])('11 accepts the request %j: %p', (body, isValid) => {
	const $json = { headers: { 'content-type': 'application/json' }, body };
	expect(isTrue(STORE, 'Valid request?', { $json })).toBe(isValid);
});

test('no example calls a message sent unless it was', () => {
	const { responseBody } = parametersOf('2-crm-webhook-to-message', '200: sent');
	for (const outcome of ['sent', 'duplicate', 'deferred', 'rehearsed', undefined]) {
		const sent = outcome === 'sent' || outcome === 'duplicate';
		expect(evaluate(responseBody, { $json: { outcome } })).toMatchObject({ sent });
	}
	const page = parametersOf('1-form-to-message', 'Page: sent');
	const $ = () => ({ item: { json: { phone: '1' } } });
	for (const [outcome, title] of [
		['deferred', 'Not sent yet'],
		['rehearsed', 'Rehearsal'],
	]) {
		expect(evaluate(page.completionTitle, { $json: { outcome } })).toBe(title);
		expect(evaluate(page.completionMessage, { $json: { outcome }, $ })).not.toContain('was sent');
	}
});

// Two drafts of one name can be prepared at the same time: the report would show the text of one, with the rows of the other.
test('the text of a draft and its run are written at once', () => {
	const valuesOf = (node: string) =>
		Object.keys((parametersOf(PREPARE, node).columns as { value: Fields }).value);
	expect(valuesOf('Set run')).toEqual(['text', 'run']);
	expect(valuesOf('Store campaign')).toEqual(expect.not.arrayContaining(['text']));
});

// A store that goes on after a failure outputs its input. Only a check of what it returned says that something is stored.
test('every store that goes on after a failure is followed by a check', () => {
	const unchecked = EXAMPLES.flatMap(({ name, nodes, connections }) =>
		nodes
			.filter(({ type, onError }) => type === 'n8n-nodes-base.dataTable' && onError)
			.filter((node) => !isChecked(node.name, connections, nodes))
			.map((node) => `${name}: ${node.name}`),
	);
	expect(unchecked).toEqual([]);
});

/** Whether all paths from a store lead to a check of an ID before anything responds. */
function isChecked(from: string, connections: Example['connections'], nodes: INode[]): boolean {
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
	const open = EXAMPLES.filter(({ nodes }) => nodes.some(isOpen));

	test('is the one for signed events, and the one for signed links', () => {
		expect(open.map(({ file }) => file)).toEqual([
			...['13-campaign-opt-out.json', '2-crm-webhook-to-message.json'],
		]);
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
	const isExport = ({ type, parameters }: INode) =>
		type === 'n8n-nodes-base.convertToFile' &&
		['csv', 'xls', 'xlsx', 'ods', 'html'].includes((parameters.operation as string) ?? 'csv');
	const before = ({ nodes, connections }: Example) =>
		nodes
			.filter(isExport)
			.map(({ name }) =>
				Object.keys(connections).filter((from) =>
					connections[from]!.main!.flat().some(({ node }) => node === name),
				),
			);

	test('gets its rows from Cells as text only', () => {
		expect(EXAMPLES.flatMap(before)).toEqual([['Cells as text']]);
	});

	const FORMULAS = ['=1+1', '+44 7700 900123', '-1', '@SUM(A1)', '\t=1', '\r=1'];

	test.each<[string | number, string | number]>([
		...FORMULAS.map((text): [string, string] => [text, `'${text}`]),
		['Ada = Grace', 'Ada = Grace'],
		[-1, -1],
	])('gets %j as %j', (value, expected) => {
		const input = [{ row: 2, name: value }];
		expect(runCode('Cells as text', { input })).toEqual([{ row: 2, name: expected }]);
	});
});

test('the key of a request cannot be that of a campaign', () => {
	const keyOf = (example: string, node: string) =>
		(parametersOf(example, node).columns as { value: { requestId: string } }).value.requestId;
	const keyWith = (id: unknown) => evaluate(keyOf(STORE, 'Store'), { $json: { body: { id } } });
	expect(['order 4711', 0, '', undefined].map(keyWith)).toEqual([
		...['request order 4711', 'request 0', '', ''],
	]);
	expect(keyOf(PREPARE, 'Store rows')).toMatch(/^=campaign \{\{/);
});
