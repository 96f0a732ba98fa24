import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { NOT_SET, InvalidInput } from '../../../gateway/inputValues';
import { isObject, type JsonObject } from '../../../gateway/json';
import { type ItemExpression, itemExpression } from '../fields/itemExpression';
import { type CheckedField, checkedField, checkedValue } from '../fields/missingValues';
import { optionsIn, type FieldReader, type FieldReaders } from '../fields/read';

/** One input item. Operations read it in the same way in a workflow and as a tool. */
export interface Item extends FieldReaders {
	context: IExecuteFunctions;
	index: number;
	input: INodeExecutionData;
	/** The chat that gets the message instead of its recipient, if the credential says One Test Number. */
	testRecipient?: string;
	/** Says who may get messages. Without it, anyone may. */
	credentials?: JsonObject;
}

export const itemIndexes = (context: IExecuteFunctions) => [...context.getInputData().keys()];

/** What the reader knows about a parameter, for all items of the run. */
interface Parameter {
	/** Whether it contains no expression, so that it is the same for all items. */
	isFixed: boolean;
	checked?: CheckedField;
	compute?: ItemExpression;
	/** The value that n8n returned. It is kept only if the parameter is fixed. */
	value?: unknown;
}

/**
 * Returns a function that reads an item of the run. n8n is slow at reading fields, so a field without an expression is
 * read only once, and a simple expression is computed here.
 */
export function itemReader(context: IExecuteFunctions): (index: number) => Item {
	const parameters = new Map<string, Parameter>();
	const parameterAt = (path: string): Parameter => {
		const known = parameters.get(path);
		if (known) return known;
		const stored = storedIn(context, path);
		const checked = checkedField(path, stored);
		const compute = itemExpression(checked?.marked ?? stored);
		const parameter = { isFixed: isFixed(stored), checked, compute };
		parameters.set(path, parameter);
		return parameter;
	};
	return (index) => {
		const input = context.getInputData()[index]!;
		let options: FieldReader | undefined;
		const field: FieldReader = (name) => {
			const stored = storedIn(context, name);
			// A field with a list holds its value in an object, unless the workflow is older than the list.
			const path =
				isObject(stored) && '__rl' in stored && 'value' in stored ? `${name}.value` : name;
			const parameter = parameterAt(path);
			const { isFixed, checked, compute } = parameter;
			let value: unknown = isFixed ? parameter.value : compute?.(input.json);
			if (value === undefined) {
				value = checked?.marked
					? context.evaluateExpression(checked.marked.slice(1), index)
					: context.getNodeParameter(path, index, NOT_SET);
				// The values of an expression are not kept: they may be files, which would stay in memory.
				if (isFixed) parameter.value = value;
			}
			return checked ? checkedValue(value, checked, option) : value;
		};
		const option: FieldReader = (name) =>
			(options ??= optionsIn(field, context.getNode().parameters))(name);
		return { context, index, input, field, option };
	};
}

function storedIn(context: IExecuteFunctions, path: string): unknown {
	let value: unknown = context.getNode().parameters;
	for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined;
	return value;
}

const isFixed = (stored: unknown) => !JSON.stringify(stored ?? '').includes('"=');

/** Throws InvalidInput if a setting of the whole run differs between items, because the run can use only one value. */
export function checkSame(
	context: IExecuteFunctions,
	label: string,
	/** The setting as stored, without evaluating its expressions. */
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

export function checkRequestOptions(context: IExecuteFunctions): void {
	const stored = context.getNode().parameters.requestOptions;
	checkSame(context, 'Request Options', stored, ({ field }) => field('requestOptions'));
}
