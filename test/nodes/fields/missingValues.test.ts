/** A message is sent if and only if each expression of its fields has a value, however the expression is written. */
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { type IDataObject } from 'n8n-workflow';

import { depth, seedFrom } from '../../harness/depth';
import { type Outcome, run, type RunOptions } from '../../harness/engine';
import { bodyOf, BOTH_WAYS, NO_LIMITS, textsDelivered } from '../../harness/messages';
import { ITEM } from '../../harness/operations';
import { useGateway } from '../../harness/sandboxAccount';
import { question } from '../ask/ask';

const gateway = useGateway();

/** BLANKS_SEED=… reproduces a failed run. */
const seed = seedFrom('BLANKS_SEED');
const RUNS = depth(25, 1_000);
const ITEMS = 3;

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
const KEYS = ['a', 'b', 'c'];

/** An expression, or the text around them. */
type Piece = string | { form: Form; key: string };

const expression = fc.record({
	form: fc.constantFrom(...FORMS, ...OPTIONAL),
	key: fc.constantFrom(...KEYS),
});
const literal = fc.constantFrom('Hello ', ', order ', '\n', 'É', '€ }', '"\'`', 'a\\b');
const template: fc.Arbitrary<Piece[]> = fc.oneof(
	{ weight: 3, arbitrary: expression.map((only) => [only]) },
	{ weight: 6, arbitrary: fc.array(fc.oneof(expression, literal), { minLength: 2, maxLength: 5 }) },
	{ weight: 1, arbitrary: literal.map((only) => [only]) },
);
const item = fc.record(Object.fromEntries(KEYS.map((key) => [key, fc.constantFrom(...VALUES)])));
type Item = Record<string, Value>;

/** As n8n joins the values of a text. */
const shown = (value: Value) =>
	value || value === 0 || value === false ? [value as string].join('') : '';

const WORDS = ['undefined', 'NaN', '[object', 'Invalid', '{name}', '{{', 'function'];
const isGood = (text: string) =>
	text !== 'null' && !text.split(/[\s,]/).some((word) => WORDS.includes(word));

/** Whether a field with this content has a value. `mayBeNothing`: the field itself can be empty. */
function hasValue(pieces: Piece[], of: Item, mayBeNothing: boolean): boolean {
	const isWhole = pieces.length === 1;
	const values = pieces.map((piece) => {
		if (typeof piece === 'string') return { text: piece, isFine: true };
		const [, resultOf, [before, after] = ['', '']] = piece.form;
		const result = resultOf(of[piece.key]);
		const text = shown(result);
		const isText = typeof result === 'string' || Number.isFinite(result);
		const isFine = text.trim() === '' ? OPTIONAL.includes(piece.form) : isGood(text);
		return { text: before + text + after, isFine: isFine && (isText || !isWhole) };
	});
	const isNothing = values.every(({ text }) => text.trim() === '');
	return values.every(({ isFine }) => isFine) && (mayBeNothing || !isNothing);
}

const codeOf = ({ form: [code], key }: Exclude<Piece, string>) =>
	`{{ ${code.replace(/\bkey\b/g, key)} }}`;
const written = (pieces: Piece[]) =>
	`${pieces.map((piece) => (typeof piece === 'string' ? piece : codeOf(piece))).join('')}`;

const SEND = { resource: 'message', operation: 'send', chatId: '4915123456789', text: 'x' };
const MEDIA = { ...SEND, operation: 'sendMedia', mediaType: 'file' };

/** A field, whether it can be empty, and what is in front of the random pieces. */
const FIELDS: Array<[string, (value: string) => object, mayBeNothing: boolean, Piece[]]> = [
	['Text', (text) => ({ ...SEND, text }), false, []],
	['Caption', (caption) => ({ ...MEDIA, caption }), true, []],
	['File Name', (fileName) => ({ ...MEDIA, options: { fileName } }), true, []],
	// Keys such as 0 are rejected for another reason.
	['Idempotency Key', (idempotencyKey) => ({ options: { idempotencyKey } }), false, ['order ']],
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

const jsonOf = (of: Item) => {
	const all = Object.fromEntries(KEYS.map((key) => [`the ${key}`, of[key]]));
	return { ...of, all } as IDataObject;
};

describe.each(BOTH_WAYS)('%s', (_, asTool) => {
	/** Sends a message for each item, and returns their errors. */
	async function errorsWith(parameters: object, of: Item[]) {
		gateway.clearRequests();
		const { options } = parameters as { options?: object };
		const limits = asTool && NO_LIMITS;
		const outcome = await run({
			...{ account: gateway.account, asTool, settings: ERROR_OUTPUT },
			items: of.map((each) => ({ ...ITEM, json: jsonOf(each) })),
			parameters: { ...SEND, ...parameters, options: { ...limits, ...options } },
		});
		const stopped = outcome.error?.message;
		const errors = stopped ? of.map(() => stopped) : errorsOf(outcome, of.length);
		expect(gateway.requests()).toHaveLength(errors.filter((each) => each === undefined).length);
		return errors;
	}

	test.each(FIELDS)('%s: random expressions', async (label, put, mayBeNothing, before) => {
		const counts = { sent: 0, rejected: 0 };
		const items = fc.array(item, { minLength: ITEMS, maxLength: ITEMS });
		const mode = fc.constantFrom(...Array<string>(9).fill('='), '');
		await fc.assert(
			fc.asyncProperty(template, items, mode, async (random, values, equals) => {
				const pieces = [...before, ...random];
				const content = equals + written(pieces);
				const errors = await errorsWith(put(content), values);
				const isSent = errors.map((error) => error === undefined);
				const isFixed = equals === '' && content.includes('{{');
				const expected = values.map((of) => !isFixed && hasValue(pieces, of, mayBeNothing));
				expect([content, values, isSent]).toEqual([content, values, expected]);
				for (const error of errors.filter((each) => each !== undefined)) {
					// n8n's own errors, without and with an isolate.
					if (/this is a function|could not be cloned/.test(error)) continue;
					expect(error).toMatch(REJECTED);
					expect(error).toContain(`'${label}'`);
				}
				for (const each of isSent) counts[each ? 'sent' : 'rejected']++;
			}),
			{ seed, numRuns: RUNS },
		);
		// Otherwise, the property would prove little.
		expect(counts.sent).toBeGreaterThan(RUNS / 3);
		expect(counts.rejected).toBeGreaterThan(RUNS / 3);
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
describe.each(BOTH_WAYS)('%s', (_, asTool) => {
	test.each(COUNTED)('n8n evaluates %s once', async (code) => {
		for (const [fields, parameters] of [
			[1, { ...SEND, text: `=Hi {{ ${code} }}`, options: {} }],
			[1, { ...SEND, text: `={{ ${code} }}`, options: {} }],
			[4, everyField(code)],
		] as const) {
			let count = 0;
			const counted = Object.defineProperty({}, 'key', { get: () => 23456780 + ++count });
			const limits = asTool && NO_LIMITS;
			const { error } = await run({
				...{ account: gateway.account, asTool },
				parameters: { ...parameters, options: { ...limits, ...parameters.options } },
				items: [{ ...ITEM, json: { counted } }],
			});
			expect([error, count]).toEqual([undefined, fields]);
		}
	});
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

test('a model may leave a caption empty, if the expression allows it', async () => {
	// The other tests have sent the same file to their chat.
	const chatId = '4915123456780';
	const call = async (caption: string) =>
		await run({
			executionId: 'caption',
			...{ account: gateway.account, asTool: true },
			parameters: { ...MEDIA, chatId, caption, options: NO_LIMITS },
			items: [{ ...ITEM, json: { caption: '' } }],
		});
	const fromModel = "$fromAI('caption', `Empty for none`, 'string')";
	expect((await call(`={{ ${fromModel} }}`)).error?.message).toMatch(/^'Caption' has no value/);
	expect((await call(`={{ ${fromModel} || '' }}`)).error).toBeUndefined();
	expect(bodyOf(gateway.theRequest())).not.toHaveProperty('caption');
});

test('Check and a rehearsal find the same', async () => {
	const items = ['', 'Ada'].map((a) => ({ json: { a } }));
	const parameters = { ...SEND, text: '=Hello {{ $json.a }}' };
	const error = "'Text' has no value for `$json.a` [item 0]";
	const details = { cause: 'invalid_input', retry: 'never' };
	const dryRuns: RunOptions[] = [
		{ account: gateway.account, parameters: { ...parameters, operation: 'check' } },
		{ account: { ...gateway.account, sendTo: 'nobody' }, parameters },
	];
	for (const dryRun of dryRuns) {
		const outcome = await run({ ...dryRun, items, settings: ERROR_OUTPUT });
		expect(outcome.items).toHaveLength(1);
		expect(outcome.errorItems.map(({ json }) => json)).toEqual([{ a: '', error, details }]);
	}
	expect(gateway.requests()).toEqual([]);
});

test('a question without a value is not asked', async () => {
	const message = '=May we give {{ $json.a }} a discount?';
	const { error } = await run(question(gateway, { message }, { items: [{ json: { a: '' } }] }));
	expect(error?.message).toBe("'Message' has no value for `$json.a` [item 0]");
	expect(error?.description).toContain("e.g. {{ $json.title ?? '' }}");
	expect(gateway.requests()).toEqual([]);
});
