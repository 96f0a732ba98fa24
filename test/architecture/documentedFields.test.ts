/** What README and docs/ say of the fields, compared with the code. */
import type { INodeProperties } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../credentials/MessagingGatewayApi.credentials';
import { NOT_SET } from '../../gateway/inputValues';
import { chatId, country } from '../../gateway/text/chatId';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGateway/MessagingGatewayTrigger.node';
import packageJson from '../../package.json';
import { anchorsOf, documents, read } from './repository';

const forUsers = documents.filter((path) => /^(README|docs\/[^/]+)\.md$/.test(path));

/** A property, and all that are inside it. */
function withInner(property: INodeProperties): INodeProperties[] {
	const inner = (property.options ?? []).flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});
	return [property, ...inner.flatMap((entry) => withInner(entry))];
}

const described = [
	new MessagingGateway().description,
	new MessagingGatewayTrigger().description,
	new MessagingGatewayApi(),
];
const properties = described.flatMap((type) => type.properties.flatMap(withInner));

const REPOSITORY = packageJson.homepage.replace('#readme', '');

test('each link of a node leads to a heading of a document', () => {
	const documentation = described.map(({ documentationUrl }) => documentationUrl!);
	const links = properties.flatMap(({ description = '' }) =>
		[...description.matchAll(/ <a href="([^"]+)">More info<\/a>\.$/g)].map(([, link]) => link!),
	);
	expect(new Set(links).size).toBeGreaterThan(6);
	const missing = [...documentation, ...links].filter((link) => {
		expect(link).toContain(REPOSITORY);
		const [path, anchor] = link.replace(REPOSITORY, '').replace('/blob/main/', '').split('#');
		return anchor && !anchorsOf(path || 'README.md').includes(anchor);
	});
	expect(missing).toEqual([]);
});

/** `_Concurrency_ (default 10, from 1 to 100)`; the bounds may be missing. */
const DEFAULT = /_([A-Z][^_]*?)_ \(default `?([^\s,)`]+)`?(?:, from (\d+) to (\d+))?\)/g;

test('each default and its bounds are those of the code', () => {
	const stated = forUsers.flatMap((document) =>
		[...read(document).replace(/\n\s*/g, ' ').matchAll(DEFAULT)].map(
			([, label, preset, from, to]) => ({ document, label, preset, from, to }),
		),
	);
	expect(stated.length).toBeGreaterThan(0);
	const wrong = stated.filter(({ label, preset, from, to }) => {
		const meant = properties.filter(({ displayName }) => displayName === label);
		return !meant.some(({ default: value, typeOptions = {} }) => {
			const bounds = [typeOptions.minValue, typeOptions.maxValue].map(String);
			return (
				JSON.stringify(value).replaceAll('"', '') === preset &&
				(!from || (bounds[0] === from && bounds[1] === to))
			);
		});
	});
	expect(wrong).toEqual([]);
});

test('each number of the table of recipients is read as the table says', () => {
	const rows = [
		...read('docs/messages.md').matchAll(/^\| `([^`]+)`, (\w+) +\| (?:`(\d+)`|(.+?)) +\|/gm),
	];
	expect(rows).toHaveLength(9);
	for (const [, entered, code, digits, words] of rows) {
		const recipient = () => chatId(entered, country(code === 'any' ? NOT_SET : code));
		if (words === 'rejected') expect(recipient).toThrow();
		else expect([entered, recipient()]).toEqual([entered, digits ?? entered]);
	}
});
