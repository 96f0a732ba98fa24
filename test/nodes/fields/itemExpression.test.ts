import { isDeepStrictEqual } from 'node:util';

import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

import { NOT_SET } from '../../../gateway/inputValues';
import { itemExpression } from '../../../nodes/MessagingGateway/fields/itemExpression';
import { checkedField, checkedValue } from '../../../nodes/MessagingGateway/fields/missingValues';
import { itemReader } from '../../../nodes/MessagingGateway/operation/item';
import { depth } from '../../harness/depth';
import { description, run } from '../../harness/engine';

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
						const read = value ?? this.evaluateExpression(marked.slice(1), item);
						return checkedValue(read, field, sendAnyway);
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

const KEYS = ['a', '_x1', 'order no', ...HOSTILE_KEYS];

const PRIMITIVES = [
	...[
		'',
		' ',
		'Hello',
		'={{ $json.a }}',
		'{{',
		'\\{{',
		'line\nbreak\r\n',
		'\ud83d',
		'"quoted"',
		'\0',
	],
	...[0, -0, 1, -1.5, 0.1 + 0.2, 1e21, 1e-7, 2 ** 53, 5e-324, 1.7e308, NaN, Infinity],
	...[true, false, null, undefined],
];
/** What no JSON holds, but another node can output. */
const EXOTIC: unknown[] = [
	...[Object.assign(new Date(0), { a: 'own' }), new Map([['a', 1]]), new Array<unknown>(3)],
	...[Object.assign([1, 'two'], { a: 'own' }), Object.assign(() => 'called', { a: 'own' })],
	...[
		Object.assign(Object.create(null) as object, { a: 'own' }),
		Object.create({ a: 'inherited' }),
	],
	Object.defineProperty({}, 'a', { get: () => 'got', enumerable: true }),
	...[Object.defineProperty({}, 'a', { value: 'hidden' }), Object('boxed'), 12n, Symbol('a')],
];
const VALUES = [...PRIMITIVES, ...EXOTIC];
/** In `npm test`, each name has a few of the values, and each value a few of the names. */
const ITEMS = Array.from({ length: depth(2, VALUES.length) }, (_, index) => {
	const values = KEYS.map((key, at) => [key, VALUES[(at + index * 7) % VALUES.length]] as const);
	const [[, first] = []] = values;
	return {
		...Object.fromEntries(values),
		list: [first, [first]],
		below: Object.fromEntries(values),
	};
}) as object[];

const PATHS = KEYS.flatMap((key, at) => {
	const quote = at % 2 ? '"' : "'";
	return [`.${key}`, `[${quote}${key}${quote}]`, `.below["${key}"]`];
});
const OTHER_PATHS = [
	...['', '.list[0]', '.list[1]', '.list[1][0]', '.list[01]', '.list[4294967295]', '.list[1e3]'],
	...['.list.length', '.a.a', '.a[0]', '?.a', '[`a`]', '["\\u0061"]', '. a', '.a()', '/**/.a'],
	...['.a + 1', '.a;', '.a, $json.b', '.a // comment', '.missing', '.missing.a'],
];
const OTHER_CODE = [
	...['', ' ', '-$json.a', '$jsonx', '$now.year > 0', '{ a: 1 }', "'{{'", '"\\}}"', 'undefined'],
];
const codes = [...[...PATHS, ...OTHER_PATHS].map((path) => `$json${path}`), ...OTHER_CODE];
const SPACES = ['', ' ', '\n', '\t', '\r\n', '\u00a0', '\ufeff', '\u2028', '\u180e', '\u200b'];
const LITERALS = [
	...[
		'Hello ',
		', order ',
		'\n',
		'=',
		'{',
		'}',
		'}}',
		'"',
		'\\',
		'\\\\',
		'$json.a',
		'😀',
		'\ud800',
	],
	...['. constructor', 'constructor', ' \u2028', '`${x}`'],
];
const inText = (literal: string, code: string, at: number) =>
	`${literal}{{${SPACES[at % SPACES.length]!}${code} }}, {{ $json.a }}${literal}`;
const TEMPLATES = [
	...codes.map((code) => `{{ ${code} }}`),
	...codes.map((code, at) => inText(at % 2 ? 'Hello ' : '', code, 0)),
	...LITERALS.map((literal, at) => inText(literal, '$json.a', at)),
	...[...LITERALS, ...Object.getOwnPropertyNames(Object.prototype)],
].map((body) => `=${body}`);

test('n8n evaluates expressions to the same values', async () => {
	const isSame = ({ n8n, ours, checked }: Reading) =>
		(ours === FROM_N8N || isDeepStrictEqual(n8n, ours)) && isDeepStrictEqual(n8n, checked);
	const read = await readings(TEMPLATES, ITEMS);
	expect(read.filter((reading) => !isSame(reading))).toEqual([]);
	expect(read).toHaveLength(TEMPLATES.length * ITEMS.length);
	// Otherwise the comparison would prove little.
	const computed = read.filter(({ ours }) => ours !== FROM_N8N);
	expect(computed.length).toBeGreaterThan(read.length / 6);
});

test('computes paths and text, and leaves what n8n may read differently to n8n', async () => {
	const sample = {
		...{ name: 'Ada', isPaid: false, count: -0, nothing: null, 'order no': 7, binding: 'own' },
		customer: { tags: ['first', { label: 'second' }] },
		date: Object.assign(new Date(0), { name: 'own' }),
		get computed() {
			return 'from a getter';
		},
	};
	const computed = {
		'={{ $json.customer.tags[1].label }}': 'second',
		'=Hello {{ $json.name }}, order {{ $json["order no"] }}': 'Hello Ada, order 7',
		'={{ $json.isPaid }}': false,
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
