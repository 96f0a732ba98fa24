import { type Outcome, run, type RunOptions } from '../../harness/engine';
import { bodyOf, messages, sending, textsDelivered, timed } from '../../harness/messages';
import { OPERATIONS, prepare, quickParameters } from '../../harness/operations';
import { useGateway } from '../../harness/sandboxAccount';
import { runAndWait } from '../../harness/waiting';
import { ask, question } from '../waiting/ask';

const gateway = useGateway();
const file = { data: 'QUJD', mimeType: 'text/plain', fileName: 'a.txt' };
const errorOutput = { onError: 'continueErrorOutput' } as const;
const rehearsal = () => ({ ...gateway.account, sendTo: 'nobody' });
const TEST = '4915199999999';
const testing = () => ({ ...gateway.account, sendTo: 'testNumber', testRecipient: `+${TEST}` });

/** Lookups change nothing. */
const changes = () =>
	gateway
		.requests()
		.filter(({ method, url }) => method !== 'GET' && !/\/(invite|channel)-info$/.test(url));
const warnings = ({ hints }: Outcome) =>
	hints.filter(({ type }) => type === 'warning').map(({ message }) => message);
const REHEARSAL = "Rehearsal: nothing was sent, because 'Send Messages To' of the credential is";

describe('in a rehearsal', () => {
	test.each(OPERATIONS)('$title changes nothing, and ends as it would', async (operation) => {
		const outcomeWith = async (account: RunOptions['account']) => {
			gateway.reset();
			const own = await prepare(operation, gateway.account, gateway);
			gateway.clearRequests();
			const parameters = { ...quickParameters(operation), ...own } as RunOptions['parameters'];
			const items = [{ json: {}, binary: { data: file } }];
			return await run({ account, parameters, items, settings: errorOutput });
		};
		const live = await outcomeWith(gateway.account);
		const rehearsed = await outcomeWith(rehearsal());
		expect(changes()).toEqual([]);
		expect(rehearsed.error).toBeUndefined();
		expect(rehearsed.errorItems).toEqual([]);
		expect(rehearsed.items).toHaveLength(live.items.length);
		const isChange = /^(POST \/(send|start|refresh|terminate)|DELETE)/.test(operation.request);
		for (const { json } of rehearsed.items) {
			expect(json.outcome).toBe(isChange ? 'rehearsed' : undefined);
		}
		expect(warnings(rehearsed)).toHaveLength(isChange ? 1 : 0);
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
			const shown = { chatId: '4915123456789', text: '*Hi*', outcome: 'rehearsed' };
			expect(outcome.items.map((item) => item.json)).toEqual([shown, shown]);
			expect(warnings(outcome)).toEqual([`${REHEARSAL} Nobody (Rehearsal).`]);
		}
	});

	test('the run takes no time, and the hint has it', async () => {
		const options = { messagesPerMinute: 20 };
		const account = rehearsal();
		const { value, ms } = await timed(
			run(sending(gateway, { account, items: messages(60), options })),
		);
		expect(value.items).toHaveLength(60);
		expect(ms).toBeLessThan(25_000);
		expect(warnings(value)).toEqual([
			`${REHEARSAL} Nobody (Rehearsal). With its rates, delays and waits at rate limits, the run would take about 3 minutes.`,
		]);
	});

	test('what would be late with Send Within fails', async () => {
		const outcome = await run(
			sending(gateway, {
				account: rehearsal(),
				items: messages(60),
				options: { messagesPerMinute: 20, sendWithin: 90 },
				settings: errorOutput,
			}),
		);
		const { items, errorItems } = outcome;
		// How long the rehearsal takes counts.
		expect(items.length).toBeGreaterThan(15);
		expect(errorItems.length).toBeGreaterThan(15);
		for (const { json } of errorItems) expect(json.details).toMatchObject({ cause: 'late' });
		expect(items.length + errorItems.length).toBe(60);
		// None is tried again.
		expect(warnings(outcome)[0]).toMatch(/about 3 minutes\.$/);
	});

	test.each<[string, object]>([
		['447700900001', { details: { cause: 'offline', retry: 'later' } }],
		['+44 7700 900002', { details: { cause: 'rate_limit_exceeded', retry: 'safe' } }],
		['447700900003', { details: { cause: 'timeout', retry: 'check' } }],
		['447700900004@c.us', { outcome: 'deferred', chatId: '447700900004@c.us', text: 'x' }],
	])('a message to %s: %j', async (to, expected) => {
		const items = [...messages(2), { json: { to, text: 'x' } }, ...messages(2)];
		const settings = { onError: 'continueRegularOutput' } as const;
		const { value, ms } = await timed(
			run(sending(gateway, { account: rehearsal(), items, settings })),
		);
		const others = { outcome: 'rehearsed' };
		expect(value.items.map(({ json }) => json)).toMatchObject([
			...[others, others, expected, others, others],
		]);
		// The number with the rate limit takes as long as Max Wait.
		const takesLong = warnings(value)[0]!.endsWith('the run would take about a minute.');
		expect(takesLong).toBe(to.endsWith('2'));
		expect(ms).toBeLessThan(25_000);
		expect(changes()).toEqual([]);
	});

	test('Send and Wait waits, and the tester gets the link', async () => {
		const waiting = await runAndWait(question(gateway, {}, { account: rehearsal() }));
		const { outcome } = waiting;
		expect(outcome.run.waitTill).toBeDefined();
		expect(outcome.items.map(({ json }) => json)).toEqual([
			{ chatId: '4915123456789', messageId: undefined, outcome: 'rehearsed' },
		]);
		const hint = warnings(outcome).find((text) => text.includes('To answer'));
		const link = /https:\S+$/.exec(hint!)![0];
		const { resumed } = await waiting.post(link, { approved: 'true' });
		expect(resumed!.items[0]!.json).toMatchObject({ answered: true, outcome: 'rehearsed' });
		expect(gateway.requests()).toEqual([]);
	});
});

describe('with a test number', () => {
	test('it gets every message, which says whose it is', async () => {
		const items = [
			{ json: { to: '+49 151 23456567', text: 'One' } },
			{ json: { to: '+1 212 555 0100', text: 'Two' } },
			{ json: { to: '120363012345678901@g.us', text: 'Three' } },
		];
		const options = { idempotencyKey: '={{ $json.text }}' };
		const { items: sent } = await run(sending(gateway, { account: testing(), items, options }));
		expect(sent.map(({ json }) => json.outcome)).toEqual(['sent', 'sent', 'sent']);
		expect(gateway.state().delivered.map(({ chatId }) => chatId)).toEqual([TEST, TEST, TEST]);
		expect(textsDelivered(gateway)).toEqual([
			'To +49 151 …567:\nOne',
			'To +1 212 …100:\nTwo',
			'To 120363012345678901@g.us:\nThree',
		]);
	});

	test('the caption of a file says so', async () => {
		const fields = { operation: 'sendMedia', mediaType: 'file', caption: 'Your invoice' };
		const items = [{ json: { to: '4915123456789' }, binary: { data: file } }];
		const { error } = await run(sending(gateway, { account: testing(), items, fields }));
		expect(error).toBeUndefined();
		const caption = 'To +49 151 …789:\nYour invoice';
		expect(bodyOf(gateway.theRequest())).toMatchObject({ chatId: TEST, caption });
	});

	test('it gets questions', async () => {
		const { outcome } = await ask(gateway, {}, { account: testing() });
		expect(outcome.error).toBeUndefined();
		const { chatId, text } = bodyOf(gateway.theRequest());
		expect(chatId).toBe(TEST);
		expect(text).toMatch(/^To \+49 151 …789:\nMay we\?\n/);
	});

	test('Check still has the recipient', async () => {
		const fields = { operation: 'check', chatId: '+49 151 23456789' };
		const { items } = await run(sending(gateway, { account: testing(), fields }));
		expect(items[0]?.json).toMatchObject({ chatId: '4915123456789', allowed: true });
	});

	test.each([
		[TEST, 'sent'],
		['4915123456789', undefined],
	])('Send Custom JSON to %s: %s', async (chatId, outcome) => {
		const body = JSON.stringify({ chatId, type: 'text', text: 'x' });
		const fields = { operation: 'sendJson', body };
		const { items } = await run(sending(gateway, { account: testing(), fields }));
		expect(items[0]?.json.outcome).toBe(outcome);
		expect(gateway.requests()).toHaveLength(outcome ? 1 : 0);
	});
});
