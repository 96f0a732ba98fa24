import { type Outcome, run, type RunOptions } from '../../harness/engine';
import { jsonBody, messages, pace, sending, timed } from '../../harness/messages';
import { ITEM, OPERATIONS, prepare, quickParameters } from '../../harness/operations';
import { useGateway } from '../../harness/sandboxAccount';
import { runAndWait } from '../../harness/waiting';
import { question } from '../ask/ask';

const gateway = useGateway();
const errorOutput = { onError: 'continueErrorOutput' } as const;
const rehearsal = () => ({ ...gateway.account, sendTo: 'nobody' });

/** Lookups change nothing. */
const changes = () =>
	gateway
		.requests()
		.filter(({ method, url }) => method !== 'GET' && !/\/(invite|channel)-info$/.test(url));
const warnings = ({ hints }: Outcome) =>
	hints.filter(({ type }) => type === 'warning').map(({ message }) => message);
const REHEARSAL =
	"Rehearsal: nothing was sent, because 'Send Messages To' of the credential is Nobody (Rehearsal).";
const simulatedItems = (count: number) => `${REHEARSAL} Simulated results: ${count}.`;
/** What the gateway or the node says of something that has happened. */
const CLAIMS: unknown[] = ['sent', 'deferred', 'duplicate', true];

describe('in a rehearsal', () => {
	test.each(OPERATIONS)('$title changes nothing, and ends as it would', async (operation) => {
		const outcomeWith = async (account: RunOptions['account']) => {
			gateway.reset();
			const own = await prepare(operation, gateway.account, gateway);
			gateway.clearRequests();
			const parameters = { ...quickParameters(operation), ...own } as RunOptions['parameters'];
			const items = [ITEM, ITEM];
			const outcome = await run({ account, parameters, items, settings: errorOutput });
			return { ...outcome, sentRequests: gateway.requests().map(({ method }) => method) };
		};
		const live = await outcomeWith(gateway.account);
		const rehearsed = await outcomeWith(rehearsal());
		expect(changes()).toEqual([]);
		expect(rehearsed.error).toBeUndefined();
		expect(rehearsed.errorItems).toEqual([]);
		// The second of two items cannot be deleted a second time.
		expect(rehearsed.items).toHaveLength(live.items.length + live.errorItems.length);
		// What caused a request has happened. Everything else is marked, and claims nothing.
		const isSimulated = live.sentRequests.length > 0 && rehearsed.sentRequests.length === 0;
		for (const { json } of rehearsed.items) {
			const { outcome, isTest, ...others } = json;
			expect({ outcome, isTest }).toEqual(
				isSimulated ? { outcome: 'rehearsed', isTest: true } : {},
			);
			if (isSimulated)
				expect(Object.values(others).filter((value) => CLAIMS.includes(value))).toEqual([]);
		}
		expect(warnings(rehearsed)).toEqual(isSimulated ? [simulatedItems(2)] : []);
	});

	test('Pair says what it found, and starts no session', async () => {
		gateway.setStatus('DISCONNECTED');
		const parameters = { resource: 'session', operation: 'pair', timeout: 5 };
		const outcome = await run({ account: rehearsal(), parameters });
		const found = { online: false, qr: null, status: 'DISCONNECTED', outcome: 'rehearsed' };
		expect(outcome.items[0]?.json).toMatchObject(found);
		expect(warnings(outcome)[0]).toMatch(REHEARSAL);
		expect(changes()).toEqual([]);
	});

	test('an item has the recipient and the text as they would be sent, and several have one hint', async () => {
		const json = { to: '+49 (151) 234-56789', text: '**Hi**' };
		for (const fieldNames of ['documented', 'legacy']) {
			const options = { textFormat: 'markdown', fieldNames };
			const job = { account: rehearsal(), items: [{ json }, { json }], options };
			const outcome = await run(sending(gateway, job));
			const shown = { chatId: '4915123456789', text: '*Hi*', outcome: 'rehearsed', isTest: true };
			expect(outcome.items.map((item) => item.json)).toEqual([shown, shown]);
			expect(warnings(outcome)).toEqual([simulatedItems(2)]);
		}
	});

	test('the run takes no time, the hint has it, and what would be late with Send Within fails', async () => {
		const job = { account: rehearsal(), items: messages(60), settings: errorOutput };
		const rehearsed = async (options: object) =>
			await timed(run(sending(gateway, { ...job, options: { ...pace(20), ...options } })));
		const { value, ms } = await rehearsed({});
		expect(value.items).toHaveLength(60);
		expect(ms).toBeLessThan(25_000);
		const hint = `${simulatedItems(60)} With its rates, delays and waits at rate limits, the run would take about 3 minutes.`;
		expect(warnings(value)).toEqual([hint]);
		const { items, errorItems } = (await rehearsed({ sendWithin: 90 })).value;
		// How long the rehearsal takes counts.
		expect(items.length).toBeGreaterThan(15);
		expect(errorItems.length).toBeGreaterThan(15);
		for (const { json } of errorItems) expect(json.details).toMatchObject({ cause: 'late' });
		expect(items.length + errorItems.length).toBe(60);
	});

	const isTest = true;
	test.each<[string, object]>([
		['447700900001', { details: { cause: 'offline', retry: 'later', isTest } }],
		['+44 7700 900002', { details: { cause: 'rate_limit_exceeded', retry: 'safe', isTest } }],
		['447700900003', { details: { cause: 'timeout', retry: 'check', isTest } }],
		['447700900004@c.us', { outcome: 'deferred', chatId: '447700900004@c.us', text: 'x', isTest }],
	])('a message to %s: %j', async (to, expected) => {
		const items = [...messages(2), { json: { to, text: 'x' } }, ...messages(2)];
		const settings = { onError: 'continueRegularOutput' } as const;
		const { value, ms } = await timed(
			run(sending(gateway, { account: rehearsal(), items, settings })),
		);
		const others = { outcome: 'rehearsed', isTest };
		expect(value.items.map(({ json }) => json)).toMatchObject([
			...[others, others, expected, others, others],
		]);
		const { error } = value.items[2]!.json as { error?: string };
		if (error !== undefined) expect(error).toMatch(/^Rehearsal: /);
		// The number with the rate limit takes as long as Max Wait.
		const takesLong = warnings(value)[0]!.endsWith('the run would take about a minute.');
		expect(takesLong).toBe(to.endsWith('2'));
		expect(ms).toBeLessThan(25_000);
		expect(changes()).toEqual([]);
	});

	test('a run that stops says that nothing was sent', async () => {
		const items = [...messages(2), { json: { to: '447700900001', text: 'x' } }, ...messages(1)];
		const options = { concurrency: 1 };
		const { error } = await run(sending(gateway, { account: rehearsal(), items, options }));
		expect(error?.message).toMatch(/^Rehearsal: .*; 2 of 4 tested, 1 not attempted \[item 2\]$/);
		expect(error?.description).toContain('Tested: items 0 to 1.');
		expect(error?.context).toMatchObject({ details: { cause: 'offline', isTest } });
	});

	test('an item that cannot be sent with any credential is no test', async () => {
		const items = [{ json: { to: 'Bob', text: 'x' } }];
		const { errorItems } = await run(
			sending(gateway, { account: rehearsal(), items, settings: errorOutput }),
		);
		expect(errorItems[0]!.json).toEqual({
			...items[0]!.json,
			error: expect.stringMatching(/^'Chat ID' cannot be 'Bob'/) as string,
			details: { cause: 'invalid_input', retry: 'never' },
		});
	});

	test('a gateway cannot mark a real result', async () => {
		gateway.answerWith(jsonBody({ success: true, isTest: true }));
		const { items } = await run(sending(gateway));
		expect(items[0]!.json).toEqual({
			...{ success: true, gatewayIsTest: true, outcome: 'sent' },
		});
	});

	test('Send and Wait waits, and the tester gets the link', async () => {
		const waiting = await runAndWait(question(gateway, {}, { account: rehearsal() }));
		const { outcome } = waiting;
		expect(outcome.run.waitTill).toBeDefined();
		expect(outcome.items.map(({ json }) => json)).toEqual([
			{ chatId: '4915123456789', outcome: 'rehearsed', isTest },
		]);
		const hint = warnings(outcome).find((text) => text.includes('To answer'));
		const link = /https:\S+$/.exec(hint!)![0];
		const deferred = question(gateway, { chatId: '447700900004' }, { account: rehearsal() });
		const { outcome: later } = await runAndWait(deferred);
		expect(later.items[0]!.json).toMatchObject({ outcome: 'deferred', isTest });
		expect(warnings(later).join()).toContain('To answer in this rehearsal');
		const { resumed } = await waiting.post(link, { approved: 'true' });
		expect(resumed!.items[0]!.json).toMatchObject({ answered: true, outcome: 'rehearsed', isTest });
		const { items } = await (
			await runAndWait(question(gateway, {}, { account: rehearsal() }))
		).timeOut();
		expect(items[0]!.json).toEqual({ order: 7, answered: false, isTest });
		expect(gateway.requests()).toEqual([]);
	});
});
