import fc from 'fast-check';
import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

import { itemReader } from '../../../nodes/MessagingGateway/message/inputItem';
import { description, run } from '../../harness/engine';

/** EXPRESSION_SEED=… reproduces a failed run. */
const seed = Number(process.env.EXPRESSION_SEED ?? Math.floor(Math.random() * 2 ** 31));
const TEMPLATES = 1_500;
const ITEMS = 8;

const account = { baseUrl: 'http://127.0.0.1', token: 'token', secret: 'secret' };

interface Reading {
	item: number;
	/** What n8n returns or throws. */
	n8n: unknown;
	ours: unknown;
	/** Whether our value came without n8n. */
	isComputed: boolean;
}

const outcomeOf = (read: () => unknown): unknown => {
	try {
		return { value: read() };
	} catch (error) {
		return { error: (error as Error).message };
	}
};

/** Reads the field of each item twice: with n8n, and as Send does. */
class Probe implements INodeType {
	description = description('probe', [
		{ displayName: 'Field', name: 'field', type: 'string', default: '' },
	]);

	async execute(this: IExecuteFunctions, readings: Reading[] = []) {
		const items = this.getInputData();
		let calls = 0;
		const counting = new Proxy(this, {
			get(context, name) {
				if (name !== 'getNodeParameter') return Reflect.get(context, name) as unknown;
				return (...parameters: Parameters<IExecuteFunctions['getNodeParameter']>) => {
					calls += 1;
					return context.getNodeParameter(...parameters);
				};
			},
		});
		const itemAt = itemReader(counting);
		for (const item of items.keys()) {
			calls = 0;
			const ours = outcomeOf(() => itemAt(item).field('field'));
			const isComputed = calls === 0;
			const n8n = outcomeOf(() => this.getNodeParameter('field', item));
			readings.push({ item, n8n, ours, isComputed });
		}
		return [items];
	}
}

/** Runs a node whose field is the template. */
async function readings(template: string, items: unknown[]): Promise<Reading[]> {
	const read: Reading[] = [];
	const probe = new Probe();
	const { execute } = probe;
	await run({
		account,
		nodeType: Object.assign(probe, {
			async execute(this: IExecuteFunctions) {
				return await execute.call(this, read);
			},
		}),
		parameters: { field: template },
		items: items.map((json) => ({ json })) as INodeExecutionData[],
	});
	return read;
}

const HOSTILE_KEYS = [
	'__proto__',
	'constructor',
	'prototype',
	'toString',
	'valueOf',
	'hasOwnProperty',
	'length',
	'binding',
	'caller',
	'arguments',
	'mainModule',
	'json',
	'isProxy',
	'toJSON',
	'then',
	'__isError',
	'__isArray',
	'__sanitize',
	'___n8n_data',
	'$',
	'$json',
	'class',
	'null',
	'this',
	'0',
	'1',
	'01',
	'-1',
	'1e3',
	'4294967295',
	'',
	' ',
	'order no',
	'größe',
	'名前',
	'😀',
	'\ud800',
	'a.b',
	'a[0]',
	'Price (EUR)',
	'a.first(b',
	'$if(x',
	"it's",
	'say "hi"',
	'back\\slash',
	'{{',
	'}}',
	'}',
	'line\nbreak',
	'line\u2028break',
	'tab\there',
	'\0',
	'//',
	'/*',
	'`',
	'${a}',
	';',
];

/** A few names, so that paths often meet values. */
const key = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom('a', 'b', 'name', '_x1') },
	{ weight: 2, arbitrary: fc.constantFrom('order no', 'größe', 'Price (EUR)') },
	{ weight: 2, arbitrary: fc.constantFrom(...HOSTILE_KEYS) },
);

const TEXTS = [
	'',
	' ',
	'Hello',
	'={{ $json.a }}',
	'{{ $json.a }}',
	'{{',
	'}}',
	'$json',
	'\\',
	'\\{{',
	'a\\\\b',
	'line\nbreak\r\n',
	'\u2028\u2029\u0000\ufeff',
	'\ud83d',
	'😀',
	'"quoted"',
	"it's",
	'undefined',
	'2026-01-01T00:00:00.000Z',
];
const text = fc.oneof(
	fc.constantFrom(...TEXTS),
	fc.string({ unit: 'binary' }),
	fc.string({ unit: fc.constantFrom('{', '}', '\\', '$', '"', "'", '=', ' ', 'a', '\n') }),
);

const NUMBERS = [0, -0, 1, -1.5, 0.1 + 0.2, 1e21, 1e-7, 2 ** 53, 5e-324, 1.7e308, NaN, Infinity];
const primitive = fc.oneof(
	{ weight: 4, arbitrary: text },
	{ weight: 3, arbitrary: fc.oneof(fc.constantFrom(...NUMBERS), fc.double(), fc.integer()) },
	{ weight: 2, arbitrary: fc.boolean() },
	{ weight: 1, arbitrary: fc.constantFrom(null, undefined) },
);

class Custom {
	a = 'own';

	get b() {
		return 'inherited';
	}
}

/** What no JSON holds, but another node can output. */
const exotic = fc.constantFrom<() => unknown>(
	() => new Date(0),
	() => Object.assign(new Date(0), { a: 'own' }),
	() => new Map([['a', 1]]),
	() => new Custom(),
	() => Object.assign([1, 'two'], { a: 'own' }),
	() => Object.assign(Object.create(null), { a: 'own' }) as unknown,
	() => Object.create({ a: 'inherited' }) as unknown,
	() => Object.assign(() => 'called', { a: 'own' }),
	() => Object.defineProperty({}, 'a', { get: () => 'got', enumerable: true }),
	() => Object.defineProperty({}, 'a', { value: 'hidden' }),
	() => Object('boxed') as unknown,
	() => 12n,
	() => Symbol('a'),
	() => Buffer.from('bytes'),
	() => new Array(3),
);

const object = (value: fc.Arbitrary<unknown>) =>
	fc
		.array(fc.tuple(key, value), { maxLength: 8 })
		// Not an assignment, which would set the prototype.
		.map((entries) => Object.fromEntries(entries));

const { json } = fc.letrec<{ json: unknown; value: unknown }>((tie) => ({
	json: object(tie('value')),
	value: fc.oneof(
		{ depthSize: 'small', withCrossShrink: true },
		{ weight: 8, arbitrary: primitive },
		{ weight: 2, arbitrary: tie('json') },
		{ weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
		{ weight: 1, arbitrary: exotic.map((create) => create()) },
	),
}));

const quoted = (quote: string) => key.map((name) => `[${quote}${name}${quote}]`);
const access = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom('.a', '.b', '.name', '._x1') },
	{ weight: 3, arbitrary: fc.oneof(quoted('"'), quoted("'")) },
	{ weight: 1, arbitrary: key.map((name) => `.${name}`) },
	{ weight: 1, arbitrary: fc.constantFrom('[0]', '[1]', '[01]', '[4294967295]', '[1e3]') },
	{
		weight: 1,
		arbitrary: fc.constantFrom('?.a', '[`a`]', '["\\u0061"]', ' .a', '. a', '[ 0 ]', '.a()', '/**/'),
	},
);
const path = fc
	.array(access, { minLength: 1, maxLength: 3, size: 'max' })
	.map((accesses) => `$json${accesses.join('')}`);
const OTHER_CODE = [
	'',
	' ',
	'$json',
	'$json.a + 1',
	'$json.a;',
	'$json.a, $json.b',
	'-$json.a',
	'$jsonx',
	'$json.a // comment',
	'$now.year > 0',
	'$itemIndex',
	'$input.item.json.a',
	'{ a: 1 }',
	"'{{'",
	'"\\}}"',
	'undefined',
	'NaN',
];
const code = fc.oneof(
	{ weight: 9, arbitrary: path },
	{ weight: 1, arbitrary: fc.constantFrom(...OTHER_CODE) },
);
const SPACES = ['', ' ', '  ', '\n', '\t', '\r\n', '\u00a0', '\ufeff', '\u2028', '\u180e', '\u200b'];
const space = fc.oneof(
	{ weight: 5, arbitrary: fc.constantFrom('', ' ') },
	{ weight: 1, arbitrary: fc.constantFrom(...SPACES) },
);
const expression = fc
	.tuple(space, code, space)
	.map(([before, inside, after]) => `{{${before}${inside}${after}}}`);

const LITERALS = [
	'Hello ',
	', order ',
	'\n',
	'',
	'=',
	'{',
	'}',
	'}}',
	'"',
	'\\',
	'\\\\',
	'. constructor',
	'constructor',
	' \u2028',
	'😀',
	'\ud800',
	'`${x}`',
	'$json.a',
];
const literal = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom('', ' ', 'Hello ', ', order ') },
	{ weight: 2, arbitrary: fc.constantFrom(...LITERALS) },
	{ weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);
const template = fc.oneof(
	{ weight: 2, arbitrary: expression },
	{
		weight: 4,
		arbitrary: fc
			.array(fc.tuple(literal, expression), { minLength: 1, maxLength: 3 })
			.chain((parts) => literal.map((last) => parts.flat().join('') + last)),
	},
	{ weight: 1, arbitrary: literal },
);

test(`n8n evaluates random expressions to the same values (seed ${seed})`, async () => {
	let compared = 0;
	let computed = 0;
	const types: Record<string, number> = {};
	await fc.assert(
		fc.asyncProperty(
			template,
			fc.array(json, { minLength: ITEMS, maxLength: ITEMS }),
			async (body, items) => {
				const read = await readings(`=${body}`, items);
				expect(read).toHaveLength(items.length);
				for (const { n8n, ours, isComputed } of read) {
					compared += 1;
					if (isComputed) {
						computed += 1;
						const type = typeof (n8n as { value?: unknown }).value;
						types[type] = (types[type] ?? 0) + 1;
					}
					expect(ours).toStrictEqual(n8n);
				}
			},
		),
		{ seed, numRuns: TEMPLATES },
	);
	expect(compared).toBeGreaterThanOrEqual(TEMPLATES * ITEMS);
	console.log(compared, computed, types);
});
