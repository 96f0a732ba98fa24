import fc from 'fast-check';

import { checkRequest } from '../../../gateway/wire/guard';
import { anyText } from '../../harness/anyText';
import { depth, seedFrom } from '../../harness/depth';
import { refused } from '../../harness/refused';

/** sha256sum of 4915123456780, 525512345678 and 120363012345678901@g.us */
const PREFIXES = new Map([
	['4915123456780', 'to-276d89f6779db3163faaaa2d-'],
	['525512345678', 'to-8f9d0944329b5338c6fb86f2-'],
	['120363012345678901@g.us', 'to-a491c3a8b2f8bc582ac5bb42-'],
]);
const recipients = [...PREFIXES.keys()];
const [PERSON, MEXICAN] = recipients as [string, string];

type Limits = Record<string, unknown>;
const everyone = { sendTo: 'allowed', allowedRecipients: recipients.join('\n') };
const testNumber = { sendTo: 'testNumber', testRecipient: PERSON };

function check(limits: Limits, chatId: string, keys: object) {
	const body = Buffer.from(JSON.stringify({ chatId, type: 'text', text: 'Hello', ...keys }));
	checkRequest(limits, 'POST', '/api/whatsapp/token/sendMessage', body);
}

function isSent(...args: Parameters<typeof check>): boolean {
	try {
		check(...args);
		return true;
	} catch {
		return false;
	}
}

const NAMES = ['idempotencyKey', 'idempotency_key'];

test.each(NAMES)('with limits, a key (%s) begins with a prefix, which the error says', (name) => {
	for (const [id, prefix] of PREFIXES) {
		check(everyone, id, { [name]: `${prefix}order-1` });
		check(everyone, id, { [name]: null });
		for (const key of ['order-1', '', 5, true, `${prefix.slice(0, -1)}order-1`]) {
			const error = refused(() => check(everyone, id, { [name]: key }));
			expect(error.message).toBe(
				`The credential does not allow this request: its idempotency key must begin with '${prefix}', which stands for the recipient`,
			);
			expect(error.description).toContain('Write this before your key');
			expect(error.causeName).toBe('request_not_allowed');
		}
	}
	check({}, PERSON, { [name]: 'order-1' });
	check({ sendTo: 'anyone' }, PERSON, { [name]: 5 });
});

test('all spellings of a recipient have one prefix', () => {
	const idempotencyKey = `${PREFIXES.get(MEXICAN)}order-1`;
	for (const id of ['525512345678', '5215512345678', '525512345678@c.us', '+52 1 55 1234 5678'])
		check(everyone, id, { idempotencyKey });
});

test('the test number has another prefix for tests than for real messages', () => {
	const keys = ['to-', 'test-'].map((kind) => ({
		idempotencyKey: `${kind}276d89f6779db3163faaaa2d-order-1`,
	}));
	expect(keys.map((key) => isSent(everyone, PERSON, key))).toEqual([true, false]);
	expect(keys.map((key) => isSent(testNumber, PERSON, key))).toEqual([false, true]);
	expect(isSent(testNumber, PERSON, { idempotencyKey: 'test-order-1' })).toBe(false);
});

/** As lax gateways may compare keys. */
const folded = (key: unknown) =>
	String(key)
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[\p{C}\p{Z}]/gu, '');

const change = (write: (text: string) => string) => write;
const changes = fc.constantFrom(
	...Array.from({ length: 5 }, () => change((text) => text)),
	change((text) => text.toUpperCase()),
	change((text) => ` ${text}`),
	change((text) => `\ufeff${text}`),
	change((text) => text.replace('-', '\u2010')),
	change((text) => text.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))),
	change((text) => text.slice(0, -1)),
	change((text) => text.slice(1)),
);
const prefix = fc.constantFrom(...PREFIXES.values(), 'to-', 'TO-', 'test-', '');
const text = fc
	.tuple(prefix, changes, prefix, anyText({ maxLength: 5 }))
	.map(([first, write, second, rest]) => write(first) + second + rest);
const key = fc.oneof(
	{ weight: 9, arbitrary: text },
	...[fc.integer(), text.map((one) => [one]), text.map((one) => ({ one }))],
);
const keys = fc.oneof(
	fc.tuple(fc.constantFrom(...NAMES), key).map(([name, value]) => ({ [name]: value })),
	fc.tuple(key, key).map((both) => Object.fromEntries(NAMES.map((name, at) => [name, both[at]]))),
);

test('no key that is sent to one recipient can be that of another, however a gateway compares keys', () => {
	let sent = 0;
	const property = fc.property(keys, (given) => {
		const [to, ...others] = recipients.filter((id) => isSent(everyone, id, given));
		if (to === undefined) return true;
		sent += 1;
		const foreign = [...PREFIXES].filter(([id]) => id !== to).map(([, each]) => folded(each));
		const isForeign = (value: unknown) => foreign.some((each) => folded(value).startsWith(each));
		return others.length === 0 && !Object.values(given).some(isForeign);
	});
	fc.assert(property, { numRuns: depth(2_000, 200_000), seed: seedFrom('KEY_SEED') });
	expect(sent).toBeGreaterThan(100);
});
