import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DirectoryLoader } from 'n8n-core';
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import codex from '../../nodes/MessagingGateway/MessagingGateway.node.json';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import triggerCodex from '../../nodes/MessagingGateway/MessagingGatewayTrigger.node.json';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGateway/MessagingGatewayTrigger.node';
import packageJson from '../../package.json';
import { DOCUMENTED_ENDPOINTS } from '../harness/apiDocument';
import { description, run, type RunOptions } from '../harness/engine';
import {
	ALL_OPERATIONS,
	itemsOf,
	type Operation,
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

const valuesOf = ({ parameters: { resource, operation } }: Pick<Operation, 'parameters'>) =>
	`${resource}/${operation}`;

test.each(['send', 'sendMedia'])('%s offers the countries by name', (operation) => {
	const options = properties.find(
		({ name, displayOptions }) =>
			name === 'options' && displayOptions?.show?.operation?.[0] === operation,
	)!.options as INodeProperties[];
	const country = options.find(({ name }) => name === 'defaultCountry')!;
	const countries = country.options as INodePropertyOptions[];
	expect(countries.length).toBeGreaterThan(240);
	expect(countries).toContainEqual({ name: 'Germany (DE, +49, Deutschland)', value: 'DE' });
	expect(countries).toContainEqual({ name: 'United Kingdom (GB, +44, UK)', value: 'GB' });
	const names = countries.map(({ name }) => name);
	expect(names[1]).toBe('Åland Islands (AX, +358)');
	expect(names.at(-1)).toBe('Zimbabwe (ZW, +263)');
});

test("has the names that n8n's verification expects", () => {
	const { name } = packageJson;
	expect([codex.node, triggerCodex.node]).toEqual([
		`${name}.${new MessagingGateway().description.name}`,
		`${name}.${new MessagingGatewayTrigger().description.name}`,
	]);
	const [notice, event] = new MessagingGatewayTrigger().description.properties;
	expect(notice!.type).toBe('notice');
	expect(event).toMatchObject({ name: 'event', displayName: 'Trigger On' });
});

test('the caption of a file is a field behind its type, and no option', () => {
	const shown = properties.filter(({ displayOptions: { show } = {} }) =>
		show?.operation?.includes('sendMedia'),
	);
	const names = shown.map(({ name }) => name);
	expect(names.slice(names.indexOf('mediaType'))).toEqual(['mediaType', 'caption', 'options']);
	const options = shown.at(-1)!.options as INodeProperties[];
	expect(options.map(({ name }) => name)).not.toContain('caption');
});

// The editor shows them below the names of the operations.
test('descriptions of operations have at most two lines', () => {
	const descriptions = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options }) => options as INodePropertyOptions[])
		.map(({ description }) => description!);
	expect(descriptions.length).toBeGreaterThan(15);
	expect(descriptions.filter(({ length }) => length > 90)).toEqual([]);
});

test('a form element asks for its label before its options', () => {
	const elements = properties.find(({ name }) => name === 'formFields')!;
	const [{ values }] = elements.options as unknown as [{ values: INodeProperties[] }];
	expect(values.map(({ displayName }) => displayName)).toEqual([
		...['Element Type', 'Label', 'Name', 'Options', 'Placeholder', 'Required Field'],
	]);
});

test("hints for n8n's assistant have at most two sentences, and name what exists", () => {
	const hints: string[] = [];
	const known = ['onError', 'continueErrorOutput'];
	JSON.stringify(new MessagingGateway().description, (name, value: unknown) => {
		if (/^(search|property|relation)Hint$/.test(name)) hints.push(value as string);
		if (name === 'name' || name === 'value') known.push(String(value));
		return value;
	});
	expect(new Set(hints).size).toBeGreaterThan(7);
	expect(hints.filter((hint) => hint.split('. ').length > 2)).toEqual([]);
	const words = hints.flatMap((hint) => hint.match(/\b[a-z]+[A-Z]\w*/g) ?? []);
	expect(words.filter((word) => !known.includes(word))).toEqual([]);
});

test('has the Request Options that n8n adds only to nodes without a webhook', () => {
	const plain = { description: description('plain') };
	DirectoryLoader.applyDeclarativeNodeOptionParameters(plain);
	const optionsOf = ({ properties }: INodeTypeDescription) =>
		properties
			.filter(({ name, type }) => name === 'requestOptions' && type === 'collection')
			.flatMap(({ options }) => options as INodeProperties[])
			.map(({ name, type, default: preset }) => [name, type, preset]);
	expect(optionsOf(new MessagingGateway().description)).toEqual(optionsOf(plain.description));
	expect(optionsOf(plain.description)).toHaveLength(4);
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
		expect(offered).toEqual(
			ALL_OPERATIONS.map((operation) => [operation.title, valuesOf(operation)]),
		);
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
	const gateway = useGateway();
	const file = { data: 'QUJD', mimeType: 'text/plain', fileName: 'a.txt' };

	describe.each(OPERATIONS)('$title', (operation) => {
		test.each([
			['in a workflow', false],
			['as a tool', true],
		])('sends its request %s and returns the result', async (_, asTool) => {
			const parameters = await prepare(operation, gateway.account, gateway);
			gateway.clearRequests();
			const { items, error } = await run({
				account: gateway.account,
				parameters: parameters as RunOptions['parameters'],
				items: [{ json: {}, binary: { data: file } }],
				asTool,
			});
			expect(error).toBeUndefined();
			const paired = itemsOf(operation).map((item) => ({ ...item, pairedItem: { item: 0 } }));
			expect(items).toMatchObject(paired);

			const { method, url, bodyText, headers } = gateway.theRequest();
			expect(`${method} ${url}`).toBe(requestOf(operation, parameters, gateway.account));
			expect(bodyText).toBe(operation.body ?? '');
			expect(Object.keys(headers).filter((name) => name.startsWith('x-api'))).toHaveLength(
				signing.get(operation.request) === 'no' ? 0 : 2,
			);
		});
	});

	const lists = OPERATIONS.filter(({ parameters }) => 'returnAll' in parameters);
	test.each(lists)('$title returns as many items as Limit says', async (operation) => {
		const parameters = await prepare(operation, gateway.account, gateway);
		const { items } = await run({
			account: gateway.account,
			parameters: { ...parameters, returnAll: false, limit: 1 },
		});
		expect(itemsOf(operation).length).toBeGreaterThan(1);
		expect(items).toMatchObject(itemsOf(operation).slice(0, 1));
	});
});
