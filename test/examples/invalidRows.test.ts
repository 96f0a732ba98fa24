/** Example 13 keeps the rows of the list that cannot be sent, with their reasons: prepared and started in n8n's own engine. */
import { type Fields, runCode } from '../harness/exampleCode';
import { useNewGateways } from '../harness/sandboxAccount';
import { type ExampleRun, runExample } from './runExample';
import { Tables } from './tables';

const gateway = useNewGateways();
const OUTBOX = 'Messaging outbox';
const ABOUT = { sender: 'Example Ltd', contact: 'hello@example.com' };

let tables: Tables;
beforeEach(() => {
	tables = new Tables();
});

const run = async (text: string, more: Partial<ExampleRun> = {}) =>
	await runExample({
		...{ file: '13-campaign-prepare', trigger: 'Manual trigger', account: gateway.account, tables },
		...{ values: { Settings: { text, ...ABOUT } }, ...more },
	});

async function prepare(text: string): Promise<Fields> {
	const { outputs, error } = await run(text);
	expect(error).toBeUndefined();
	return outputs('Draft report')[0]![0]!;
}

/** The last page of the form. */
async function upload(text: string, csv: string): Promise<Fields> {
	const json = { formMode: 'production', headers: { 'x-auth-token': 'token' } };
	const data = { data: Buffer.from(csv).toString('base64'), mimeType: 'text/csv' };
	const items = [{ json, binary: { data } }];
	const { answers, error } = await run(text, { trigger: 'Upload', activate: ['Upload'], items });
	expect(error).toBeUndefined();
	expect(answers).toHaveLength(1);
	return answers[0] as Fields;
}

/** The page without its tags. */
async function manage(action: string): Promise<string> {
	const [campaign] = tables.rows('Messaging campaigns');
	const { outputs, error } = await runExample({
		...{ file: '13-campaign-manage', trigger: 'Manual trigger', account: gateway.account, tables },
		values: { Choice: { name: 'Spring offer', action, draft: campaign!.run } },
	});
	expect(error).toBeUndefined();
	const { html } = outputs('Report')[0]![0] as { html: string };
	return html.replace(/<style>.*?<\/style>/s, '').replace(/(<[^>]*>)+/g, '|');
}

const withStatus = (status: string) => tables.rows(OUTBOX).filter((row) => row.status === status);

test('stores an invalid row with its reason, shows it before the start, and sends it never', async () => {
	expect(await prepare('Hello {name}')).toMatchObject({ status: 'draft', invalid: 1 });
	const [invalid, ...others] = withStatus('invalid');
	expect(others).toEqual([]);
	expect(invalid).toMatchObject({
		...{ campaign: 'Spring offer', recipient: 'Row 202', reason: 'The number is invalid' },
		run: withStatus('draft')[0]!.run,
	});
	// Nothing of the person.
	expect(JSON.stringify(invalid)).not.toMatch(/Valentina|no number yet/);
	const page = await manage('Start');
	expect(page).toContain('|Invalid|1|Left out. Correct the list');
	expect(page).toContain('|Invalid|1 × Row 202|The number is invalid|');
	expect(withStatus('pending')).toHaveLength(200);
	expect(withStatus('invalid')).toEqual([invalid]);
});

test('shows a draft without a valid row, which a corrected one replaces', async () => {
	const draft = await prepare('Hello {name} from {city}');
	expect(draft).toMatchObject({ status: 'not stored', messages: 0, invalid: 202 });
	expect(tables.rows(OUTBOX)).toHaveLength(202);
	const page = await manage('Start');
	expect(page).toContain('No row of the list is valid. Run “13. Campaign: prepare” again');
	expect(page).toContain('Row 4, Row 5, and 197 more|There is no value for {city}|');
	expect(withStatus('invalid')).toHaveLength(202);

	expect(await prepare('Hello {name}')).toMatchObject({ messages: 200, invalid: 1 });
	expect([withStatus('draft').length, withStatus('invalid').length]).toEqual([200, 1]);
});

test('makes the same draft of an uploaded file, and its page has the number and the reasons', async () => {
	await prepare('Hello {name}');
	const draft = withStatus('draft');
	tables = new Tables();
	const people = runCode<Record<string, string>>('Sample recipients', {});
	const lines = people.map(({ phone, name, timezone }) => `${name};${phone};${timezone}`);
	const bad = ['Grace;07700 900213;', 'Mary;+44 7700 900400;Europe/London;9', ';+447700900401;'];
	const csv = ['Name;Phone;Time zone', ...lines, ...bad].join('\r\n');
	const page = await upload('Hello {name}', csv);
	const withoutTimes = (rows: Fields[]) =>
		rows.map(({ run: _, nextAttemptAt: __, createdAt: ___, updatedAt: ____, ...row }) => row);
	expect(withoutTimes(withStatus('draft'))).toEqual(withoutTimes(draft));
	expect(page.completionTitle).toBe(`Draft ${String(withStatus('draft')[0]!.run)}`);
	const shown = String(page.completionMessage).replace(/(<[^>]*>)+/g, '|');
	expect(shown).toContain('Messages: 200. Rows of people who were listed before: 1. ');
	for (const row of [
		"|204|The number is invalid: it has no country code, and 'Default Country' is not set|",
		'|205|The row has 4 cells, and the header 3. ',
		'|206|There is no value for {name}|',
	])
		expect(shown).toContain(row);
	expect(JSON.stringify(withStatus('invalid'))).not.toMatch(/Mary|Grace|7700/);
});

test('prepares nothing of a file without the column phone, and says so on the page', async () => {
	const page = await upload('Hello {name}', 'Telefon,Name\n+447700900123,Ada');
	expect(page).toMatchObject({
		completionTitle: 'No draft',
		completionMessage: expect.stringMatching(
			/^Nothing was prepared\. The file has no column 'phone'\. Its columns are 'Telefon', 'Name'<p>/,
		) as string,
	});
	expect(tables.rows(OUTBOX)).toEqual([]);
});
