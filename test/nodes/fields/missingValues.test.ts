/** A message is sent if and only if each expression of its fields has a value, however the expression is written. */
import { DateTime } from 'luxon';
import { type IDataObject } from 'n8n-workflow';

import { isDeep } from '../../harness/depth';
import { type Outcome, run } from '../../harness/engine';
import { BOTH_WAYS, NO_LIMITS, textsDelivered } from '../../harness/messages';
import { ITEM } from '../../harness/operations';
import { useGateway } from '../../harness/sandboxAccount';
import { question } from '../ask/ask';

const gateway = useGateway();

type Value = unknown;

/** How an expression of $json.key is written, what JavaScript makes of it, and the text around its value in a template literal. */
type Form = [code: string, result: (value: Value) => Value, around?: [string, string]];

const same = (value: Value) => value;
const dateOf = (value: Value) => DateTime.fromISO(value as string, { zone: 'UTC' });
const isNone = (value: Value) => !value || (Array.isArray(value) && value.length === 0);
const FROM_ISO = "DateTime.fromISO($json.key, { zone: 'UTC' })";

const FORMS: Form[] = [
	['$json.key', same],
	["$json['key']", same],
	['\n\t$json["key"] // it\'s', same],
	["$json.all['the key']", same],
	["$('Source').item.json.key", same],
	['$input.item.json.key', same],
	['[{ name: $json.key }][0].name', same],
	["/* it's */ (() => { const own = $json; return own.key; })()", same],
	['$json.nothing.key', () => undefined],
	['`${$json.key}`', String],
	['`${`${$json.key}`}`', String],
	["\n`Hi ${$json.key},\\nthey're \\`$5\\``", String, ['Hi ', ",\nthey're `$5`"]],
	['`${[$json.key, "}"][0]}`', String],
	["String($json.key).replace(/x'/g, '').replace('(', '')", String],
	["[$json.key].filter(Boolean).join('')", (value) => [value as string].filter(Boolean).join('')],
	["[$json.key, ''].map((each) => each ?? '')", (value) => [value ?? '', '']],
	// The parentheses of the call are missing.
	['$json.key.toLowerCase', (value) => (typeof value === 'string' ? 'function' : undefined)],
	[FROM_ISO, dateOf],
	[`${FROM_ISO}.toFormat('d LLL')`, (value) => dateOf(value).toFormat('d LLL')],
	['new Date($json.key)', (value) => new Date(value as string)],
	['Number($json.key)', Number],
	["$json.key === '' ? undefined : $json.key", (value) => (value === '' ? undefined : value)],
	['$now.toISO()', () => 'now'],
	['Math.random()', () => 0.5],
	['$itemIndex', () => 0],
];

/** Their authors wrote that they may be empty. */
const OPTIONAL: Form[] = [
	["$json.key ?? ''", (value) => value ?? ''],
	['$json.key || "" /* none */', (value) => value || ''],
	["$json.key ? $json.key : ' '", (value) => value || ' '],
	["'' + $json.key", String],
	["($json.key ?? '').toString().trim()", (value) => [value as string].join('').trim()],
	["String($json.key ?? '')", (value) => [value as string].join('')],
	["`Hi ${$json.key ?? ''}!`", (value) => [value as string].join(''), ['Hi ', '!']],
	["$ifEmpty($json.key, '')", (value) => (isNone(value) ? '' : value)],
	['$if($json["key"], $json.key, "")', (value) => value || ''],
];

const VALUES: Value[] = [
	...['Ada', "O'Brien", '2026-03-01', 'undefinedly', 'f(x)', 0, 42.5, false, 'x'],
	...['', ' ', null, undefined, 'null', 'undefined', 'NaN', [], { a: 1 }, 'Hi {name}', '{{ x }}'],
];
/** As n8n joins the values of a text. */
const shown = (value: Value) =>
	value || value === 0 || value === false ? [value as string].join('') : '';

const WORDS = ['undefined', 'NaN', '[object', 'Invalid', '{name}', '{{', 'function'];
const isGood = (text: string) =>
	text !== 'null' && !text.split(/[\s,]/).some((word) => WORDS.includes(word));

/** Whether a field with this expression has a value. `isWhole`: it has nothing else, and `mayBeNothing`: it can be empty. */
function hasValue(form: Form, value: Value, isWhole: boolean, mayBeNothing: boolean): boolean {
	const result = form[1](value);
	const text = shown(result);
	const isText = typeof result === 'string' || Number.isFinite(result);
	if (isWhole && !isText) return false;
	if (text.trim() !== '') return isGood(text);
	const isNothing = isWhole && form[2] === undefined;
	return OPTIONAL.includes(form) && (mayBeNothing || !isNothing);
}

const SEND = { resource: 'message', operation: 'send', chatId: '4915123456789', text: 'x' };
const MEDIA = { ...SEND, operation: 'sendMedia', mediaType: 'file' };

/** A field, and whether it can be empty. */
const FIELDS: Array<[string, (value: string) => object, mayBeNothing: boolean]> = [
	['Text', (text) => ({ ...SEND, text }), false],
	['Caption', (caption) => ({ ...MEDIA, caption }), true],
	['File Name', (fileName) => ({ ...MEDIA, options: { fileName } }), true],
	['Idempotency Key', (idempotencyKey) => ({ options: { idempotencyKey } }), false],
];

const REJECTED = /^'[A-Z][^']*' (has no value for `|contains '|is not text|is empty)/;
const ERROR_OUTPUT = { onError: 'continueErrorOutput' } as const;

/** The errors of the items, in order; undefined for those that were sent. */
function errorsOf({ items, errorItems }: Outcome, count: number): Array<string | undefined> {
	const errors = Array.from({ length: count }, () => undefined as string | undefined);
	for (const { json } of errorItems) {
		const at = /\[item (\d+)\]$/.exec(json.error as string)?.[1];
		errors[Number(at)] = json.error as string;
	}
	expect(items).toHaveLength(errors.filter((error) => error === undefined).length);
	return errors;
}

type Item = Record<string, Value>;

describe.each(BOTH_WAYS)('%s', (_, asTool) => {
	/** Sends a message for each item, and returns their errors. */
	async function errorsWith(parameters: object, of: Item[]) {
		gateway.clearRequests();
		const { options } = parameters as { options?: object };
		const limits = asTool && NO_LIMITS;
		const outcome = await run({
			...{ account: gateway.account, asTool, settings: ERROR_OUTPUT },
			items: of.map((json) => ({ ...ITEM, json: json as IDataObject })),
			parameters: { ...SEND, ...parameters, options: { ...limits, ...options } },
		});
		const stopped = outcome.error?.message;
		const errors = stopped ? of.map(() => stopped) : errorsOf(outcome, of.length);
		expect(gateway.requests()).toHaveLength(errors.filter((each) => each === undefined).length);
		return errors;
	}

	test.each(FIELDS)('%s, with each form of an expression and each value', async (...field) => {
		const [label, put, mayBeNothing] = field;
		// In `npm test`, each field has a quarter of the forms.
		const at = FIELDS.indexOf(field) + (asTool ? 2 : 0);
		const forms = [...FORMS, ...OPTIONAL].filter((_, index) => isDeep || (index + at) % 4 === 0);
		const items = VALUES.map((key) => ({ key, ok: 'Ada', all: { 'the key': key } }));
		for (const form of forms) {
			for (const [before, after] of [
				['', ''],
				['Hello {{ $json.ok }}', '!'],
			] as const) {
				// Keys such as 0 are rejected for another reason.
				const isWhole = before === '';
				if (isWhole && label === 'Idempotency Key') continue;
				const content = `=${before}{{ ${form[0]} }}${after}`;
				const errors = await errorsWith(put(content), items);
				const sent = VALUES.filter((_, index) => errors[index] === undefined);
				const expected = VALUES.filter((value) => hasValue(form, value, isWhole, mayBeNothing));
				expect([content, sent]).toEqual([content, expected]);
				for (const error of errors.filter((each) => each !== undefined)) {
					// n8n's own errors, without and with an isolate.
					if (/this is a function|could not be cloned/.test(error)) continue;
					expect(error).toMatch(REJECTED);
					expect(error).toContain(`'${label}'`);
				}
			}
		}
	});

	test.each<[object, string | undefined]>([
		[{ text: '=Hello {{ $json.a }}' }, "'Text' has no value for `$json.a`"],
		[{ text: '={{\n$json\n\t.a }}' }, "'Text' has no value for `$json .a`"],
		[{ text: '={{ $json.b }} {{ $json.a' }, "'Text' has no value for `$json.a`"],
		[{ text: '=\\{{ {{ $json.b }}' }, "'Text' contains '{{' in place of a value"],
		[{ text: '=#{{ "undefined" }}' }, '\'Text\' has no value for `"undefined"`'],
		[{ text: '=Hi{{ "undefined" }}' }, '\'Text\' has no value for `"undefined"`'],
		[{ text: '={{ "Hi undefined" }}' }, "'Text' contains 'undefined' in place of a value"],
		[{ text: '=Invalid {{ "Date" }}' }, undefined],
		// The field is Fixed instead of Expression.
		[{ text: 'Hello {{ $json.b }}' }, "'Text' contains '{{' in place of a value"],
		[{ text: 'Hello {name}' }, "'Text' contains '{name}' in place of a value"],
		[{ chatId: '=+49151{{ $json.a }}23456789' }, "'Chat ID' has no value for `$json.a`"],
		[{ chatId: '={{ $json.a }}' }, "'Chat ID' has no value for `$json.a`"],
	])('%j: %s', async (parameters, error) => {
		for (const a of [undefined, null, '', ' ']) {
			const found = await errorsWith(parameters, [{ a, b: 'Bob' }]);
			expect(found).toEqual([error && `${error} [item 0]`]);
		}
	});

	test('Send Anyway sends the text as n8n writes it', async () => {
		const text = '=Hi {{ $json.a }}, see you {{ DateTime.fromISO("x") }} at {{ $json.b }} {name}';
		const sending = (missingValues: string, values: Item[]) =>
			errorsWith({ text, options: { missingValues } }, values);
		expect(await sending('send', [{ a: '', b: { c: 1 } }])).toEqual([undefined]);
		const sent = 'Hi , see you Invalid DateTime at [object Object] {name}';
		expect(textsDelivered(gateway)).toEqual([sent]);
		const errors = await sending("={{ $json.b ? 'send' : 'Reject' }}", [{ b: 'Bob' }, { b: '' }]);
		expect(errors).toEqual([undefined, "'Text' has no value for `$json.a` [item 1]"]);
	});
});

/** The fields that are checked, with one expression each. */
const everyField = (code: string) => ({
	...{ ...MEDIA, chatId: `=49151{{ ${code} }}`, caption: `=Hi {{ ${code} }}` },
	options: { fileName: `={{ ${code} }}.txt`, idempotencyKey: `=order {{ ${code} }}` },
});

const COUNTED = ['$json.counted.key', '`${$json.counted.key}`', '[$json.counted.key][0] ?? ""'];

// A property that counts how often it is read.
test.each(COUNTED)('n8n evaluates %s once', async (code) => {
	let count = 0;
	const counted = Object.defineProperty({}, 'key', { get: () => 23456780 + ++count });
	const items = [{ ...ITEM, json: { counted } }];
	const { error } = await run({ account: gateway.account, parameters: everyField(code), items });
	expect([error, count]).toEqual([undefined, 4]);
});

test('a tool call tells the model which of its parameters has no value', async () => {
	// The editor writes the comment.
	const comment = '/*n8n-auto-generated-fromAI-override*/';
	const text = `=Hello {{ ${comment} $fromAI('name', 'The name', 'string') }}, welcome`;
	const call = async (json: IDataObject) =>
		await run({
			executionId: 'name',
			...{ account: gateway.account, asTool: true, items: [{ json }] },
			parameters: { ...SEND, text, options: NO_LIMITS },
		});
	expect((await call({ name: 'Ada' })).error).toBeUndefined();
	expect(textsDelivered(gateway)).toEqual(['Hello Ada, welcome']);
	for (const json of [{ name: '' }, {}] as IDataObject[]) {
		expect((await call(json)).error?.message).toBe(
			"'Text' has no value for `$fromAI('name', 'The name', 'string')` [item 0]",
		);
	}
});

test('a question without a value is not asked', async () => {
	const message = '=May we give {{ $json.a }} a discount?';
	const { error } = await run(question(gateway, { message }, { items: [{ json: { a: '' } }] }));
	expect(error?.message).toBe("'Message' has no value for `$json.a` [item 0]");
	expect(error?.description).toContain("e.g. {{ $json.title ?? '' }}");
	expect(gateway.requests()).toEqual([]);
});
