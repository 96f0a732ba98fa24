import fc from 'fast-check';

import { inShort } from '../../../nodes/MessagingGateway/trigger/inShort';

/** As n8n's database has it: JSON text within JSON text. */
const stored = (value: unknown) => Buffer.byteLength(JSON.stringify(JSON.stringify(value))) - 2;

const short = (delivery: Record<string, unknown>, key = 'k') => inShort({ key, delivery });

test('what is short stays as it is, nested things included', () => {
	const delivery = { text: 'Hello', to: { chatId: '49151' }, tags: ['a'], attempts: 2, sent: null };
	expect(short(delivery).delivery).toEqual(delivery);
});

test('files and nested things go first, then the ends of long texts', () => {
	const base64 = Buffer.alloc(3_000, 7).toString('base64');
	const { delivery } = short({
		chatId: '4915123456789',
		text: 'One word and the next '.repeat(100),
		media: { base64, mimetype: 'image/png' },
		file: base64,
		preview: `data:image/png;base64,${base64}`,
		lines: base64.replace(/(.{76})/g, '$1\r\n'),
		attempts: 3,
		isGroup: false,
	});
	expect(Object.keys(delivery)).toEqual(['chatId', 'text', 'attempts', 'isGroup']);
	expect(delivery).toMatchObject({ chatId: '4915123456789', attempts: 3, isGroup: false });
	const { text } = delivery as { text: string };
	expect(text).toMatch(/^One word and the next .*…$/);
	expect(text).toHaveLength(201);
});

test('the more there is, the shorter it gets', () => {
	const { delivery } = short({ a: 'a '.repeat(500), b: 'b '.repeat(500), c: 'c '.repeat(500) });
	expect(Object.values(delivery).map((text) => (text as string).length)).toEqual([101, 101, 101]);
});

test('a text is not cut through the middle of a character', () => {
	for (const shift of ['', 'x']) {
		const { text } = short({ text: `${shift}${'😀'.repeat(400)}` }).delivery as { text: string };
		expect(text.isWellFormed()).toBe(true);
		expect(text).toMatch(/^x?(😀)+…$/u);
	}
});

test('of too many fields there are as many as fit', () => {
	const many = Object.fromEntries(
		Array.from({ length: 200 }, (_, index) => [`field${index}`, index]),
	);
	const { delivery } = short(many);
	expect(delivery).toMatchObject({ field0: 0, field1: 1 });
	expect(stored({ key: 'k', delivery })).toBeLessThanOrEqual(500);
	expect(Object.keys(delivery).length).toBeGreaterThan(15);
});

test('a key is whole, unless it is longer than keys are', () => {
	const long = 'k'.repeat(150);
	expect(short({ text: 'x '.repeat(500) }, long).key).toBe(long);
	expect(short({ deliveryKey: 'k'.repeat(5_000) }, 'k'.repeat(5_000))).toEqual({
		key: `${'k'.repeat(100)}…`,
		delivery: {},
	});
});

test('whatever comes, it takes 500 bytes at the most, and is JSON', () => {
	const anyDelivery = fc.dictionary(
		fc.string({ unit: 'binary', maxLength: 30 }),
		fc.oneof(
			fc.string({ unit: 'binary', maxLength: 600 }),
			fc.constant('"\\\n'.repeat(300)),
			fc.constant('\u0000'.repeat(300)),
			fc.jsonValue({ maxDepth: 2 }),
		),
		{ maxKeys: 30 },
	);
	fc.assert(
		fc.property(anyDelivery, fc.string({ unit: 'binary', maxLength: 600 }), (delivery, key) => {
			const result = short(delivery, key);
			expect(stored(result)).toBeLessThanOrEqual(500);
			expect(JSON.parse(JSON.stringify(result))).toBeDefined();
		}),
		{ numRuns: 500 },
	);
});
