import { type Outcome, run, type RunOptions } from '../../harness/engine';
import { bodyOf, deliveryWindow, messages, sending, textsDelivered } from '../../harness/messages';
import { ITEM } from '../../harness/operations';
import { useGateway } from '../../harness/sandboxAccount';
import { ask, question } from '../ask/ask';

/** One Test Number: nothing happens to the recipient of a message, and no item says so. */

const gateway = useGateway();
const TEST = '4915199999999';
const testing = () => ({ ...gateway.account, sendTo: 'testNumber', testRecipient: `+${TEST}` });
const isTest = true;
const warnings = ({ hints }: Outcome) =>
	hints.filter(({ type }) => type === 'warning').map(({ message }) => message);
const redirected = (count: number) =>
	`Messages redirected to the test number: ${count}. Their recipients got nothing, because 'Send Messages To' of the credential is One Test Number.`;
const atTestNumber = (outcome: string) => ({
	...{ outcome: 'redirected', isTest },
	testNumber: expect.objectContaining({ recipient: TEST, outcome }) as object,
});

test('it gets every message, which says whose it is, and the items say so', async () => {
	const items = [
		{ json: { to: '+49 151 23456567', text: 'One' } },
		{ json: { to: '+1 212 555 0100', text: 'Two' } },
		{ json: { to: '120363012345678901@g.us', text: 'Three' } },
	];
	const options = { idempotencyKey: '={{ $json.text }}' };
	const outcome = await run(sending(gateway, { account: testing(), items, options }));
	expect(outcome.items.map(({ json }) => json)).toEqual(Array(3).fill(atTestNumber('sent')));
	expect(warnings(outcome)).toEqual([redirected(3)]);
	expect(gateway.state().delivered.map(({ chatId }) => chatId)).toEqual([TEST, TEST, TEST]);
	expect(textsDelivered(gateway)).toEqual([
		'To +49 151 …567:\nOne',
		'To +1 212 …100:\nTwo',
		'To 120363012345678901@g.us:\nThree',
	]);
	// Otherwise the messages to the recipients would be duplicates.
	expect(bodyOf(gateway.requests()[0]!).idempotencyKey).toBe('test-37c2e62707b6bba70410ca94-One');
});

test('an item has nothing about the recipient that is not true: deferred, duplicate, in parts', async () => {
	const one = async (options: Record<string, unknown>, text = 'Hi') => {
		const items = [{ json: { to: '4915123456789', text } }];
		const { items: sent } = await run(sending(gateway, { account: testing(), items, options }));
		return sent[0]!.json;
	};
	const options = { idempotencyKey: 'order-1' };
	expect(await one(options)).toEqual(atTestNumber('sent'));
	expect(await one(options)).toEqual(atTestNumber('duplicate'));
	const parts = await one({ splitLongText: 100 }, 'Some words. '.repeat(20));
	expect(parts).toEqual(atTestNumber('sent'));
	expect((parts.testNumber as { parts: object[] }).parts.length).toBeGreaterThan(2);
	gateway.setStatus('DISCONNECTED');
	expect(await one(deliveryWindow(60))).toEqual(atTestNumber('deferred'));
});

test('a message that the test number may have got was certainly not sent to its recipient', async () => {
	gateway.faults([{ cut: 'after' }]);
	const settings = { onError: 'continueErrorOutput' } as const;
	const outcome = await run(sending(gateway, { account: testing(), settings }));
	expect(outcome.errorItems.map(({ json }) => json)).toEqual([
		{
			...messages(1)[0]!.json,
			error: expect.stringMatching(/^Test number: (?!.*may have been sent)/) as string,
			details: { cause: 'disconnected', retry: 'safe', isTest },
		},
	]);
	expect(warnings(outcome)).toEqual([]);
});

test('the caption of a file says so', async () => {
	const fields = { operation: 'sendMedia', mediaType: 'file', caption: 'Your invoice' };
	const items = [{ json: { to: '4915123456789' }, binary: ITEM.binary }];
	const { items: sent } = await run(sending(gateway, { account: testing(), items, fields }));
	expect(sent[0]?.json).toEqual(atTestNumber('sent'));
	const caption = 'To +49 151 …789:\nYour invoice';
	expect(bodyOf(gateway.theRequest())).toMatchObject({ chatId: TEST, caption });
});

test('it gets questions, and the answers say so', async () => {
	const { outcome, post, link, timeOut } = await ask(gateway, {}, { account: testing() });
	expect(outcome.error).toBeUndefined();
	const { chatId, text } = bodyOf(gateway.theRequest());
	expect(chatId).toBe(TEST);
	expect(text).toMatch(/^To \+49 151 …789:\nMay we\?\n/);
	const asked = {
		...{ chatId: '4915123456789', outcome: 'redirected', isTest },
		testNumber: { recipient: TEST, outcome: 'sent', messageId: expect.any(String) as string },
	};
	expect(outcome.items[0]!.json).toEqual(asked);
	const { resumed } = await post(link, { approved: 'true' });
	expect(resumed!.items[0]!.json).toMatchObject({ answered: true, ...asked });
	expect((await timeOut()).items[0]!.json).toEqual({ order: 7, answered: false, isTest });
});

test('a question whose key the test number has had is never answered', async () => {
	const options = { idempotencyKey: 'order-1' };
	await ask(gateway, { options }, { account: testing() });
	const { error } = await run(question(gateway, { options }, { account: testing() }));
	expect(error?.message).toMatch(/^The gateway dropped the message/);
});

test('Check has the recipient, and whom Send would write to', async () => {
	const fields = { operation: 'check', chatId: '+49 151 23456789' };
	const sendTo = async (account: RunOptions['account']) => {
		const { items } = await run(sending(gateway, { account, fields }));
		expect(items[0]?.json).toMatchObject({ chatId: '4915123456789', allowed: true });
		return items[0]!.json.sendTo;
	};
	expect(await sendTo(testing())).toBe('testNumber');
	expect(await sendTo({ ...gateway.account, sendTo: 'nobody' })).toBe('nobody');
	expect(await sendTo(gateway.account)).toBe('anyone');
});

// The body names the test number itself, so the item is about it.
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
