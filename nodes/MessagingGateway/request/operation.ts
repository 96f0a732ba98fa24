import type { INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';

import { shownFor } from '../fields/field';

type CustomOperation = NonNullable<INodeType['customOperations']>[string][string];

/** Everything about an operation. Each is in a file of its own. */
export interface Operation {
	/** The entry of the picker. */
	option: INodePropertyOptions & { action: string };
	/** Runs one item when the node is used as a tool. */
	routing: NonNullable<INodePropertyOptions['routing']>;
	/** Runs all items in a workflow. */
	customOperation: CustomOperation;
	properties?: INodeProperties[];
}

/** The operation picker of a resource, and the fields of its operations. */
export function resourceProperties(
	resource: string,
	operations: Operation[],
	defaultOperation: string,
): INodeProperties[] {
	return [
		{
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [resource] } },
			options: operations.map(({ option, routing }) => ({ ...option, routing })),
			default: defaultOperation,
		},
		...operations.flatMap(({ option, properties = [] }) =>
			// First, because n8n shows a field as soon as one of its conditions depends on an expression.
			shownFor({ resource: [resource], operation: [option.value] }, ...properties),
		),
	];
}

export const customOperations = (operations: Operation[]): Record<string, CustomOperation> =>
	Object.fromEntries(
		operations.map(({ option, customOperation }) => [option.value as string, customOperation]),
	);
