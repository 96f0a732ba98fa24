/** What was edited by hand is found when it is read, and waits for a correction. The report and the preparation say the same. */
import { type Fields, fieldsOf, runCode } from '../harness/exampleCode';
import { campaign, decide, row, type Tables } from './decide';
import { report } from './report';

const IN_TABLE = "in the data table 'Messaging campaigns'";
const WAITS = { status: 'pending', nextAttemptAt: '2026-06-03T12:10:00.000Z' };

type Wrong = [fields: Fields, setting: string, why: string];

/** A setting of a campaign with each of these values. */
const wrong = (
	setting: string,
	must: string,
	values: Array<string | number | null>,
	others: Fields = {},
) =>
	values.map((value): Wrong => [
		{ ...others, [setting]: value },
		setting,
		`it is '${value ?? ''}', and must be ${must}`,
	]);

const TIMES = ['24:00', '9', '09:60', null];
const WRONG: Wrong[] = [
	...wrong('windowFrom', 'a time such as 09:00', TIMES),
	...wrong('windowTo', 'a time such as 18:00', TIMES),
	[{ windowTo: '09:02' }, 'windowTo', "it must be more than 2 minutes after 'windowFrom'"],
	...wrong('weekdays', 'numbers such as 1,2,3 (1 is Monday)', ['', '8', '1-5', '1,2,']),
	...wrong('timezone', 'a name such as Europe/London', ['Mars/Olympus', null]),
	...wrong('maxPerPerson', 'a whole number (0 is no limit)', [-1, 1.5]),
	...wrong('perDays', 'a whole number from 1 to 30', [0, 31], { maxPerPerson: 2 }),
];

const reportOn = (fields: Fields, rows: Fields[] = []) =>
	report({ action: 'Resume', campaigns: [campaign(fields)], rows }).replaceAll('&#39;', "'");

/** What stops the preparation of a campaign; empty if nothing does. */
function preparation(settings: Fields, existing: Fields[] = [], isRequested = false, asked = {}) {
	const optOutPage = 'https://n8n.example.com/webhook/opt-out';
	const about = { sender: 'Example Ltd', contact: 'hello@example.com' };
	const json = { ...campaign(), ...about, text: 'Hello', optOutPage, ...settings };
	const [checked] = runCode<{ problem: string }>('Check settings', {
		nodes: {
			Settings: [json],
			'Draft requested': isRequested ? [{ ...json, ...asked }] : undefined,
		},
		input: existing,
	});
	return checked!.problem;
}

test('a draft of an agent has no name that looks like that of another campaign', () => {
	const existing = [{ ...campaign(), name: 'Spring offer', run: '7' }];
	for (const name of [' spring OFFER', 'Spring\u200b offer', 'Ｓpring offer']) {
		expect(preparation({ name }, existing, true)).toContain('There is already a campaign');
		expect(preparation({ name: `${name}s` }, existing, true)).toBe('');
	}
});

test.each(['name', 'text'])('an agent has to say the %s: that of Settings is a sample', (key) => {
	for (const empty of [undefined, null, '', ' \n']) {
		expect(preparation({}, [], true, { [key]: empty })).toBe(`The ${key} is empty.`);
	}
	expect(preparation({}, [], false, { [key]: '' })).toBe('');
});

const campaigns = (count: number, fieldsOf: (id: number) => Fields) =>
	Array.from({ length: count }, (_, id) => campaign({ name: `Offer ${id}`, ...fieldsOf(id) }));

test('an agent makes no draft when ten wait for a person, with or without valid rows', () => {
	const drafts = campaigns(10, (id) => ({ status: 'draft', run: id % 2 ? '' : '7' }));
	const others = campaigns(20, () => ({}));
	expect(preparation({}, [...drafts.slice(1), ...others], true)).toBe('');
	expect(preparation({}, drafts, true)).toBe(
		'There are already 10 drafts. A person has to start or stop one first.',
	);
	expect(preparation({}, drafts)).toBe('');
});

describe('a campaign', () => {
	test.each(WRONG)('with %j waits: %s %s', (fields, setting, why) => {
		const reason = `Correct '${setting}' ${IN_TABLE}: ${why}`;
		expect(decide({ campaigns: [campaign(fields)] })).toMatchObject([{ ...WAITS, reason }]);
		expect(reportOn(fields)).toContain(`<li>${reason}.</li>`);
		expect(preparation(fields)).toBe(`Correct '${setting}' in Settings: ${why}`);
	});

	test('with another status waits', () => {
		const reason = `Correct 'status' ${IN_TABLE}: it is 'Running', and must be draft, running, paused, stopped`;
		expect(decide({ campaigns: [campaign({ status: 'Running' })] })).toMatchObject([
			{ ...WAITS, reason },
		]);
		expect(reportOn({ status: 'Running' })).toContain(`<li>${reason}.</li>`);
	});

	test.each([
		{},
		{ windowFrom: '9:00', windowTo: '09:03' },
		{ windowFrom: '00:00', windowTo: '00:00' },
		{ weekdays: ' 1 , 2,7' },
		{ maxPerPerson: 3, perDays: 30 },
		{ maxPerPerson: 0, perDays: null },
	])('is valid with %j', (fields) => {
		expect(decide({ campaigns: [campaign(fields)] })[0]!.reason).not.toContain('Correct');
		expect(reportOn(fields)).not.toContain('To correct');
		expect(preparation(fields)).toBe('');
	});
});

test.each<[Tables, string]>([
	[
		{ rows: [row(1, { timezone: 'Mars/Olympus' })] },
		"'timezone' in the data table 'Messaging outbox': it is 'Mars/Olympus', and must",
	],
	[
		{ settings: { messagesPerMinute: -1 } },
		"'messagesPerMinute' in Settings of example 11: it is '-1', and must be a number",
	],
])('waits for a correction: %j', (tables, what) => {
	const reason = expect.stringContaining(`Correct ${what}`) as string;
	expect(decide(tables)).toMatchObject([{ ...WAITS, reason }]);
});

const EXAMPLE = "An example, if B is one of 'numbers': 1000; B: 20, 40, 80 from 2026-06-01";
const TWO_WAYS =
	'can be one number or two. Write one without a comma, and a plan with spaces: 20, 40, 80';

describe.each(['dailyCaps', 'newPeoplePerDay'])("'%s'", (setting) => {
	const numbers = { A: true, B: true };
	const rows = [row(1, { number: 'A' })];

	test.each([
		['', `it is empty. ${EXAMPLE}`],
		['many', `'many' is no plan. ${EXAMPLE}`],
		// Pasted into a field of one line.
		['5 B: 3', "'5 B' is not one of 'numbers'"],
		['1,000', `'1,000' ${TWO_WAYS}`],
		['20, 40; B: 1,500', `'1,500' ${TWO_WAYS}`],
		['9; B: 20; B: 30', 'there are two plans for B'],
	])('%j waits for a correction', (value, why) => {
		const reason = `Correct '${setting}' in Settings of example 11: ${why}`;
		const [decision] = decide({ rows, numbers, settings: { [setting]: value } });
		expect(decision).toMatchObject({ ...WAITS, reason });
		const html = reportOn({}, [
			{ ...decision, reason: `${reason}; an earlier attempt is unknown` },
		]);
		expect(html).toContain(`<li>${reason}.</li>`);
	});

	const valid = ['20,40', '1, 100', '20, 40,\t80 from 2026-06-01', '9; B : 2'];
	test.each(valid)('%j is valid', (value) => {
		const [decision] = decide({ rows, numbers, settings: { [setting]: value } });
		expect(decision!.reason).not.toContain('Correct');
	});
});

test('the report shows a row whose status no action changes, and what to do', () => {
	const html = reportOn({}, [{ id: 1, status: 'Running', recipient: '447700900200' }]);
	expect(html).toMatch(/<th>Edited<\/th><td class="count">1<.*set its status to pending/s);
	expect(html).toMatch(/<td>Edited<\/td><td>447700900200<\/td><td>Its status is 'Running'/);
	expect(html).not.toContain('Nothing is left to send');
});

describe('a preparation', () => {
	test('stops without the address of the opt-out page', () => {
		for (const optOutPage of ['', 'n8n.example.com/webhook/opt-out', 'https://n8n.example.com']) {
			expect(preparation({ optOutPage })).toContain("In Settings, set 'optOutPage' to");
		}
	});

	test.each<[string, string, string[], string[]]>([
		['sender', 'who you are', ['', ' \n'], ['Example Ltd']],
		[
			...['contact', 'your phone number or email'],
			['', 'tell us in the chat', '12345', 'us@home'],
			['+44 7700 900123', '0151 2345678', 'a@b.example'],
		] as never,
	])('stops if the opt-out page could not say the %s', (setting, why, invalid, valid) => {
		expect(fieldsOf('13-campaign-prepare', 'Settings')[setting]).toBe('');
		for (const value of invalid) {
			for (const asked of [{}, { name: 'A', text: 'B' }])
				expect(preparation({ [setting]: value }, [], 'name' in asked, asked)).toContain(
					`Enter '${setting}' in Settings: ${why}`,
				);
		}
		for (const value of valid) expect(preparation({ [setting]: value })).toBe('');
	});

	test('does not replace a campaign that was started, and an agent not even a draft', () => {
		const drafts = [campaign({ status: 'draft' })];
		expect(preparation({}, drafts)).toBe('');
		expect(preparation({}, [campaign()])).toContain("The campaign 'Spring' was started before.");
		expect(preparation({}, drafts, true)).toContain("There is already a campaign 'Spring'.");
	});

	test.each([
		[{ text: 'x'.repeat(4097) }, 'at most 4096 characters'],
		[{ text: 'a\u0000b' }, 'no character U+0000'],
		[{ name: 'x'.repeat(101) }, 'at most 100 characters'],
		[{ name: 'a\u0000b' }, 'all in one line'],
	])('stops if n8n could not store it, or no chat could show it', (fields, why) => {
		expect(preparation(fields)).toContain(why);
	});
});
