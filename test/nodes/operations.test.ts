import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DirectoryLoader } from 'n8n-core';
import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';

import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGateway/MessagingGatewayTrigger.node';
import { DOCUMENTED_ENDPOINTS } from '../harness/apiDocument';
import { description, run } from '../harness/engine';
import {
	ALL_OPERATIONS,
	ITEM,
	itemsOf,
	nameOf,
	OPERATIONS,
	prepare,
	requestOf,
} from '../harness/operations';
import { useGateway } from '../harness/sandboxAccount';

const root = join(__dirname, '../..');
const signing = new Map(
	DOCUMENTED_ENDPOINTS.map(({ method, path, signed }) => [`${method} ${path}`, signed]),
);

const { properties } = new MessagingGateway().description;

test('both nodes have the Request Options that n8n adds only to nodes without a webhook, but no Batching', () => {
	const plain = { description: description('plain') };
	DirectoryLoader.applyDeclarativeNodeOptionParameters(plain);
	const optionsOf = ({ properties }: INodeTypeDescription) =>
		properties
			.filter(({ name, type }) => name === 'requestOptions' && type === 'collection')
			.flatMap(({ options }) => options as INodeProperties[])
			.map(({ name, type, default: preset }) => [name, type, preset]);
	const [batching, ...others] = optionsOf(plain.description);
	expect(batching).toContain('batching');
	expect(others).toHaveLength(3);
	for (const { description } of [new MessagingGateway(), new MessagingGatewayTrigger()])
		expect(optionsOf(description)).toEqual(others);
});

const groupsIn = ({ type, options = [] }: INodeProperties): INodeProperties[][] => {
	if (type === 'collection') return [options as INodeProperties[]];
	if (type !== 'fixedCollection') return [];
	return (options as INodePropertyCollection[]).map(({ values }) => values);
};
/** The fields of a node and of its groups, each with the fields next to it. */
const fieldsIn = (fields: INodeProperties[]): Array<[INodeProperties, INodeProperties[]]> => [
	...fields.map((field) => [field, fields] as [INodeProperties, INodeProperties[]]),
	...fields.flatMap(groupsIn).flatMap(fieldsIn),
];
const choicesOf = ({ type, options = [] }: INodeProperties): unknown[] =>
	type === 'boolean'
		? [true, false]
		: (options as INodePropertyOptions[]).map(({ value }) => value);

test.each([new MessagingGateway(), new MessagingGatewayTrigger()])(
	'$description.displayName shows each field for choices of another one, and preselects one of its choices',
	({ description }) => {
		const fields = fieldsIn(description.properties);
		const conditions = fields.flatMap(([{ name, displayOptions }, siblings]) =>
			Object.entries(displayOptions?.show ?? {})
				.filter(([other]) => !/^[@/]/.test(other))
				.map(([other, values]) => {
					const choices = siblings.filter((each) => each.name === other).flatMap(choicesOf);
					return { name, other, wrong: values!.filter((value) => !choices.includes(value)) };
				}),
		);
		expect(conditions.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
		const modes = fields.flatMap(([field]) => field.modes ?? []);
		expect(modes.filter(({ type }) => !['list', 'string'].includes(type))).toEqual([]);
		const wrong = fields
			.map(([field]) => field)
			// No country is likelier than the others.
			.filter(({ type, name }) => type === 'options' && name !== 'defaultCountry')
			.filter((field) => !choicesOf(field).includes(field.default));
		expect(wrong.map(({ name }) => name)).toEqual([]);
	},
);

test('the editor shows the first choice of a new dropdown', () => {
	const [[options] = []] = fieldsIn(properties).filter(([{ name }]) => name === 'fieldOptions');
	expect(options?.default).toEqual({ values: [{ option: '' }] });
});

describe('the operations of test/harness/operations.ts are exactly', () => {
	test('those of the pickers, in the same order', () => {
		const optionsOf = (name: string, resource?: unknown) =>
			properties
				.filter((property) => property.name === name)
				.filter(({ displayOptions }) => displayOptions?.show?.resource?.[0] === resource)
				.flatMap(({ options }) => options as INodePropertyOptions[]);
		const offered = optionsOf('resource').flatMap((resource) =>
			optionsOf('operation', resource.value).map(({ name, value }) => [
				`${resource.name} > ${name}`,
				`${resource.value}/${value}`,
			]),
		);
		expect(offered).toEqual(ALL_OPERATIONS.map((each) => [each.title, nameOf(each)]));
	});

	test('those of the lists in README.md', () => {
		const readme = readFileSync(join(root, 'README.md'), 'utf8');
		const [, operations = ''] = /\n## Operations\n(.*?)\n## /s.exec(readme) ?? [];
		const documented = operations.split('\n### ').flatMap((section) => {
			const [resource = ''] = section.split('\n', 1);
			return [...section.matchAll(/\*\*(.+?)\*\*/g)].map(([, name]) => `${resource} > ${name}`);
		});
		expect(documented.sort()).toEqual(ALL_OPERATIONS.map(({ title }) => title).sort());
	});

	test('those of the endpoints in docs/gateway-api.md', () => {
		const requests = new Set(OPERATIONS.map(({ request }) => request));
		expect([...signing.keys()].sort()).toEqual([...requests].sort());
	});
});

describe('with the sandbox', () => {
	const gateway = useGateway({ token: 'token/with ünusual+chars', secret: 'quiet & secret 🔑' });

	test.each(OPERATIONS)('$title sends its request and returns the result', async (operation) => {
		for (const asTool of [false, true]) {
			const parameters = await prepare(operation, gateway.account, gateway);
			gateway.clearRequests();
			const { account } = gateway;
			const hasKey = asTool && ['Message > Send', 'Message > Send Media'].includes(operation.title);
			const options = hasKey ? { options: { idempotencyKey: 'off' } } : {};
			const { items, error } = await run({
				...{ account, items: [ITEM], asTool },
				parameters: { ...parameters, ...options },
			});
			expect(error).toBeUndefined();
			const paired = itemsOf(operation).map((item) => ({ ...item, pairedItem: { item: 0 } }));
			expect(items).toMatchObject(paired);
			const { method, url, bodyText, headers } = gateway.theRequest();
			expect(`${method} ${url}`).toBe(requestOf(operation, parameters, gateway.account));
			expect(bodyText).toBe(operation.body ?? '');
			if (bodyText) expect(headers['content-type']).toBe('application/json');
			const signatureHeaders = Object.keys(headers).filter((name) => name.startsWith('x-api'));
			expect(signatureHeaders).toHaveLength(signing.get(operation.request) === 'no' ? 0 : 2);
			gateway.reset();
		}
	});
});
