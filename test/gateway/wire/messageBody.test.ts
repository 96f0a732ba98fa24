import fc from 'fast-check';

import {
	type FieldNames,
	chatAndKeyOf,
	customJson,
	MediaFile,
	messageBody,
	type MessageFields,
} from '../../../gateway/wire/messageBody';
import { anyCharacter, anyText } from '../../harness/anyText';
import { refused } from '../../harness/refused';

const CHAT_ID = '4915123456789';

/** As lookups and messages build it. */
const customBody = (json: unknown) => Buffer.from(customJson(json).text);
const textBody = (message: Omit<MessageFields, 'type'>, form?: FieldNames) =>
	messageBody({ ...message, type: 'text' }, form);

/** Fails on invalid UTF-8 and keeps a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const read = (bytes: Uint8Array) => JSON.parse(utf8.decode(bytes)) as Record<string, unknown>;

/** Text with lone surrogates, which JavaScript allows and UTF-8 cannot represent. */
const brokenText = () =>
	fc
		.array(fc.constantFrom('\ud83d', '\udc4b', '\ud83d\udc4b', '"', '\\', '\u2028', '\0', 'a', 'é'))
		.map((parts) => parts.join(''));
const circular: unknown[] = [];
circular.push(circular);

const texts = () => fc.oneof(anyText(), brokenText());

/**
 * Names that JSON writes without a backslash. JSON.parse in Node 24.21 confuses escaped names: after
 * {"\\":1}, it reads {"\udc4b":2} with the name of the first, and these tests parse with it.
 */
const isPlainName = (name: string) => !JSON.stringify(name).includes('\\');
const hasPlainNames = (value: unknown): boolean =>
	typeof value !== 'object' ||
	value === null ||
	Object.entries(value).every(([name, member]) => isPlainName(name) && hasPlainNames(member));
const names = () => texts().filter((name) => isPlainName(name) && name !== '__proto__');

/** Not set by the node. */
const isFree = (name: string) => !/^(chatId|phone|type|text|message|media|caption)$/.test(name);

/** Converted to text and back, because JSON has no -0. */
const json = () =>
	fc
		.jsonValue({ stringUnit: anyCharacter })
		.filter(hasPlainNames)
		.map((value) => JSON.parse(JSON.stringify(value)) as unknown);

const file = new MediaFile(Buffer.from('Hi!'), 'image/png', 'cat.png');
const BASE64 = '"media":{"mimetype":"image/png","filename":"cat.png","base64":"SGkh"}';
const options = { idempotencyKey: 'order-7', windowMs: 0 };

describe('a message', () => {
	test.each<[string, Partial<MessageFields>, string]>([
		['a text', { text: 'Hello' }, '"type":"text","text":"Hello"'],
		['a lone surrogate, escaped', { text: 'a\ud83d' }, '"type":"text","text":"a\\ud83d"'],
		[
			'additional fields at its end, in the order entered',
			{ text: 'x', additionalFields: { zebra: [1, { a: null }], apple: null } },
			'"type":"text","text":"x","zebra":[1,{"a":null}],"apple":null',
		],
		[
			'a caption before the file',
			{ type: 'media', caption: 'Look', file },
			`"type":"media","caption":"Look",${BASE64}`,
		],
		[
			'options and additional fields after the file',
			{ type: 'file', file, ...options, additionalFields: { a: 1, callback: () => 1, b: 2 } },
			`"type":"file",${BASE64},"idempotencyKey":"order-7","windowMs":0,"a":1,"b":2`,
		],
	])('carries %s', (_, fields, written) => {
		const body = messageBody({ chatId: CHAT_ID, type: 'text', ...fields });
		expect(body.toString()).toBe(`{"chatId":"4915123456789",${written}}`);
	});

	// The last ones may be the recipient at other gateways.
	test.each([...['text'], ...['to[]', 'destination', 'toNumber', 'recipientId', 'Phone-Numbers']])(
		'rejects the additional field %s, which the node sets itself',
		(name) => {
			for (const form of ['documented', 'legacy'] as const) {
				const additionalFields = { priority: 1, [name]: null };
				const { message, description } = refused(() =>
					textBody({ chatId: CHAT_ID, text: 'Hello', additionalFields }, form),
				);
				expect(message).toBe(`'Additional Fields' contains '${name}', which the node sets itself`);
				expect(description).toMatch(/^Use the field or option of the node.* Send Custom JSON/);
			}
		},
	);

	test.each(['idempotencyKey', 'idempotency_key'])(
		'rejects the additional field %s only if the option is used',
		(name) => {
			const message = { chatId: CHAT_ID, text: 'x', additionalFields: { [name]: 5 } };
			expect(read(textBody(message))).toEqual({
				chatId: CHAT_ID,
				type: 'text',
				text: 'x',
				[name]: 5,
			});
			const used = { ...message, idempotencyKey: 'k', windowMs: 5 };
			expect(refused(() => textBody(used)).message).toContain(`'${name}'`);
		},
	);
});

describe('a media message', () => {
	test('rejects additional fields that replace the file or the caption', () => {
		const message = { chatId: CHAT_ID, type: 'media' as const, file };
		const additionally = (name: string, caption?: string) => () =>
			messageBody({ ...message, caption, additionalFields: { [name]: 'x' } });
		expect(refused(additionally('media')).message).toContain("'media'");
		expect(refused(additionally('caption', 'Look')).message).toContain("'caption'");
		expect(read(additionally('caption')())).toMatchObject({ caption: 'x' });
	});

	test('is received as entered, like a text message, for any input', () => {
		const fields = fc.dictionary(names().filter(isFree), json());
		const form = fc.constantFrom<FieldNames>('documented', 'legacy');
		fc.assert(
			fc.property(
				fc.uint8Array({ maxLength: 400 }),
				texts(),
				texts(),
				fields,
				form,
				(bytes, filename, text, additionalFields, form) => {
					const file = new MediaFile(bytes, text, filename);
					const chat = { [form === 'legacy' ? 'phone' : 'chatId']: filename };
					const message = { chatId: filename, additionalFields };
					const { media, ...rest } = read(
						messageBody({ ...message, type: 'file' as const, caption: text, file }, form),
					);
					const { base64, ...about } = media as Record<string, string>;
					expect(about).toEqual({ mimetype: text, filename });
					expect(Uint8Array.from(Buffer.from(base64!, 'base64'))).toEqual(Uint8Array.from(bytes));
					expect(rest).toEqual({ ...chat, type: 'file', caption: text, ...additionalFields });
					const content = { [form === 'legacy' ? 'message' : 'text']: text };
					const arrived = read(textBody({ ...message, text }, form));
					expect(arrived).toEqual({ ...chat, type: 'text', ...content, ...additionalFields });
				},
			),
			{ numRuns: 300 },
		);
	});

	// JavaScript puts the key of digits before the file.
	test('has the file in its place if an additional field looks like an empty one', () => {
		const additionalFields = { '1': { base64: '' }, after: { base64: '' } };
		const body = read(messageBody({ chatId: CHAT_ID, type: 'file', file, additionalFields }));
		expect(body).toMatchObject({ ...additionalFields, media: { base64: 'SGkh' } });
	});
});

describe('verbatim JSON', () => {
	test('is sent byte for byte with any whitespace around any JSON', () => {
		const spaces = fc.array(fc.constantFrom(' ', '\t', '\r', '\n')).map((marks) => marks.join(''));
		const value = fc.json({ stringUnit: 'grapheme' });
		fc.assert(
			fc.property(spaces, value, spaces, (before, text, after) => {
				const entered = `${before}{${after}"a":${before}${text}${after}}${after}`;
				expect(utf8.decode(customBody(entered))).toBe(entered);
			}),
		);
	});

	test('is compact if an expression returns an object', () => {
		expect(customBody({ b: 1, a: ['é'] }).toString()).toBe('{"b":1,"a":["é"]}');
	});

	// {{ $now }} returns such an object: its JSON is a string.
	class Moment {
		toJSON = () => '2024-01-01T00:00:00.000Z';
	}
	test.each<[unknown, problem: RegExp]>([
		[' \n\t ', /is empty$/],
		[null, /is empty$/],
		[{ circular }, /cannot be written as JSON: ./],
		[new Moment(), /is not a JSON object$/],
	])('rejects %p, which %s', (entered, problem) => {
		const { message, description } = refused(() => customBody(entered));
		expect(message).toMatch(/^'Body' /);
		expect(message).toMatch(problem);
		expect(description).toMatch(/^Enter the JSON object to send/);
	});
});

describe('the recipient and the key of a body', () => {
	test.each<[string, Record<string, unknown>, string | undefined]>([
		['a number', { chatId: 4915123456789, phone: null }, '4915123456789'],
		// A gateway may follow either name, or know what Chat ID cannot read.
		['two recipients', { chatId: '4915123456789', to: '4915123456780' }, undefined],
		['a national number', { chatId: '0151 23456789' }, undefined],
	])('%s', (_, fields, chat) => {
		expect(chatAndKeyOf(fields).chat).toBe(chat);
	});

	// The gateway would drop all messages but the first, or ignore the key, and a retry would arrive twice.
	test('has an idempotency key, unless it is no key of a message', () => {
		for (const name of ['idempotencyKey', 'idempotency_key']) {
			expect(chatAndKeyOf({ [name]: 'a' }).hasKey).toBe(true);
			for (const key of [' ', 7, 'null', 'None', 'undefined']) {
				expect(refused(() => chatAndKeyOf({ [name]: key })).message).toBe(
					`'${name}' is ${JSON.stringify(key)}, which is no key of a message`,
				);
			}
		}
	});
});
