import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../../nodes/MessagingGateway/MessagingGatewayTrigger.node';

/** The fields of a node, and those of its groups, each with the fields next to it. */
function fieldsOf(fields: INodeProperties[]): Array<[INodeProperties, INodeProperties[]]> {
	return fields.flatMap((field) => {
		const groups = (field.options ?? []) as Array<INodeProperties | INodePropertyCollection>;
		const inside =
			field.type === 'fixedCollection'
				? groups.flatMap((group) => ('values' in group ? fieldsOf(group.values) : []))
				: field.type === 'collection'
					? fieldsOf(groups as INodeProperties[])
					: [];
		return [[field, fields], ...inside] as Array<[INodeProperties, INodeProperties[]]>;
	});
}

const choicesOf = ({ type, options = [] }: INodeProperties): unknown[] =>
	type === 'boolean'
		? [true, false]
		: (options as INodePropertyOptions[]).map(({ value }) => value);

describe.each([
	['the node', new MessagingGateway()],
	['the trigger', new MessagingGatewayTrigger()],
])('%s', (_, { description }) => {
	const all = fieldsOf(description.properties);

	test('shows each field for values that can be chosen', () => {
		const wrong = all.flatMap(([{ name, displayOptions }, siblings]) =>
			Object.entries(displayOptions?.show ?? {}).flatMap(([other, values = []]) => {
				if (/^[@/]/.test(other)) return [];
				const choices = siblings.filter((each) => each.name === other).flatMap(choicesOf);
				return values
					.filter((value) => !choices.includes(value))
					.map((value) => [name, other, value]);
			}),
		);
		expect(wrong).toEqual([]);
	});

	test('has a choice as the default of each choice', () => {
		const choices = all
			.map(([field]) => field)
			// No country is likelier than the others.
			.filter(({ type, name }) => type === 'options' && name !== 'defaultCountry');
		const wrong = choices.filter((field) => !choicesOf(field).includes(field.default));
		expect(wrong.map(({ name, default: chosen }) => [name, chosen])).toEqual([]);
		expect(choices.length).toBeGreaterThan(0);
	});
});
