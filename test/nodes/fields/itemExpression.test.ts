import { isDeepStrictEqual } from 'node:util';

import fc from 'fast-check';
import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

import { NOT_SET } from '../../../gateway/inputValues';
import { itemExpression } from '../../../nodes/MessagingGateway/fields/itemExpression';
import { checkedField, checkedValue } from '../../../nodes/MessagingGateway/fields/missingValues';
import { itemReader } from '../../../nodes/MessagingGateway/operation/item';
import { anyText } from '../../harness/anyText';
import { depth, seedFrom } from '../../harness/depth';
import { description, run } from '../../harness/engine';

/** EXPRESSION_SEED=… reproduces a failed run. */
const seed = seedFrom('EXPRESSION_SEED');
const RUNS = depth(30, 500);
const TEMPLATES = 20;
const ITEMS = 4;

const account = { baseUrl: 'http://127.0.0.1', token: 'token', secret: 'secret' };

interface Reading {
	template: string;
	ours: unknown;
	/** What n8n returns or throws. Not evaluated if there is nothing to compare with it. */
	n8n: unknown;
	/** The same of a field whose expressions are checked. */
	checked: unknown;
}

const FROM_N8N = Symbol('n8n');

/** Reads each field of each item in n8n's engine, as Send does, and then with n8n. There is one field per template. */
async function readings(templates: string[], items: unknown[]): Promise<Reading[]> {
	const read: Reading[] = [];
	const fields = templates.map((template, index) => ({ template, name: `field${index}` }));
	const nodeType: INodeType = {
		description: description(
			'probe',
			fields.map(({ name }) => ({ displayName: name, name, type: 'string', default: '' })),
		),
		async execute() {
			const resultOf = (read: () => unknown): unknown => {
				try {
					return read();
				} catch (error) {
					return (error as Error).message;
				}
			};
			const sendAnyway = (name: string) => (name === 'missingValues' ? 'send' : NOT_SET);
			const withoutExpressions = Object.create(this, {
				getNodeParameter: { value: () => FROM_N8N },
			}) as IExecuteFunctions;
			const itemAt = itemReader(withoutExpressions);
			for (const [item, { json }] of this.getInputData().entries()) {
				for (const { template, name } of fields) {
					const ours = itemAt(item).field(name);
					const field = checkedField('text', template)!;
					const { marked } = field;
					const isCompared = ours !== FROM_N8N || marked !== undefined;
					const n8n = isCompared ? resultOf(() => this.getNodeParameter(name, item)) : FROM_N8N;
					const checked = resultOf(() => {
						if (marked === undefined) return n8n;
						const value = itemExpression(marked)?.(json);
						return checkedValue(
							value ?? this.evaluateExpression(marked.slice(1), item),
							field,
							sendAnyway,
						);
					});
					read.push({ template, ours, n8n, checked });
				}
			}
			return [[]];
		},
	};
	const { error } = await run({
		account,
		nodeType,
		parameters: Object.fromEntries(fields.map(({ name, template }) => [name, template])),
		items: items.map((json) => ({ json })) as INodeExecutionData[],
	});
	if (error) throw new Error(error.message);
	return read;
}

const HOSTILE_KEYS = [
	...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'length'],
	...['binding', 'caller', 'arguments', 'mainModule', 'json', 'isProxy', 'toJSON', 'then'],
	...['__isError', '__isArray', '__sanitize', '___n8n_data', '$', '$json', 'null', 'this', '01'],
	...['0', '-1', '1e3', '4294967295', '', ' ', 'größe', '名前', '😀', '\ud800', 'a.b', 'a[0]'],
	...['Price (EUR)', '$if(x', "it's", 'say "hi"', 'back\\slash', '{{', '}}', '}', 'line\nbreak'],
	...['line\u2028break', '\0', '//', '/*', '`', '${a}', ';'],
];

/** A few names, so that paths often meet values. */
const key = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom('a', 'b', 'name', '_x1') },
	{ weight: 2, arbitrary: fc.constantFrom('order no', 'größe', 'Price (EUR)') },
	{ weight: 2, arbitrary: fc.constantFrom(...HOSTILE_KEYS) },
);

const TEXTS = [
	...['', ' ', 'Hello', '={{ $json.a }}', '{{', '}}', '\\{{', 'line\nbreak\r\n', '\ud83d', '😀'],
	...['\u2028\u0000\ufeff', '"quoted"', 'undefined', '2026-01-01T00:00:00.000Z'],
];
const text = fc.oneof(fc.constantFrom(...TEXTS), anyText());

const NUMBERS = [0, -0, 1, -1.5, 0.1 + 0.2, 1e21, 1e-7, 2 ** 53, 5e-324, 1.7e308, NaN, Infinity];
const primitive = fc.oneof(
	{ weight: 4, arbitrary: text },
	{ weight: 3, arbitrary: fc.oneof(fc.constantFrom(...NUMBERS), fc.double(), fc.integer()) },
	{ weight: 2, arbitrary: fc.boolean() },
	{ weight: 1, arbitrary: fc.constantFrom(null, undefined) },
);

/** What no JSON holds, but another node can output. */
const exotic = fc.constantFrom<() => unknown>(
	() => Object.assign(new Date(0), { a: 'own' }),
	() => new Map([['a', 1]]),
	() => Object.assign([1, 'two'], { a: 'own' }),
	() => Object.assign(Object.create(null) as object, { a: 'own' }),
	() => Object.create({ a: 'inherited' }) as object,
	() => Object.assign(() => 'called', { a: 'own' }),
	() => Object.defineProperty({}, 'a', { get: () => 'got', enumerable: true }),
	() => Object.defineProperty({}, 'a', { value: 'hidden' }),
	() => Object('boxed') as unknown,
	() => 12n,
	() => Symbol('a'),
	() => Buffer.from('bytes'),
	() => new Array<unknown>(3),
);

const entries = (name: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>, maxLength: number) =>
	fc.array(fc.tuple(name, value), { maxLength, size: 'max' });

/** An assignment of the key `__proto__` would set the prototype. */
const object = (value: fc.Arbitrary<unknown>) =>
	entries(key, value, 8).map((all) => Object.fromEntries(all) as Record<string, unknown>);

const { json } = fc.letrec<{ json: Record<string, unknown>; value: unknown }>((tie) => ({
	json: object(tie('value')),
	value: fc.oneof(
		{ depthSize: 'small', withCrossShrink: true },
		{ weight: 8, arbitrary: primitive },
		{ weight: 2, arbitrary: tie('json') },
		{ weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
		{ weight: 1, arbitrary: exotic.map((create) => create()) },
	),
}));

/** The usual names, and hostile ones. */
const item = fc
	.tuple(
		fc.record({ a: primitive, b: primitive, name: primitive }),
		json,
		entries(fc.constantFrom(...HOSTILE_KEYS), primitive, 30),
	)
	.map(([usual, more, hostile]) =>
		Object.fromEntries([...Object.entries(usual), ...Object.entries(more), ...hostile]),
	);

const quoted = (quote: string) => key.map((name) => `[${quote}${name}${quote}]`);
const access = fc.oneof(
	{ weight: 12, arbitrary: fc.constantFrom('.a', '.b', '.name') },
	{ weight: 4, arbitrary: fc.oneof(quoted('"'), quoted("'")) },
	{ weight: 1, arbitrary: key.map((name) => `.${name}`) },
	{ weight: 1, arbitrary: fc.constantFrom('[0]', '[1]', '[01]', '[4294967295]', '[1e3]') },
	{ weight: 1, arbitrary: fc.constantFrom('?.a', '[`a`]', '["\\u0061"]', '. a', '.a()', '/**/') },
);
const path = fc
	.oneof(
		{ weight: 4, arbitrary: access.map((only) => [only]) },
		{ weight: 1, arbitrary: fc.array(access, { maxLength: 4 }) },
	)
	.map((accesses) => `$json${accesses.join('')}`);
const OTHER_CODE = [
	...['', ' ', '$json', '$json.a + 1', '$json.a;', '$json.a, $json.b', '-$json.a', '$jsonx'],
	...['$json.a // comment', '$now.year > 0', '{ a: 1 }', "'{{'", '"\\}}"', 'undefined'],
];
const code = fc.oneof(
	{ weight: 15, arbitrary: path },
	{ weight: 1, arbitrary: fc.constantFrom(...OTHER_CODE) },
);
const SPACES = ['\n', '\t', '\r\n', '\u00a0', '\ufeff', '\u2028', '\u180e', '\u200b'];
const space = fc.oneof(
	{ weight: 9, arbitrary: fc.constantFrom('', ' ') },
	{ weight: 1, arbitrary: fc.constantFrom(...SPACES) },
);
const expression = fc
	.tuple(space, code, space)
	.map(([before, inside, after]) => `{{${before}${inside}${after}}}`);

const LITERALS = [
	...['Hello ', ', order ', '\n', '', '=', '{', '}', '}}', '"', '\\', '\\\\', '. constructor'],
	...['constructor', ' \u2028', '😀', '\ud800', '`${x}`', '$json.a'],
];
const literal = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom('', ' ', 'Hello ', ', order ') },
	{ weight: 2, arbitrary: fc.constantFrom(...LITERALS) },
	{ weight: 1, arbitrary: anyText() },
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
	const all: Reading[] = [];
	const cases = fc.tuple(
		fc.array(template, { minLength: TEMPLATES, maxLength: TEMPLATES }),
		fc.array(item, { minLength: ITEMS, maxLength: ITEMS }),
	);
	await fc.assert(
		fc.asyncProperty(cases, async ([templates, items]) => {
			const read = await readings(
				templates.map((body) => `=${body}`),
				items,
			);
			all.push(...read);
			const isSame = ({ n8n, ours, checked }: Reading) =>
				(ours === FROM_N8N || isDeepStrictEqual(n8n, ours)) && isDeepStrictEqual(n8n, checked);
			expect(read.filter((reading) => !isSame(reading))).toEqual([]);
		}),
		{ seed, numRuns: RUNS },
	);
	const computed = all.filter(({ ours }) => ours !== FROM_N8N);
	const withPath = computed.filter(({ template }) => template.includes('{{'));
	// Otherwise the comparison would prove little.
	const templates = new Set(withPath.map(({ template }) => template));
	expect(all).toHaveLength(RUNS * TEMPLATES * ITEMS);
	expect(withPath.length).toBeGreaterThan(all.length / 6);
	expect(templates.size).toBeGreaterThan(RUNS);
	for (const type of ['string', 'number', 'boolean']) {
		expect(withPath.filter(({ ours }) => typeof ours === type).length).toBeGreaterThan(RUNS);
	}
});

test('computes paths and text, and leaves what n8n may read differently to n8n', async () => {
	const sample = {
		...{ name: 'Ada', count: -0, nothing: null, 'order no': 7, binding: 'own' },
		customer: { tags: ['first', { label: 'second' }] },
		date: Object.assign(new Date(0), { name: 'own' }),
		get computed() {
			return 'from a getter';
		},
	};
	const computed = {
		'={{ $json.customer.tags[1].label }}': 'second',
		'=Hello {{ $json.name }}, order {{ $json["order no"] }}': 'Hello Ada, order 7',
		'={{ $json.count }}{{ $json.name }} } }}': '0Ada } }}',
		'=': '',
	};
	const left = [
		...['={{ $json.nothing }}', '={{ $json.customer }}', '={{ $json.customer.tags.length }}'],
		...['={{ $json.binding }}', '={{ $json["__proto__"] }}', '={{ $json.date.name }}', 'Hello'],
		...['={{ $json.computed }}', '={{ $json.name.length }}', '={{ $json?.name }}', '=toString'],
		...['={{ $json.name', '=\\{{ $json.name }}', '=A. constructor {{ $json.name }}'],
	];
	const read = await readings([...Object.keys(computed), ...left], [sample]);
	const ours = [...Object.values(computed), ...left.map(() => FROM_N8N)];
	expect(read).toMatchObject(ours.map((value) => ({ ours: value })));
});
