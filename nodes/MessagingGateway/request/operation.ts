import type { INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';

import { shownFor } from '../fields/field';

type CustomOperation = NonNullable<INodeType['customOperations']>[string][string];

/** Everything about an operation. */
export interface Operation {
	/** Its entry in the picker, and its name in the nodes panel. */
	option: [value: string, name: string, action: string];
	description: string;
	/** For n8n's assistant, which drafts workflows. */
	builderHint?: string;
	/** Runs one item when the node is used as a tool. */
	routing: NonNullable<INodePropertyOptions['routing']>;
	/** Runs all items in a workflow. */
	customOperation: CustomOperation;
	properties?: INodeProperties[];
}

/** The operations of a resource: their picker, their fields, and what runs them. */
export const resource = (name: string, operations: Operation[], defaultOperation: string) => ({
	properties: [
		{
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [name] } },
			options: operations.map(
				({ option: [value, label, action], description, builderHint, routing }) => ({
					name: label,
					value,
					action,
					description,
					builderHint: builderHint ? { propertyHint: builderHint } : undefined,
					routing,
				}),
			),
			default: defaultOperation,
		} satisfies INodeProperties,
		...operations.flatMap(({ option: [operation], properties = [] }) =>
			// First, because n8n shows a field as soon as one of its conditions depends on an expression.
			shownFor({ resource: [name], operation: [operation] }, ...properties),
		),
	],
	customOperations: Object.fromEntries(
		operations.map(({ option: [value], customOperation }) => [value, customOperation]),
	),
});
