import { runInNewContext } from 'node:vm';

import { codeOf } from '../harness/exampleCode';

const CODE = codeOf('Steps');

type Fields = Record<string, unknown>;

interface Choice {
	name: string;
	action: string;
	draft?: string;
}

const CAMPAIGN = {
	...{ id: 1, name: 'Spring offer', status: 'draft', run: '7', text: 'Hello {name}' },
};
const ROW = { id: 1, campaign: 'Spring offer', run: '7', text: 'Hello Ada', token: 'a' };

interface Tables {
	campaigns?: Fields[];
	rows?: Fields[];
	trigger?: string;
}

/** Runs the node's code as n8n does. A node that has no row outputs an empty item. */
function run(choice: Choice, tables: Tables = {}) {
	const { campaigns = [CAMPAIGN], rows = [ROW], trigger = 'Choice' } = tables;
	const nodes: Record<string, Fields[] | undefined> = {
		[trigger]: [{ ...choice }],
		Campaigns: campaigns.length > 0 ? campaigns : [{}],
	};
	const itemsOf = (all: Fields[]) => all.map((json) => ({ json }));
	const $ = (node: string) => ({
		isExecuted: nodes[node] !== undefined,
		first: () => itemsOf(nodes[node]!)[0],
		all: () => itemsOf(nodes[node]!),
	});
	const $input = { all: () => itemsOf(rows.length > 0 ? rows : [{}]) };
	const steps = runInNewContext(`(() => {${CODE}\n})()`, { $, $input }) as Array<{
		json: Record<string, string>;
	}>;
	return steps.map(({ json }) => json);
}

/** The states before and after: of the campaign, then of its rows. */
const steps = (action: string) =>
	run({ name: 'Spring offer', action, draft: '7' }).map((step) => {
		expect(step).toMatchObject({ name: 'Spring offer', action, id: 1, run: '7', problem: '' });
		return [step.campaignFrom, step.campaignTo, step.rowsFrom, step.rowsTo];
	});

test('changes the campaign and its rows', () => {
	expect(steps('Start')).toEqual([['draft', 'running', 'draft', 'pending']]);
	expect(steps('Pause')).toEqual([['running', 'paused', 'pending', 'paused']]);
	expect(steps('Resume')).toEqual([['paused', 'running', 'paused', 'pending']]);
	expect(steps('Stop')).toEqual([
		['draft', 'stopped', 'draft', 'stopped'],
		['running', 'stopped', 'pending', 'stopped'],
		['paused', 'stopped', 'paused', 'stopped'],
	]);
	expect(steps('Show the report')).toEqual([['-', '-', '-', '-']]);
});

test.each(['start', ' START '])('takes %j for Start', (action) => {
	expect(run({ name: 'Spring offer', action, draft: ' 7 ' })).toMatchObject([
		{ action: 'Start', campaignTo: 'running' },
	]);
});

// In the editor, the user types the action.
test.each(['Begin', '', 'constructor'])('says which actions there are, instead of %j', (action) => {
	expect(() => steps(action)).toThrow(
		`'action' is '${action}'. Use one of: Show the report, Start, Pause, Resume, Stop.`,
	);
});

test.each([
	[' spring OFFER ', ['Opening', 'Spring offer'], 'Spring offer'],
	['Spring offer', ['SPRING OFFER', 'Spring offer'], 'Spring offer'],
	// It is not known which one the user means.
	['spring offer', ['SPRING OFFER', 'Spring offer'], 'spring offer'],
	['Spring', ['Spring offer'], 'Spring'],
	['undefined', [], 'undefined'],
])('finds the name %j in %j', (name, names, expected) => {
	for (const trigger of ['Form', 'Choice']) {
		const campaigns = names.map((each, id) => ({ ...CAMPAIGN, id, name: each }));
		expect(run({ name, action: 'Pause' }, { campaigns, trigger })).toMatchObject([
			{ name: expected },
		]);
	}
});

describe('Start', () => {
	const start = (draft: string, tables: Tables = {}) =>
		run({ name: 'Spring offer', action: 'Start', draft }, tables);
	const CHANGES = { campaignFrom: 'draft', campaignTo: 'running', rowsTo: 'pending' };
	const NONE = { campaignFrom: '-', campaignTo: '-', rowsFrom: '-', rowsTo: '-' };
	const rowsWith = (texts: string[]) =>
		texts.map((text, index) => ({ ...ROW, id: index + 1, text }));
	const texts = (count: number) => Array.from({ length: count }, (_, index) => `Text ${index}`);

	test.each(['', '6', '77', 'draft'])(
		'changes nothing if the draft that was read is %j',
		(draft) => {
			expect(start(draft)).toMatchObject([
				{ ...NONE, problem: expect.stringContaining('enter 7 as') },
			]);
		},
	);

	test('of a draft that was prepared again since changes nothing', () => {
		expect(start('7', { campaigns: [{ ...CAMPAIGN, run: '8' }] })).toMatchObject([NONE]);
	});

	test.each([null, '', undefined])(
		'wants a draft that is complete, not one with the run %j',
		(none) => {
			for (const draft of ['', '-', 'null', 'undefined']) {
				expect(start(draft, { campaigns: [{ ...CAMPAIGN, run: none }] })).toMatchObject([
					{ ...NONE, problem: expect.stringContaining('not complete') },
				]);
			}
		},
	);

	test('wants messages, and takes no row of another draft or campaign for one', () => {
		for (const rows of [[], [{ ...ROW, run: '8' }], [{ ...ROW, campaign: 'Other' }]]) {
			expect(start('7', { rows })).toMatchObject([
				{ ...NONE, problem: expect.stringContaining('no messages') },
			]);
		}
	});

	test('refuses more different texts than the report shows', () => {
		expect(start('7', { rows: rowsWith(texts(200)) })).toMatchObject([CHANGES]);
		expect(start('7', { rows: rowsWith(texts(201)) })).toMatchObject([
			{ ...NONE, problem: expect.stringContaining('201 different texts') },
		]);
		const sameText = Array.from({ length: 500 }, (_, index) => `Hello ${index}`);
		expect(start('7', { rows: rowsWith([...sameText]) })).toMatchObject([NONE]);
		const withFooter = sameText.map((text) => `${text}\n\nNo more messages`);
		expect(start('7', { rows: rowsWith(withFooter) })).toMatchObject([CHANGES]);
	});

	const LINKS = 'https://evil.com evil.com/pay www.evil.com bit.ly/x1 1.2.3.4/pay Ada.evil.com';
	const DOTS = ['evil。com', 'evil．com', 'evil.\u200bcom'];
	const LINES = ['a\nb', 'a\rb', 'a\u2028b', 'a\u2029b', 'a\u0085b'];
	const VALUES = [
		'Ada',
		'19.99',
		'€ 1.50',
		'Dr. Ada',
		'می\u200cخواهم',
		'12/11',
		'Ada 👩‍💻',
		'3 items…',
	];

	// 201 rows with another value each have 201 texts that the report has to show, or one.
	test.each([
		...[...LINKS.split(' '), ...DOTS, ...LINES, 'x'.repeat(60)].map((value) => [value, NONE]),
		...[...VALUES, 'x'.repeat(50)].map((value) => [value, CHANGES]),
	] as Array<[string, object]>)('with %j as the value of a placeholder: %j', (value, expected) => {
		const campaigns = [{ ...CAMPAIGN, text: 'Hello {name}!' }];
		const rows = rowsWith(texts(201).map((_, id) => `Hello ${value} ${id}!`));
		expect(start('7', { campaigns, rows })).toMatchObject([expected]);
	});

	test('chooses among two drafts of one name, prepared at the same time, that which was read', () => {
		const campaigns = [CAMPAIGN, { ...CAMPAIGN, id: 2, run: '8' }];
		expect(start('7', { campaigns })).toMatchObject([{ ...CHANGES, id: 1, run: '7' }]);
		const rows = [{ ...ROW, run: '8' }];
		expect(start('8', { campaigns, rows })).toMatchObject([{ ...CHANGES, id: 2, run: '8' }]);
	});
});
