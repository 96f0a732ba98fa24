import fc from 'fast-check';

import { storedDelivery } from '../../../nodes/MessagingGateway/trigger/deliveries.event';
import { anyText } from '../../harness/anyText';

/** The size in n8n's database: JSON text within JSON text. */
const stored = (value: unknown) => Buffer.byteLength(JSON.stringify(JSON.stringify(value))) - 2;

const short = (fields: Record<string, unknown>, key = 'k') =>
	storedDelivery({ deliveryKey: key, fields });

test('removes files and nested values first, then the ends of long texts', () => {
	const base64 = Buffer.alloc(3_000, 7).toString('base64');
	const { fields } = short({
		chatId: '4915123456789',
		text: 'One word and the next '.repeat(100),
		media: { base64, mimetype: 'image/png' },
		file: base64,
		preview: `data:image/png;base64,${base64}`,
		lines: base64.replace(/(.{76})/g, '$1\r\n'),
		attempts: 3,
		isGroup: false,
	});
	expect(Object.keys(fields)).toEqual(['chatId', 'text', 'attempts', 'isGroup']);
	const { text } = fields as { text: string };
	expect(text).toMatch(/^One word and the next .*…$/);
	expect(text).toHaveLength(201);
});

test('keeps a key complete unless it is too long', () => {
	const long = 'k'.repeat(150);
	expect(short({ text: 'x '.repeat(500) }, long).deliveryKey).toBe(long);
	expect(short({ deliveryKey: 'k'.repeat(5_000) }, 'k'.repeat(5_000))).toEqual({
		deliveryKey: `${'k'.repeat(100)}…`,
		fields: {},
	});
});

test('is JSON of at most 500 bytes, for any delivery', () => {
	const anyDelivery = fc.dictionary(
		anyText({ maxLength: 30 }),
		fc.oneof(
			anyText({ maxLength: 600 }),
			fc.constant('"\\\n'.repeat(300)),
			fc.constant('\u0000'.repeat(300)),
			fc.jsonValue({ maxDepth: 2 }),
		),
		{ maxKeys: 30 },
	);
	fc.assert(
		fc.property(anyDelivery, anyText({ maxLength: 600 }), (delivery, key) => {
			const result = short(delivery, key);
			expect(stored(result)).toBeLessThanOrEqual(500);
			const texts = Object.values(result.fields).filter((value) => typeof value === 'string');
			const isCut = (text: string) => text.endsWith('…') && text.length > 1;
			expect(texts.filter(isCut).every((text) => text.at(-2)!.isWellFormed())).toBe(true);
		}),
		{ numRuns: 500 },
	);
});
