/** An example reports success only from evidence: what a data table has returned, or the outcome of a message. */

import {
	columnsOf,
	evaluate,
	type Example,
	EXAMPLES,
	type Fields,
	nextOf,
	parametersOf,
	runCode,
} from '../harness/exampleCode';
const PREPARE = '13-campaign-prepare';
const JSON_TYPE = { 'content-type': 'application/json' };

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
	const used = tables.map(({ parameters }) => (parameters.dataTableId as Fields)?.value as string);
	return [...new Set(used)].filter((name) => name && !created.includes(name)).sort();
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
		'17. Appointments: page': ['Messaging appointments', 'Messaging keys', 'Messaging outbox'],
	});
});

test('no example calls a message sent unless it was', () => {
	const { responseBody } = parametersOf('2-crm-webhook-to-message', '200: sent');
	for (const outcome of ['sent', 'duplicate', 'deferred', undefined]) {
		const sent = outcome === 'sent' || outcome === 'duplicate';
		expect(evaluate(responseBody, { $json: { outcome } })).toEqual({ sent, outcome });
	}
	const page = parametersOf('1-form-to-message', 'Page: sent');
	const $ = () => ({ item: { json: { phone: '1' } } });
	const $json = { outcome: 'deferred' };
	expect(evaluate(page.completionTitle, { $json })).toBe('Not sent yet');
	expect(evaluate(page.completionMessage, { $json, $ })).not.toContain('was sent');
});

// Two drafts of one name can be prepared at the same time: the report would show the text of one, with the rows of the other.
test('the text of a draft and its run are written at once', () => {
	expect(Object.keys(columnsOf(PREPARE, 'Set run'))).toEqual(['text', 'run']);
	expect(columnsOf(PREPARE, 'Store campaign')).not.toHaveProperty('text');
});

// A store that goes on after a failure outputs its input. Only a check of what it returned says that something is stored.
test('every store that goes on after a failure is followed by a check', () => {
	const unchecked = EXAMPLES.flatMap((each) =>
		each.nodes
			.filter(({ type, onError }) => type === 'n8n-nodes-base.dataTable' && onError)
			.filter(({ parameters }) => parameters.operation !== 'get')
			.filter(({ name }) => !isChecked(name, each))
			.map(({ name }) => `${each.name}: ${name}`),
	);
	expect(unchecked).toEqual([]);
});

/** Whether all paths from a store lead to a check of an ID before anything responds. */
function isChecked(from: string, each: Example): boolean {
	const [first = []] = nextOf(each.file.replace('.json', ''), from);
	return first.every((name) => {
		const next = each.nodes.find((node) => node.name === name)!;
		if (/\.(if|code)$/.test(next.type))
			return JSON.stringify(next.parameters).includes('Number.isInteger(');
		return next.type.endsWith('.dataTable') && isChecked(name, each);
	});
}

// The CRM and Cal.com sign their requests instead, and the links are signed.
test('only three workflows have entry points without authentication, and they keep no execution data', () => {
	const entries = EXAMPLES.flatMap(({ file, nodes, settings }) =>
		nodes
			.filter(({ type }) => /\.(webhook|formTrigger|chatTrigger|mcpTrigger)$/.test(type))
			.map(({ name, ...node }) => ({ entry: `${file} ${name}`, settings, ...node })),
	);
	const open = entries.filter(({ credentials }) => !credentials);
	expect(open.map(({ entry }) => entry)).toEqual([
		'13-campaign-opt-out.json Link opened',
		'13-campaign-opt-out.json Button pressed',
		'17-appointments-page.json Appointment opened',
		'17-appointments-page.json Answer pressed',
		'17-appointments-page.json Booking',
		'2-crm-webhook-to-message.json CRM event',
	]);
	for (const { settings } of open) {
		expect(settings).toMatchObject({
			...{ saveDataSuccessExecution: 'none', saveDataErrorExecution: 'none' },
			saveExecutionProgress: false,
		});
	}
	for (const { type, parameters, credentials } of entries) {
		if (!credentials) continue;
		const kind = type.endsWith('.mcpTrigger') ? 'Bearer' : 'Basic';
		expect(parameters.authentication).toBe(`${kind.toLowerCase()}Auth`);
		expect(Object.keys(credentials)).toEqual([`http${kind}Auth`]);
	}
});

test('the key of a request cannot be that of a campaign', () => {
	const keyWith = (id: unknown) =>
		runCode('Check request', {
			nodes: { Withdrawal: undefined },
			input: [{ headers: JSON_TYPE, body: { id, to: '1', text: 'Hello' } }],
		})[0]!.requestId;
	expect(['order 4711', 0, '', undefined].map(keyWith)).toEqual([
		...['request order 4711', 'request 0', '', ''],
	]);
	expect(columnsOf(PREPARE, 'Store rows').requestId).toMatch(/^=campaign \{\{/);
});
