import type { INodeProperties } from 'n8n-workflow';

import { NOT_SET, numberWithin, oneOf } from '../../../gateway/inputValues';
import { isObject } from '../../../gateway/json';

/** Reads a value by its name: a parameter, or an option, which is NOT_SET if the user did not add it. */
export type Read = (name: string, fallback?: unknown) => unknown;

/** Reads the parameters of a context that has a single item, or none. */
export const parametersOf =
	(context: { getNodeParameter(name: string, fallback?: object): unknown }): Read =>
	(name, fallback) =>
		context.getNodeParameter(name, fallback as object);

/** An option that the user added without a value must not fall back to its default. */
export function optionsIn(read: Read): Read {
	const added = read('options', {}) as object;
	return (name) => (Object.hasOwn(added, name) ? added[name as keyof typeof added] : NOT_SET);
}

/** The number in a field, checked against its own range. An expression can return any value. */
export function numberOf(
	field: INodeProperties,
	read: Read,
	notAdded = field.default as number,
): number {
	const { displayName, typeOptions: { minValue, maxValue, numberPrecision } = {} } = field;
	return numberWithin(read(field.name, field.default), displayName, {
		from: minValue!,
		to: maxValue ?? Infinity,
		default: notAdded,
		isInteger: numberPrecision === 0,
	});
}

/** The value of a field, or of an option that the user did not add. */
export const valueOf = (
	{ name, default: preset }: INodeProperties,
	read: Read,
	notAdded: unknown = preset,
): unknown => {
	const entered = read(name, preset);
	return entered === NOT_SET ? notAdded : entered;
};

interface Choices<Value> extends INodeProperties {
	options: Array<{ name: string; value: Value & string }>;
}

/** The choice in a field, which is one of its own. */
export const choiceOf = <Value>(
	field: Choices<Value>,
	read: Read,
	notAdded?: NoInfer<Value>,
): Value =>
	oneOf(
		valueOf(field, read, notAdded) as Value,
		field.options.map(({ value }) => value),
		field.displayName,
	);

export const flagOf = (field: INodeProperties, read: Read): boolean =>
	oneOf<unknown>(valueOf(field, read), [true, false], field.displayName) as boolean;

/** What a group or a list holds. */
function heldBy(field: INodeProperties, read: Read): unknown {
	const entered = valueOf(field, read);
	return isObject(entered) ? entered.values : undefined;
}

const reader =
	(entered: unknown): Read =>
	(name, fallback) =>
		isObject(entered) && Object.hasOwn(entered, name) ? entered[name] : fallback;

export const valuesOf = (group: INodeProperties, read: Read): Read => reader(heldBy(group, read));

export function entriesOf(list: INodeProperties, read: Read): Read[] {
	const entries = heldBy(list, read);
	return Array.isArray(entries) ? entries.map(reader) : [];
}
