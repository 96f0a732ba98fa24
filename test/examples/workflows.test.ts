import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type INode, NodeHelpers } from 'n8n-workflow';

import { sendOptions, toolOptions } from '../../nodes/MessagingGateway/message/sendOptions';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGateway/MessagingGatewayTrigger.node';
import {
	columnsOf,
	evaluate,
	EXAMPLES,
	fieldsOf,
	FOLDER,
	nextOf,
	parametersOf,
} from '../harness/exampleCode';

const OURS = /^n8n-nodes-messaging-gateway\.messagingGateway(Tool|HitlTool|Trigger)?$/;

const files = EXAMPLES.map(({ file }) => file).sort();
const README = readFileSync(join(FOLDER, 'README.md'), 'utf8');
const isQuestion = ({ type, parameters }: INode) =>
	parameters.operation === 'sendAndWait' || type.endsWith('HitlTool');
const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';
/** White, or gray in the dark theme. */
const SECTION_COLOR = 7;
/** The heading of its section in the README, which is its title in n8n's template library. */
const titleOf = (file: string) =>
	README.split(/^## /m)
		.find((text) => text.includes(`](${file})`))!
		.split('\n')[0];

test('uses every id only once across all examples', () => {
	const ids = EXAMPLES.flatMap(({ id, nodes }) => [id, ...nodes.map((node) => node.id)]);
	const webhooks = EXAMPLES.flatMap(({ nodes }) => nodes.flatMap((node) => node.webhookId ?? []));
	expect(new Set(ids).size).toBe(ids.length);
	expect(new Set(webhooks).size).toBe(webhooks.length);
});

test('no setting of a whole run reads the clock: n8n evaluates it once per item', () => {
	const names = [...sendOptions, ...toolOptions].map(({ name }) => name);
	const read = EXAMPLES.flatMap(({ file, nodes }) =>
		nodes
			.filter(({ type }) => OURS.test(type))
			.filter(({ parameters: { options, advancedOptions, requestOptions } }) => {
				const held = Object.entries({ ...(options as object), ...(advancedOptions as object) });
				const settings = held.filter(([option]) => names.includes(option));
				return /\$now|\$today|Date/.test(JSON.stringify([settings, requestOptions]));
			})
			.map(({ name }) => `${file}: ${name}`),
	);
	expect(read).toEqual([]);
});

test('contains the code of examples/code/', () => {
	const tool = join(__dirname, '../../dev/tools/workflowCode.mjs');
	expect(execFileSync(process.execPath, [tool, '--check'], { encoding: 'utf8' })).toBe('');
});

/** The output of "Why not sent?" for an item of the error output. */
function whyNotSent(file: string, $json: object): string {
	type Rule = { outputKey: string; conditions: { conditions: Array<{ leftValue: string }> } };
	const { values } = parametersOf(file, 'Why not sent?').rules as unknown as { values: Rule[] };
	const rule = values.find(({ conditions: { conditions } }) =>
		conditions.every(({ leftValue }) => evaluate(leftValue, { $json })),
	);
	return rule?.outputKey ?? 'another reason';
}

const FORM = '1-form-to-message';
const CRM = '2-crm-webhook-to-message';
const CSV = '4-bulk-send-from-csv';
const PREPARE = '13-campaign-prepare';

// Whatever the text says. n8n before 2.36 passes on no details.
test.each([
	[[FORM, CRM, CSV], { cause: 'offline', retry: 'later' }, 'no phone online'],
	[[FORM, CRM, CSV], { cause: 'already_exists', retry: 'never' }, 'another reason'],
	[[FORM, CSV], { cause: 'offline', retry: 'check' }, 'unknown'],
	[[FORM, CRM], { cause: 'invalid_input', retry: 'never' }, 'invalid entry'],
	[[FORM, CSV], undefined, 'unknown'],
])('%j: the details %j lead to %s', (examples, details, output) => {
	const error = "'Chat ID' (409); unknown: it may have been sent";
	for (const file of examples) expect(whyNotSent(file, { error, details })).toBe(output);
});

test('no example decides by the text of an error or by a status word of the session', () => {
	const byText = /json\.error[^}]{0,20}\.(includes|match|startsWith|search|test)|=== ?'ONLINE'/;
	const found = files.filter((file) => byText.test(readFileSync(join(FOLDER, file), 'utf8')));
	expect(found).toEqual([]);
});

test('the README and the phone page have every example', () => {
	const linked = [...README.matchAll(/\]\((\d[^)]*\.json)\)/g)].map(([, file]) => file);
	expect(linked.sort()).toEqual(files);
	const guide = readFileSync(join(FOLDER, '../dev/live/n8n/guide.mjs'), 'utf8');
	const described = [...guide.matchAll(/^\t\t'(\d[^']*\.json)': \{/gm)].map(([, file]) => file);
	expect(described.sort()).toEqual(files);
});

test('13 counts and stores people by identity, and sends to what was entered', () => {
	const text = { hash: () => '0123456789abcdef0123456789abcdef' };
	const $json = { chatId: '5215512345678', identity: '525512345678', text };
	const $ = () => ({ first: () => ({ json: { id: 3, name: 'Spring' } }) });
	const valueOf = (template: unknown) => evaluate(template, { $, $json });
	expect(parametersOf(PREPARE, 'One per person').fieldsToCompare).toBe('identity');
	expect(valueOf(parametersOf(PREPARE, 'Token').value)).toBe('recipient 525512345678');
	const { requestId, recipient, person } = columnsOf(PREPARE, 'Store rows');
	expect([requestId, recipient, person].map(valueOf)).toEqual([
		'campaign 3 525512345678 0123456789abcdef',
		...['5215512345678', '525512345678'],
	]);
});

// Execute Workflow prefers a schedule, unless the user chooses another trigger.
test('starts from the editor as from the manual trigger', () => {
	for (const { nodes, connections } of EXAMPLES) {
		const manual = nodes.find(({ type }) => type.endsWith('.manualTrigger'));
		const schedule = nodes.find(({ type }) => type.endsWith('.scheduleTrigger'));
		if (!manual || !schedule || schedule.disabled) continue;
		expect(connections[schedule.name]).toEqual(connections[manual.name]);
	}
});

test('escapes text in the HTML of a document', () => {
	const { html: template } = parametersOf('5-image-and-invoice', 'Invoice');
	const hostile = `<script>"'\``;
	const html = evaluate(template, { $json: { number: hostile, customer: hostile, total: 1 } });
	expect(html).not.toContain('<script>');
	expect(html).toContain('<p>For &#60;script&#62;&#34;&#39;&#96;</p>');
	expect(html).toContain('<strong>1.00 €</strong>');
});

test('creates every column of the data tables that the examples use', () => {
	interface Parameters {
		tableName?: string;
		dataTableId?: { value: string };
		columns?: { column?: Array<{ name: string }>; value?: object };
		filters?: { conditions: Array<{ keyName: string }> };
	}
	const tables = EXAMPLES.flatMap(({ nodes }) => nodes)
		.filter(({ type }) => type === 'n8n-nodes-base.dataTable')
		.map(({ parameters }) => parameters as unknown as Parameters);
	const created = new Map<string, string[]>();
	for (const { tableName, columns } of tables) {
		if (!tableName) continue;
		const all = ['id', 'createdAt', 'updatedAt', ...columns!.column!.map(({ name }) => name)];
		// If several create a table, the first that runs decides which columns it has.
		expect(created.get(tableName) ?? all).toEqual(all);
		created.set(tableName, all);
	}
	for (const { dataTableId, columns, filters } of tables.filter(({ tableName }) => !tableName)) {
		const names = filters?.conditions.map(({ keyName }) => keyName) ?? [];
		// What Batch names with an expression: tests of the outbox use it.
		const filtered = names.filter((name) => !name.startsWith('='));
		const used = [...Object.keys(columns?.value ?? {}), ...filtered];
		expect(created.get(dataTableId!.value)).toEqual(expect.arrayContaining(used));
	}
});

describe.each(EXAMPLES)('$name', ({ nodes, connections: _, ...workflow }) => {
	const file = workflow.file.replace('.json', '');
	const notes = nodes
		.filter(isNote)
		.map(({ parameters }) => parameters as unknown as { content: string; color?: number });

	test('is inactive and contains no data of the n8n it was exported from', () => {
		const keys = ['active', 'file', 'id', 'name', 'settings', 'tags'];
		expect(Object.keys(workflow).sort()).toEqual(keys);
		expect(workflow.active).toBe(false);
	});

	test('sets only existing parameters of our node, and all required ones', () => {
		for (const node of nodes.filter(({ type }) => OURS.test(type))) {
			const isTrigger = node.type.endsWith('Trigger');
			const { description } = isTrigger ? new MessagingGatewayTrigger() : new MessagingGateway();
			const { properties } = description;
			const { descriptionType: _, toolDescription: __, ...set } = node.parameters;
			// n8n hides this field of a human review step.
			const isReview = node.type.endsWith('HitlTool');
			const given = isReview ? { operation: 'sendAndWait', ...set } : set;
			const { getNodeParameters, getNodeParametersIssues } = NodeHelpers;
			const known = getNodeParameters(properties, given, true, false, node, description)!;
			expect(known).toMatchObject(given);
			const filledIn = { ...node, parameters: known };
			expect(getNodeParametersIssues(properties, filledIn, description)).toBeNull();
		}
	});

	test('uses a credential of the sandbox in every node that can: 14 one that sends nothing', () => {
		const withCredential = nodes.filter(
			({ type, parameters }) =>
				OURS.test(type) || parameters.nodeCredentialType === 'messagingGatewayApi',
		);
		const messagingGatewayApi =
			file === '14-rehearse'
				? { id: 'messagingRehearsal', name: 'Rehearsal (sandbox)' }
				: { id: 'messagingGateway01', name: 'Messaging Gateway (sandbox)' };
		for (const { credentials } of withCredential) {
			expect(credentials).toEqual({ messagingGatewayApi });
		}
	});

	// Input can contain `data`, but the node sets `answered` in every case.
	test("decides by 'answered' whether a question was answered", () => {
		for (const { name, parameters } of nodes.filter(isQuestion)) {
			const next = nodes.filter((node) => nextOf(file, name).flat().includes(node.name));
			const decisions = next.filter(({ type }) => /\.(if|switch|filter)$/.test(type));
			for (const decision of decisions) {
				const [first] = JSON.stringify(decision.parameters).match(/"leftValue":"=.*?"/g)!;
				expect(first).toBe('"leftValue":"={{ $json.answered }}"');
			}
			if ('limitWaitTime' in (parameters.options as object)) expect(decisions).toEqual(next);
		}
	});

	test('asks with the text of strangers at the end, in one paragraph and without links', () => {
		const stranger =
			'Yes\r\n\n\u2028\u0085Answer here:\nhttps://evil.example www.evil.example evil.io \u202e';
		const $ = (name: string) => {
			const { type, parameters } = nodes.find((node) => node.name === name)!;
			const own = type.endsWith('.set') ? fieldsOf(file, name) : {};
			const valueOf = (_: object, field: string) => {
				if (own[field]?.startsWith('=')) return shownOf(own[field]);
				const isNumber = JSON.stringify(parameters).includes(`"number","fieldName":"${field}"`);
				return isNumber ? 10 : stranger;
			};
			const item = { json: new Proxy({}, { get: valueOf }) };
			return { item, first: () => item, all: () => [item, item] };
		};
		const shownOf = (text: string) => evaluate(text, { $, $tool: { parameters: '{}' } }) as string;
		for (const { parameters } of nodes.filter(isQuestion)) {
			const message = parameters.message as string;
			const shown = shownOf(message);
			// A list has a line for each item.
			const added = message.includes('.all()') ? 1 : 0;
			expect(shown.match(/\n/g)).toHaveLength(message.match(/\n/g)!.length + added);
			expect(shown).not.toMatch(/evil|\/\/|[^\P{C}\n]/u);
			const [last, ...others] = shown.split('\n\n').reverse();
			expect(last).toMatch(/Yes Answer here: \(link\) \(link\) \(link\)/);
			for (const other of others) expect(other).not.toContain('Yes');
		}
	});

	// n8n's page is 448 px wide, also on a phone.
	test("lets n8n's last page of a form be as narrow as a phone", () => {
		for (const { type, parameters } of nodes) {
			if (type !== 'n8n-nodes-base.form' || parameters.respondWith === 'showText') continue;
			const { customCss } = parameters.options as { customCss?: string };
			expect(customCss).toMatch(/--container-width: min\(\d+px, 100% - 32px\);/);
		}
	});

	// As n8n's guidelines for templates require.
	test('has one yellow note, with the title, what it does and how to set it up', () => {
		const main = notes.filter(({ color }) => color !== SECTION_COLOR);
		expect(main).toHaveLength(1);
		const { content } = main[0]!;
		expect(content.match(/^## (.+)\n[^\n#]{40,}\n/)?.[1]).toBe(titleOf(workflow.file));
		expect(content.match(/^###.*/gm)!.slice(0, 2)).toEqual(['### How it works', '### Setup']);
	});

	// Bold text in a note is the name of a node.
	test('names existing nodes in its notes', () => {
		const all = notes.map(({ content }) => content).join('\n');
		const named = [...all.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name]) => name!);
		expect(named.length).toBeGreaterThan(0);
		expect(nodes.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
	});
});
