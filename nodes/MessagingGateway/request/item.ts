import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { NOT_SET } from '../../../gateway/inputValues';
import { InvalidInput } from '../../../gateway/invalidInput';
import { isObject } from '../../../gateway/json';
import { type ItemExpression, itemExpression } from '../fields/itemExpression';
import { optionsIn, type FieldReader, type FieldReaders } from '../fields/read';

/** One input item, the same in a workflow and as a tool. */
export interface Item extends FieldReaders {
	context: IExecuteFunctions;
	index: number;
	input: INodeExecutionData;
	/** Gets the message instead of its recipient. */
	testRecipient?: string;
}

export const itemIndexes = (context: IExecuteFunctions): number[] => [
	...context.getInputData().keys(),
];

/** What the items of a run share. */
interface Parameter {
	/** Whether it is the same for all items. */
	isFixed: boolean;
	compute?: ItemExpression;
	/** As n8n gave it, if it is fixed. */
	value?: unknown;
}

/**
 * Reads the items of a run. Reading a field with n8n is slow, so one without an expression is read once, and one with a
 * simple expression is computed here.
 */
export function itemReader(context: IExecuteFunctions): (index: number) => Item {
	const parameters = new Map<string, Parameter>();
	const parameterAt = (path: string): Parameter => {
		const known = parameters.get(path);
		if (known) return known;
		const stored = storedIn(context, path);
		const parameter = { isFixed: isFixed(stored), compute: itemExpression(stored) };
		parameters.set(path, parameter);
		return parameter;
	};
	return (index) => {
		const input = context.getInputData()[index]!;
		let options: FieldReader | undefined;
		const field: FieldReader = (path) => {
			const parameter = parameterAt(path);
			const known = parameter.isFixed ? parameter.value : parameter.compute?.(input.json);
			if (known !== undefined) return known;
			const value: unknown = context.getNodeParameter(path, index, NOT_SET);
			// Others may be files, which would stay in memory.
			if (parameter.isFixed) parameter.value = value;
			return value;
		};
		const option: FieldReader = (name) =>
			(options ??= optionsIn(field, storedIn(context, 'options')))(name);
		return { context, index, input, field, option };
	};
}

/** A parameter, or the value at a path in it, with the expressions as the user wrote them. */
const storedIn = (context: IExecuteFunctions, path: string): unknown =>
	path
		.split('.')
		.reduce<unknown>(
			(value, name) => (isObject(value) ? value[name] : undefined),
			context.getNode().parameters,
		);

const isFixed = (stored: unknown) => !JSON.stringify(stored ?? '').includes('"=');

/** Rejects a setting of the whole run that is another one for another item: the run can only use one of them. */
export function checkSame(
	context: IExecuteFunctions,
	label: string,
	/** With its expressions. */
	stored: unknown,
	read: (item: Item) => unknown,
): void {
	const indexes = itemIndexes(context);
	if (indexes.length < 2 || isFixed(stored)) return;
	const values = indexes.map(itemReader(context)).map((item) => JSON.stringify(read(item)));
	const other = values.findIndex((value) => value !== values[0]);
	if (other < 0) return;
	throw new InvalidInput(
		`'${label}' is not the same for all items: item ${indexes[other]} has another one than item ${indexes[0]}`,
		'It applies to the whole run. Use the same value for all items, or run the node once per value, e.g. in a Loop Over Items node.',
	);
}
