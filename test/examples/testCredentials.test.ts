/** A test decides nothing: every example with a credential for tests. No answer, last item or row says that something was sent. */
import { run } from '../harness/engine';
import { EXAMPLES, example, type Fields } from '../harness/exampleCode';
import { useNewGateways } from '../harness/sandboxAccount';
import { useVirtualTime } from '../harness/virtualTime';
import { claimsIn } from './claims';
import { deferOne, journeysAt, link, OUTBOX, PHONE, TOKEN } from './journeys';
import { type ExampleResult, runExample } from './runExample';
import { Tables } from './tables';

useVirtualTime();
const gateway = useNewGateways();
const JOURNEYS = journeysAt(gateway);

const LIVE = { allowedHttpRequestDomains: 'all' };
const TESTS = {
	Nobody: { sendTo: 'nobody' },
	'One Test Number': { sendTo: 'testNumber', testRecipient: '+4915199999999' },
};
const TABLES = ['Messaging outbox', 'Messaging known people', 'Messaging opt-outs'];

/** Their tools run alone, as a model calls them. */
const WITH_MODEL = ['7a-ai-agent', '7b-mcp-server', '7c-agent-with-approval'];

/** The outbox on PostgreSQL, whose nodes test/simulation/outboxOnPostgres.ts runs. */
const isOnPostgres = (file: string) => file.startsWith('11p-');

/** Runs an example. By day, and with the same tables if they are given. */
async function play(file: string, limits: object, tables = new Tables()): Promise<ExampleResult> {
	const { trigger = 'Manual trigger', prepare, answers, ...journey } = JOURNEYS[file]!();
	if (tables.rows('Messaging outbox').length === 0) await prepare?.(tables);
	const account = { ...gateway.account, ...limits };
	const valuesOfCalled = { Settings: { windowFrom: '00:00', windowTo: '00:00' } };
	const result = await runExample({ file, trigger, account, tables, valuesOfCalled, ...journey });
	return answers && result.run.waitTill ? await result.answer(answers) : result;
}

test('every example is run', () => {
	const files = [...Object.keys(JOURNEYS), ...WITH_MODEL];
	const all = EXAMPLES.map(({ file }) => file.replace('.json', ''));
	expect(files.sort()).toEqual(all.filter((file) => !isOnPostgres(file)).sort());
});

const claimsOf = ({ answers, lastItems }: ExampleResult, tables: Tables) =>
	claimsIn([answers, lastItems, TABLES.map((name) => tables.rows(name))]);

/** An endpoint that a test does not reach, and an alert that has reached nobody. */
const STOPPED = ['8-new-endpoint', '9c-unknown-alert'];

describe.each(Object.keys(JOURNEYS))('%s', (file) => {
	// With Anyone, it says what happened. Otherwise the tests would find nothing.
	test.each(Object.entries({ ...TESTS, Anyone: LIVE }))('with %s', async (name, limits) => {
		const tables = new Tables();
		const result = await play(file, limits, tables);
		const { isHarmless = file === '14-rehearse', isNoMessage } = JOURNEYS[file]!();
		const isDone = { Nobody: false, Anyone: !isHarmless }[name] ?? isNoMessage === true;
		expect(claimsOf(result, tables).length > 0).toBe(isDone);
		const stopped = name === 'Anyone' ? [] : STOPPED;
		const isStopped = file === '14-rehearse' ? name !== 'Nobody' : stopped.includes(file);
		expect(Boolean(result.error)).toBe(isStopped);
	});
});

test('14 sends nothing, and stops with any other credential than that of a rehearsal', async () => {
	for (const limits of [TESTS.Nobody, TESTS['One Test Number'], LIVE, { sendTo: 'other' }]) {
		const { error, outputs } = await play('14-rehearse', limits);
		if (limits !== TESTS.Nobody) expect(error).toMatch(/^Nothing was sent: in Credential and Send/);
		else expect(outputs('Send').map((items) => items.length)).toEqual([2, 4]);
	}
	expect(gateway.requests()).toEqual([]);
});

test('6 says that a rehearsal has cancelled nothing', async () => {
	const { outputs } = await play('6-cancel-old-deferred-deliveries', TESTS.Nobody);
	expect(outputs('Summary')[0]).toMatchObject([
		{ cancelled: 0, notCancelled: [{ result: 'Rehearsal: not cancelled' }] },
	]);
	expect(gateway.state().deferred).toHaveLength(1);
});

// Two rehearsals with the real list had blocked it for a week.
test('4 with 15 counts what was sent, and no test', async () => {
	const LIST = '4-bulk-send-from-csv';
	const tables = new Tables();
	for (const limits of [TESTS.Nobody, TESTS['One Test Number'], TESTS.Nobody]) {
		const { outputs } = await play(LIST, limits, tables);
		expect(outputs('Sent')[0]!.map(({ result }) => result)).toEqual(['test', 'test', 'test']);
	}
	expect(tables.rows('Messaging outbox')).toEqual([]);
	const sent = async () => (await play(LIST, LIVE, tables)).outputs('Counts')[0];
	expect(await sent()).toContainEqual({ result: 'sent', reason: '', count: 3 });
	// The gateway accepts the messages, but n8n gets no response.
	gateway.faults([{ endpoint: 'sendMessage', cut: 'after' }]);
	expect(await sent()).toContainEqual(expect.objectContaining({ result: 'unknown' }));
	expect(tables.rows('Messaging outbox')).toHaveLength(6);
	const reason = 'This person had enough messages lately';
	expect(await sent()).toContainEqual({ result: 'skipped', reason, count: 3 });
});

describe('the outbox after tests', () => {
	const SEND = '11-outbox-send';
	const makeDue = (tables: Tables) =>
		tables.table('Messaging outbox').update([], { nextAttemptAt: new Date(0).toISOString() }, 0);
	const press = async (tables: Tables) => {
		const items = link();
		const { answers } = await runExample({
			...{ file: '13-campaign-opt-out', trigger: 'Button pressed', items },
			...{ account: { ...gateway.account, ...LIVE }, tables },
		});
		return JSON.stringify(answers);
	};

	test('sends each row, and stores an opt-out only of a person who has got the message', async () => {
		const tables = new Tables();
		tables.insert('Messaging keys', { name: 'opt-out links', key: 'key' });
		for (const limits of Object.values(TESTS)) {
			makeDue(tables);
			await play(SEND, limits, tables);
			const untouched = OUTBOX.map(() => ({ status: 'pending', attempts: 0 }));
			expect(tables.rows('Messaging outbox')).toMatchObject(untouched);
		}
		expect(await press(tables)).toContain('This message was only a test, so nothing was stored.');
		expect(tables.rows('Messaging opt-outs')).toEqual([]);

		makeDue(tables);
		gateway.reset();
		gateway.setStatus('ONLINE');
		await play(SEND, LIVE, tables);
		const statuses = tables.rows('Messaging outbox').map(({ status }) => status);
		expect(new Set(statuses)).toEqual(new Set(['sent']));
		expect(gateway.state().delivered).toHaveLength(OUTBOX.length);
		expect(await press(tables)).toContain('You get no more messages');
		expect(tables.rows('Messaging opt-outs')).toMatchObject([{ token: TOKEN }]);
	});
});

/** What a model passes to a tool, in place of $fromAI. */
const FROM_MODEL: Fields = { recipient: PHONE, text: 'Hello', caption: '', file: 'sun.png' };
const TOOLS = WITH_MODEL.flatMap((file) =>
	example(file)
		.nodes.filter(({ type }) => /messagingGateway(Tool|HitlTool)$/.test(type))
		.map(({ name, type, parameters }) => ({ name: `${file}: ${name}`, type, parameters })),
);

describe.each(TOOLS)('the tool $name', ({ type, parameters }) => {
	const call = async (limits: object) => {
		const text = JSON.stringify(parameters)
			.replace(/=\{\{[^}]*?\$fromAI\('(\w+)'.*?\) \}\}/g, (_, key: string) =>
				String(FROM_MODEL[key]),
			)
			.replace(/"=\{\{ \$\('Customer message'\)[^"]*phone \}\}"/, JSON.stringify(PHONE));
		const image = { mediaSource: 'base64', mediaBase64: 'iVBORw0KGgo=' };
		const asks = { operation: 'sendAndWait', message: 'May I?', chatId: PHONE };
		const isReview = type.endsWith('HitlTool');
		const { items } = await run({
			account: { ...gateway.account, ...limits },
			parameters: {
				...{ resource: 'message', operation: 'send', ...(JSON.parse(text) as object) },
				...(parameters.operation === 'sendMedia' && image),
				...(isReview && asks),
			},
			asTool: !isReview,
		});
		expect(items).toHaveLength(1);
		return claimsIn(items.map(({ json }) => json));
	};

	test.each(Object.entries({ ...TESTS, Anyone: LIVE }))('with %s', async (name, limits) => {
		if (parameters.resource === 'deferred') await deferOne(gateway);
		const isMessage = !parameters.resource && parameters.operation !== 'check';
		expect((await call(limits)).length > 0).toBe(name === 'Anyone' && isMessage);
	});
});
