import fc from 'fast-check';

import { storedDelivery } from '../../../nodes/MessagingGateway/trigger/deliveries.event';
import { anyText } from '../../harness/anyText';

/** The size in n8n's database: JSON text within JSON text. */
const stored = (value: unknown) => Buffer.byteLength(JSON.stringify(JSON.stringify(value))) - 2;

const short = (fields: Record<string, unknown>, key = 'k') =>
	storedDelivery({ deliveryKey: key, fields });

test('keeps the short plain fields of a delivery that is too long', () => {
	const { fields } = short({
		chatId: '4915123456789',
		text: 'One word and the next '.repeat(100),
		media: { mimetype: 'image/png' },
		['n'.repeat(151)]: 1,
		attempts: 3,
		isGroup: false,
	});
	expect(fields).toEqual({ chatId: '4915123456789', attempts: 3, isGroup: false });
});

test('keeps the first of many fields', () => {
	const fields = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`field${at}`, at]));
	const kept = Object.keys(short(fields).fields);
	expect(kept).toEqual(Object.keys(fields).slice(0, kept.length));
	expect(stored(short(fields))).toBeGreaterThan(480);
});

test('keeps a key as long as those of messages to groups, next to a long text', () => {
	const key = 'true_120363041234567890@g.us_3EB0C767D26B8D2F1C24A1B2_4915123456789@c.us';
	const fields = { text: 'One word and the next '.repeat(100), chatId: '120363041234567890@g.us' };
	expect(short(fields, key)).toEqual({
		deliveryKey: key,
		fields: { chatId: '120363041234567890@g.us' },
	});
});

test('cuts a long key', () => {
	const key = `${'k'.repeat(63)}\u{1f600}${'k'.repeat(5_000)}`;
	expect(short({ deliveryKey: key }, key)).toEqual({
		deliveryKey: `${'k'.repeat(63)}\ufffd`,
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
			expect(stored(short(delivery, key))).toBeLessThanOrEqual(500);
		}),
		{ numRuns: 500 },
	);
});
