import { run } from '../../harness/engine';
import { bodyOf, chat, sending } from '../../harness/messages';
import { useNewGateways } from '../../harness/sandboxAccount';

const gateway = useNewGateways();

const check = async (fields: Record<string, string>, options = {}) => {
	const items = [{ json: { row: 7 } }];
	return await run(sending(gateway, { fields: { operation: 'check', ...fields }, options, items }));
};

test('says what Send would send, without a request', async () => {
	const fields = { chatId: '+49 (151) 234-56789', text: '**Hello**' };
	const options = { textFormat: 'markdown', idempotencyKey: ' order-1 ', includeInput: true };
	const { items, error } = await check(fields, options);
	expect(error).toBeUndefined();
	const person = { chatId: '4915123456789', identity: '4915123456789', kind: 'person' };
	const message = { text: '*Hello*', length: 7, parts: 1, idempotencyKey: 'order-1' };
	expect(items.map(({ json }) => json)).toEqual([
		{ ...person, country: 'DE', ...message, allowed: true, sendTo: 'anyone', input: { row: 7 } },
	]);
	expect(gateway.requests()).toEqual([]);
});

test.each([
	['0151 23456789', '4915123456789', '4915123456789', { country: 'DE' }],
	['+52 1 55 1234 5678', '5215512345678', '525512345678', { country: 'MX' }],
	['120363012345678901@G.US', '120363012345678901@g.us', undefined, { kind: 'group' }],
	// Reserved for fiction.
	['+44 7700 900123', '447700900123', '447700900123', {}],
])('recognizes %s', async (entered, chatId, identity = chatId, more) => {
	const { items } = await check({ chatId: entered, text: 'x' }, { defaultCountry: 'DE' });
	const recipient = { chatId, identity, kind: 'person', ...more };
	const message = { text: 'x', length: 1, parts: 1, allowed: true, sendTo: 'anyone' };
	expect(items[0]?.json).toEqual({ ...recipient, ...message });
});

test('splits a long text, and shows no automatic key, which belongs to the node that sends', async () => {
	const texts = ['a'.repeat(90), 'b'.repeat(90)];
	const text = texts.join('\n\n');
	const options = { splitLongText: 100, idempotencyKey: 'automatic' };
	const { items } = await check({ chatId: '4915123456789', text }, options);
	expect(items[0]?.json).toMatchObject({ text, length: 182, parts: 2, texts });
	expect(items[0]?.json).not.toHaveProperty('idempotencyKey');
});

const CHATS = [
	...['4915123456789', '4915123456789@c.us', '1203630123456789@g.us', '0151 23456789', ' ', '12'],
	...['(212) 555-0123', '+49 (0)151 / 23456789', '004915123456789', '+4915123456789012', 'x@y', ''],
];
const TEXTS = ['# Title\n**bold** and _more_', 'word '.repeat(60), '4711.', '', ' '];
const OPTIONS: Array<Record<string, unknown>> = [
	...['markdown', 'asIs', 'html'].map((textFormat) => ({ textFormat, splitLongText: 100 })),
	...[250, 1].map((splitLongText) => ({ splitLongText })),
	...['DE', 'US', 'XX'].map((defaultCountry) => ({ defaultCountry })),
	...['{"priority":1}', '{"text":"y"}', '[', '{"idempotency_key":"k"}'].flatMap(
		(additionalFields) => [{ additionalFields }, { additionalFields, splitLongText: 100 }],
	),
	...['automatic', 'off', ''].map((idempotencyKey) => ({ idempotencyKey })),
	...['documented', 'legacy', 'other'].map((fieldNames) => ({ fieldNames })),
	...[{ maxTries: 1 }, { maxTries: 0 }, { sendWithin: 10 }, { sendWithin: -1 }],
];

test.each(OPTIONS)(
	'with %j, accepts an item exactly if Send sends it, with the same recipient and text',
	async (options) => {
		const all = CHATS.flatMap((to) => TEXTS.map((text) => ({ json: { to, text } })));
		const items = [...all, { json: { to: chat(0), text: 'x' } }];
		const job = { items, options, settings: { onError: 'continueErrorOutput' } as const };
		const checked = await run(sending(gateway, { ...job, fields: { operation: 'check' } }));
		expect(gateway.requests()).toEqual([]);
		const sent = await run(sending(gateway, job));
		expect(checked.errorItems).toEqual(sent.errorItems);
		const texts = checked.items.map(({ json }) => (json.texts ?? [json.text]) as string[]);
		expect(checked.items.map(({ json }) => json.parts)).toEqual(texts.map(({ length }) => length));
		const expected = checked.items.flatMap(({ json: { chatId } }, index) =>
			texts[index]!.map((text) => [chatId as string, text].join(': ')),
		);
		const received = gateway
			.requests()
			.map(bodyOf)
			.map((body) => [body.chatId ?? body.phone, body.text ?? body.message].join(': '));
		expect(received.toSorted()).toEqual(expected.toSorted());
	},
);
