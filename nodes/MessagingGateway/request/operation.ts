import type { INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';

import { numberWithin } from '../../../gateway/inputValues';

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

/** The number entered in a field, checked against the field's own limits. An expression can return any value. */
export function numberOf(
	{
		displayName,
		typeOptions: { minValue, maxValue, numberPrecision } = {},
		...field
	}: INodeProperties,
	entered: unknown,
): number {
	return numberWithin(entered, displayName, {
		from: minValue!,
		to: maxValue!,
		default: field.default as number,
		isInteger: numberPrecision === 0,
	});
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
			properties.map((property) => ({
				...property,
				displayOptions: {
					// First, because n8n shows a field as soon as one of these conditions depends on an expression.
					show: {
						resource: [resource],
						operation: [option.value],
						...property.displayOptions?.show,
					},
				},
			})),
		),
	];
}

export const customOperations = (operations: Operation[]): Record<string, CustomOperation> =>
	Object.fromEntries(
		operations.map(({ option, customOperation }) => [option.value as string, customOperation]),
	);
