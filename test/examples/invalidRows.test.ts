/** Example 13 keeps the rows of the list that cannot be sent, with their reasons: prepared and started in n8n's own engine. */
import type { Fields } from '../harness/exampleCode';
import { useNewGateways } from '../harness/sandboxAccount';
import { runExample } from './runExample';
import { Tables } from './tables';

const gateway = useNewGateways();
const OUTBOX = 'Messaging outbox';
const ABOUT = { sender: 'Example Ltd', contact: 'hello@example.com' };

let tables: Tables;
beforeEach(() => {
	tables = new Tables();
});

async function prepare(text: string): Promise<Fields> {
	const { outputs, error } = await runExample({
		...{ file: '13-campaign-prepare', trigger: 'Manual trigger', account: gateway.account, tables },
		values: { Settings: { text, ...ABOUT } },
	});
	expect(error).toBeUndefined();
	return outputs('Draft report')[0]![0]!;
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
		...{ campaign: 'Spring offer', reason: 'The number is invalid', recipient: 'Row 202' },
		run: withStatus('draft')[0]!.run,
	});
	// Nothing of the person.
	expect(JSON.stringify(invalid)).not.toMatch(/Valentina|no number yet/);
	const shown = '|Invalid|1 × Row 202|The number is invalid|';
	const page = await manage('Show the report');
	expect(page).toContain('|200 messages. ');
	expect(page).toContain('|Invalid|1|Left out. Correct the list');
	expect(page).toContain(shown);
	expect(page).toContain('|200 ×|Hello {name}\n');
	expect(page.match(/ ×\|/g)).toHaveLength(1);

	expect(await manage('Start')).toContain(shown);
	expect(withStatus('pending')).toHaveLength(200);
	expect(withStatus('invalid')).toEqual([invalid]);
	await manage('Stop');
	expect([withStatus('stopped').length, withStatus('invalid')]).toEqual([200, [invalid]]);
});

test('shows a draft without a valid row, which a corrected one replaces', async () => {
	const draft = await prepare('Hello {name} from {city}');
	expect(draft).toMatchObject({ status: 'not stored', messages: 0, invalid: 202 });
	expect(tables.rows(OUTBOX)).toHaveLength(202);
	for (const action of ['Show the report', 'Start']) {
		const page = await manage(action);
		expect(page).toContain('|0 messages. ');
		expect(page).toContain('No row of the list is valid. Run “13. Campaign: prepare” again');
		expect(page).toContain(
			'|202 × Row 1, Row 2, Row 3, Row 4, Row 5, and 197 more|There is no value for {city}|',
		);
	}
	expect(withStatus('invalid')).toHaveLength(202);

	expect(await prepare('Hello {name}')).toMatchObject({ messages: 200, invalid: 1 });
	expect([withStatus('draft').length, withStatus('invalid').length]).toEqual([200, 1]);
	expect(await manage('Show the report')).not.toContain('{city}');
});
