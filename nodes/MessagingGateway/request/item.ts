import type { IExecuteFunctions, IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import { itemExpression } from '../fields/itemExpression';
import { optionsIn, type Read } from '../fields/read';

/** The context of a run, or of a tool call, which is a run of one item. */
export type RunContext = IExecuteFunctions | IExecuteSingleFunctions;

/** One input item, the same in a workflow and as a tool. */
export interface Item {
	context: RunContext;
	index: number;
	input: INodeExecutionData;
	/** Reads a field of the node. */
	field: Read;
	/** Reads an option; NOT_SET if the user did not add it. */
	option: Read;
}

export const itemIndexes = (context: RunContext): number[] =>
	'getItemIndex' in context ? [context.getItemIndex()] : [...context.getInputData().keys()];

/**
 * Reads the items of a run. Reading a field with n8n is slow, so one without an expression is read once, and one with a
 * simple expression is computed here.
 */
export function itemReader(context: RunContext): (index: number) => Item {
	const parameters = 'getItemIndex' in context ? [] : Object.entries(context.getNode().parameters);
	const expressions = new Map(parameters.map(([name, value]) => [name, itemExpression(value)]));
	const withExpression = parameters
		.filter(([, value]) => JSON.stringify(value ?? '').includes('"='))
		.map(([name]) => name);
	const fixedFields = new Map<string, unknown>();
	return (index) => {
		const isTool = 'getItemIndex' in context;
		const input = isTool ? context.getInputData() : context.getInputData()[index]!;
		let options: Read | undefined;
		const field: Read = (name, fallback) => {
			if (fixedFields.has(name)) return fixedFields.get(name);
			const computed = expressions.get(name)?.(input.json);
			if (computed !== undefined) return computed;
			const value: unknown = isTool
				? context.getNodeParameter(name, fallback)
				: context.getNodeParameter(name, index, fallback);
			// A name can be a path: options.maxTries
			if (!withExpression.includes(name.split('.', 1)[0]!)) fixedFields.set(name, value);
			return value;
		};
		const option: Read = (name) => (options ??= optionsIn(field))(name);
		return { context, index, input, field, option };
	};
}
