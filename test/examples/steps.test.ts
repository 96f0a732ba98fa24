import { type Fields, runCode } from '../harness/exampleCode';

const DRAFT = { name: 'Spring offer', status: 'draft', run: '7' };
const CAMPAIGN = { ...DRAFT, id: 1, text: 'Hello {name}' };
const ROW = { id: 1, campaign: 'Spring offer', run: '7', text: 'Hello Ada', token: 'a' };

interface Tables {
	campaigns?: Fields[];
	rows?: Fields[];
	/** What the opt-out link of the first row has returned. */
	page?: Fields;
	trigger?: string;
}

function run(choice: Fields, tables: Tables = {}) {
	const { campaigns = [CAMPAIGN], rows = [ROW], trigger = 'Choice' } = tables;
	const page = tables.page && [tables.page];
	const nodes = { [trigger]: [choice], Campaigns: campaigns, 'Draft rows': rows };
	return runCode('Steps', { nodes: { ...nodes, 'Opt-out page': page } });
}

/** The states before and after: of the campaign, then of its rows. */
const steps = (action: string) =>
	run({ name: 'Spring offer', action, draft: '7' }).map((step) => {
		expect(step).toMatchObject({ name: 'Spring offer', id: 1, run: '7', problem: '' });
		return [step.campaignFrom, step.campaignTo, step.rowsFrom, step.rowsTo];
	});

test('changes the campaign and its rows', () => {
	for (const start of [' START ', 'Start, page tested'])
		expect(steps(start)).toEqual([['draft', 'running', 'draft', 'pending']]);
	expect(steps('Pause')).toEqual([['running', 'paused', 'pending', 'paused']]);
	expect(steps('Resume')).toEqual([['paused', 'running', 'paused', 'pending']]);
	expect(steps('Stop')).toEqual([
		['draft', 'stopped', 'draft', 'stopped'],
		['running', 'stopped', 'pending', 'stopped'],
		['paused', 'stopped', 'paused', 'stopped'],
	]);
	expect(steps('Show the report')).toEqual([['-', '-', '-', '-']]);
});

test('Stop warns that it is permanent, and requires the number of the campaign', () => {
	for (const draft of ['', '8']) {
		const steps = run({ name: 'Spring offer', action: 'Stop', draft });
		expect(steps).toMatchObject([{ campaignTo: '-', rowsTo: '-' }]);
		expect(steps[0]!.problem).toMatch(/^Stop is permanent: .* enter 7 as Draft/);
	}
	// It has no number.
	const campaigns = [{ ...CAMPAIGN, run: '' }];
	expect(run({ name: 'Spring offer', action: 'Stop' }, { campaigns })).toHaveLength(3);
});

// In the editor, the user types the action.
test('says which actions there are', () => {
	const [step] = run({ name: 'Spring offer', action: 'constructor', draft: '7' });
	expect(step).toMatchObject({ campaignTo: '-', rowsTo: '-' });
	expect(step!.problem).toMatch(
		/^'action' is 'constructor'\. Use one of: Show the report; Start; /,
	);
});

test.each([
	[' spring OFFER ', ['Opening', 'Spring offer'], 'Spring offer'],
	['Spring offer', ['SPRING OFFER', 'Spring offer'], 'Spring offer'],
	// It is not known which one the user means.
	['spring offer', ['SPRING OFFER', 'Spring offer'], 'spring offer'],
	['Spring', ['Spring offer'], 'Spring'],
])('finds the name %j in %j', (name, names, expected) => {
	for (const trigger of ['Form', 'Choice']) {
		const campaigns = names.map((each, id) => ({ ...CAMPAIGN, id, name: each }));
		const [step] = run({ name, action: 'Pause' }, { campaigns, trigger });
		expect(step!.name).toBe(expected);
	}
});

describe('Start', () => {
	const start = (draft: string, tables: Tables = {}) =>
		run({ name: 'Spring offer', action: 'Start', draft }, tables);
	const CHANGES = { campaignFrom: 'draft', campaignTo: 'running', rowsTo: 'pending' };
	const NONE = { campaignFrom: '-', campaignTo: '-', rowsFrom: '-', rowsTo: '-' };
	const expectProblem = (words: string, steps: Fields[]) =>
		expect(steps).toMatchObject([{ ...NONE, problem: expect.stringContaining(words) }]);
	const rowsWith = (texts: string[]) =>
		texts.map((text, index) => ({ ...ROW, id: index + 1, text }));
	const texts = (count: number) => Array.from({ length: count }, (_, index) => `Text ${index}`);

	test('wants the draft that was read, and a complete one', () => {
		expectProblem('read the texts below. To send them, enter 7 as', start(''));
		expectProblem('that is not the number of this draft. Read the texts', start('77'));
		for (const run of [null, '']) {
			expectProblem('not complete', start('', { campaigns: [{ ...CAMPAIGN, run }] }));
		}
	});

	test('wants messages, and takes no row of another draft or campaign for one', () => {
		for (const rows of [[], [{ ...ROW, run: '8' }], [{ ...ROW, campaign: 'Other' }]]) {
			expectProblem('no messages', start('7', { rows }));
		}
	});

	test('refuses more different texts than the report shows', () => {
		expect(start('7', { rows: rowsWith(texts(200)) })).toMatchObject([CHANGES]);
		expectProblem('201 different texts', start('7', { rows: rowsWith(texts(201)) }));
		const withFooter = texts(500).map((_, id) => `Hello ${id}\n\nNo more messages`);
		expect(start('7', { rows: rowsWith(withFooter) })).toMatchObject([CHANGES]);
	});

	const linked = (origin: string, person: string, id = 1) => ({
		...{ ...ROW, id, person },
		text: `Hello Ada\n\nNo more messages: ${origin}/webhook/opt-out?c=1&t=a&s=b`,
	});
	const FICTIONAL = linked('http://127.0.0.1:5678', '447700900200');

	test.each([
		...['http://127.0.0.1:5678', 'http://localhost:5678', 'https://n8n.localhost', 'http://[::1]'],
		...['http://0.0.0.0:5678', 'http://127.1'],
	])('refuses real people if the opt-out links start with %s', (origin) => {
		const startFor = (person: string) =>
			start('7', { rows: [FICTIONAL, linked(origin, person, 2)] });
		for (const person of ['4915123456789', '447700800123', '120363@g.us'])
			expectProblem(`start with ${origin}, which no phone can open`, startFor(person));
		expect(startFor('12125550199')).toMatchObject([CHANGES]);
	});

	const OPEN = ['https://n8n.example.com', 'http://192.168.0.2:5678', 'https://localhost.example'];
	test.each(OPEN)('starts if they start with %s', (origin) => {
		const rows = [linked(origin, '4915123456789')];
		expect(start('7', { rows })).toMatchObject([CHANGES]);
	});

	test.each([
		[{ statusCode: 200, data: 'Example Ltd · Tom &#38; Ada' }, ''],
		[{ statusCode: 200, data: 'Welcome to our website' }, 'status 200'],
		[{ statusCode: 404, data: 'The webhook "GET opt-out" is not registered.' }, 'status 404'],
		[{ error: 'connect ECONNREFUSED' }, 'no response'],
	])('wants the opt-out page: %j', (page, reason) => {
		const name = 'Tom & Ada';
		const campaigns = [{ ...CAMPAIGN, name }];
		const rows = [{ ...linked('https://n8n.example.com', '4915123456789'), campaign: name }];
		const steps = run({ name, action: 'Start', draft: '7' }, { campaigns, rows, page });
		if (!reason) return expect(steps).toMatchObject([CHANGES]);
		expectProblem(reason, steps);
		expectProblem('a page at https://n8n.example.com/webhook/opt-out, only n8n', steps);
	});

	// The sample list, which `npm start` sends to its sandbox.
	test('starts the sample list with any links', () => {
		const people = runCode<{ phone: string }>('Sample recipients', {});
		const rows = people
			.map(({ phone }) => phone.replace(/\D/g, ''))
			.filter(Boolean)
			.map((person, id) => linked('http://127.0.0.1:5678', person, id + 1));
		expect(rows.length).toBeGreaterThan(190);
		expect(start('7', { rows })).toMatchObject([CHANGES]);
	});

	const HOSTILE = [
		...['https://evil', 'evil.com/pay', 'www.evil.com', '1.2.3.4/pay', 'evil。com'],
		...['evil.\u200bcom', 'a\nb', 'a\rb', 'a\u2028b', 'a\u0085b', 'x'.repeat(60)],
	];
	const VALUES = [
		'19.99',
		'Dr. Ada',
		'می\u200cخواهم',
		'12/11',
		'Ada 👩‍💻',
		'3 items…',
		'x'.repeat(50),
	];

	// 201 rows with another value each have 201 texts that the report has to show, or one.
	test.each([...HOSTILE, ...VALUES])('with %j as the value of a placeholder', (value) => {
		const expected = HOSTILE.includes(value) ? NONE : CHANGES;
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
