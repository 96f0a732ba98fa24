import fc from 'fast-check';

import { depth, seedFrom } from '../../harness/depth';
import { run } from '../../harness/engine';
import { bodyOf, sending } from '../../harness/messages';
import { useNewGateways } from '../../harness/sandboxAccount';

const gateway = useNewGateways();
const seed = seedFrom('CHECK_SEED');

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

const mostly = <Value>(right: Value[], wrong: Value[]) =>
	fc.oneof(
		{ weight: 12, arbitrary: fc.constantFrom(...right) },
		{ weight: 1, arbitrary: fc.constantFrom(...wrong) },
	);
const CHATS = ['4915123456789', '+49 151 23456789', '4915123456789@c.us', '1203630123456789@g.us'];
const anyChat = fc.oneof(
	mostly(CHATS, ['0151 23456789', '(212) 555-0123', 'nobody', 'x@y', '', ' ', '12']),
	fc.stringMatching(/^\+?[0-9 ().-]{5,18}$/),
);
const anyText = fc.oneof(
	mostly(['**bold** and _more_', '# Title', 'word '.repeat(60), '4711.'], ['', ' ']),
	fc.string({ maxLength: 300 }),
);
const anyOptions = fc.record(
	{
		textFormat: mostly(['markdown', 'asIs'], ['html']),
		splitLongText: mostly([100, 250], [1]),
		defaultCountry: mostly(['DE', 'US'], ['XX']),
		additionalFields: mostly(['{"priority":1}'], ['{"text":"y"}', '[', '{"idempotency_key":"k"}']),
		idempotencyKey: mostly(['automatic', 'off'], ['']),
		fieldNames: mostly(['documented', 'legacy'], ['other']),
		maxTries: mostly([1, 3], [0]),
		sendWithin: mostly([10], [-1]),
	},
	{ requiredKeys: [] },
);

test('accepts an item exactly if Send sends it, with the same recipient and text', async () => {
	let accepted = 0;
	await fc.assert(
		fc.asyncProperty(anyChat, anyText, anyOptions, async (chatId, text, options) => {
			const items = [{ json: { to: chatId, text } }];
			const before = gateway.requests().length;
			const fields = { operation: 'check' };
			const checked = await run(sending(gateway, { items, options, fields }));
			expect(gateway.requests()).toHaveLength(before);
			const sent = await run(sending(gateway, { items, options }));
			expect(checked.error?.message).toBe(sent.error?.message);
			if (sent.error) return;
			accepted += 1;
			const bodies = gateway.requests().slice(before).map(bodyOf);
			const { json } = checked.items[0]!;
			const texts = bodies.map((body) => body.text ?? body.message);
			expect(json.texts ?? [json.text]).toEqual(texts);
			expect(json.parts).toBe(bodies.length);
			const recipients = bodies.map((body) => body.chatId ?? body.phone);
			expect(new Set(recipients)).toEqual(new Set([json.chatId]));
		}),
		{ seed, numRuns: depth(90, 400) },
	);
	expect(accepted).toBeGreaterThan(20);
}, 600_000);
