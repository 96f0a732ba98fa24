import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import {
	NOT_SET,
	numberWithin,
	oneOf,
	optionalText,
	InvalidInput,
} from '../../../gateway/inputValues';
import { isObject } from '../../../gateway/json';

/**
 * Returns what is stored under the name of a parameter, of an option or of a value in a group, or NOT_SET. The functions below return
 * it only if it has the shape that the field declares, and throw otherwise: a value of the wrong shape does not count as not set.
 */
export type FieldReader = (name: string) => unknown;

export const COLLECTIONS = { options: 'Options', advancedOptions: 'Advanced Options' };
type Collection = keyof typeof COLLECTIONS;

/**
 * The collection of each option of all operations and events. When the user changes the operation, n8n keeps the options of the old
 * one, so these names are ignored where they do not apply. Any other name is a typo.
 */
export const COLLECTION_OF = new Map<string, Collection>();

interface Parameters {
	getNode(): { parameters: Record<string, unknown> };
	getNodeParameter(name: string, fallback?: object): unknown;
}

export interface FieldReaders {
	field: FieldReader;
	option: FieldReader;
}

/** Returns the readers of a context that has no items, such as a trigger or a list of choices. */
export function readersOf(context: Parameters): FieldReaders {
	const field: FieldReader = (name) => context.getNodeParameter(name, NOT_SET as unknown as object);
	return { field, option: optionsIn(field, context.getNode().parameters) };
}

/**
 * Returns the reader of the options. `stored` has the parameters with their expressions not evaluated. Each option is read on
 * its own, so that a failing expression affects no other option. A collection that is no object may be one expression for all.
 */
export function optionsIn(read: FieldReader, stored: Record<string, unknown>): FieldReader {
	const readerOf = (collection: Collection): FieldReader => {
		const { [collection]: held = {} } = stored;
		const isStored = isObject(held);
		const names = [...COLLECTION_OF.keys()].filter(
			(name) => COLLECTION_OF.get(name) === collection,
		);
		const option = valuesIn(isStored ? held : read(collection), COLLECTIONS[collection], names);
		return (name) =>
			isStored && option(name) !== NOT_SET ? read(`${collection}.${name}`) : option(name);
	};
	const readers = { options: readerOf('options'), advancedOptions: readerOf('advancedOptions') };
	return (name) => readers[COLLECTION_OF.get(name)!](name);
}

/** Returns the reader of an object's values. Throws InvalidInput if it is not an object or has a name that is not in `names`. */
export function valuesIn(
	value: unknown,
	label: string,
	names: string[],
	form?: string,
): FieldReader {
	if (!isObject(value)) {
		throw new InvalidInput(
			`'${label}' is not in the form that n8n's editor stores`,
			`Enter it in the editor, or use an object${form ? `: ${form}` : ' with the name and the value of each option'}.`,
		);
	}
	const unknown = Object.keys(value).find((name) => !names.includes(name));
	if (unknown === undefined) return (name) => (Object.hasOwn(value, name) ? value[name] : NOT_SET);
	throw new InvalidInput(
		`'${label}' contains '${unknown.slice(0, 100)}', which does not exist`,
		form ? `Use ${form}.` : 'Check the name for a typo, or add the option in the editor.',
	);
}

/** Returns the value of a field, or `notAdded` if nothing is stored: by default, the default of the field. */
export const fieldValue = (
	{ name, default: preset }: INodeProperties,
	read: FieldReader,
	notAdded: unknown = preset,
): unknown => {
	const entered = read(name);
	return entered === NOT_SET ? notAdded : entered;
};

export const textOf = (
	field: INodeProperties,
	read: FieldReader,
	max?: number,
): string | undefined => optionalText(fieldValue(field, read), field.displayName, max);

/** Returns the number in a field. Checks it against the field's range, because an expression can return any value. */
export function numberOf(
	field: INodeProperties,
	read: FieldReader,
	notAdded = field.default as number,
): number {
	const { displayName, typeOptions: { minValue, maxValue, numberPrecision } = {} } = field;
	return numberWithin(read(field.name), displayName, {
		from: minValue!,
		to: maxValue ?? Infinity,
		default: notAdded,
		isInteger: numberPrecision === 0,
	});
}

interface Choices<Value> extends INodeProperties {
	options: Array<{ name: string; value: Value & string }>;
}

export const namedChoice = <Value>({ options }: Choices<Value>, entered: unknown) =>
	options.find((option) =>
		[option.value, option.name].some(
			(word) => typeof entered === 'string' && plainLabel(word) === plainLabel(entered),
		),
	)?.value;

const plainLabel = (text: string) => text.toLowerCase().replace(/\s/g, '');

export function choiceOf<Value>(
	field: Choices<Value>,
	read: FieldReader,
	notAdded?: NoInfer<Value>,
): Value {
	const entered = fieldValue(field, read, notAdded);
	const values = field.options.map(({ value }) => value);
	return oneOf<unknown>(namedChoice(field, entered) ?? entered, values, field.displayName) as Value;
}

export const flagOf = (field: INodeProperties, read: FieldReader): boolean =>
	oneOf<unknown>(fieldValue(field, read), [true, false], field.displayName) as boolean;

/** Returns the declaration of the entries. Groups and lists have only one kind. */
const entryOf = ({ options }: INodeProperties) =>
	options![0] as INodePropertyCollection & { values: INodeProperties[] };

const isEmptyObject = (value: unknown) => isObject(value) && Object.keys(value).length === 0;

/** Returns a reader for each entry of a list, or for the only entry of a group. Returns none if the user added nothing. */
export function entryReaders(field: INodeProperties, read: FieldReader): FieldReader[] {
	const { displayName, default: preset, typeOptions } = field;
	const { name, values } = entryOf(field);
	const isList = typeOptions?.multipleValues === true;
	const entered = read(field.name);
	if (entered === NOT_SET || (isEmptyObject(entered) && isEmptyObject(preset))) return [];
	const names = values.map((value) => `"${value.name}": …`).join(', ');
	const form = `{"${name}": ${isList ? `[{${names}}, …]` : `{${names}}`}}`;
	const held = valuesIn(entered, displayName, [name], form)(name);
	const entries = isList && Array.isArray(held) ? (held as unknown[]) : [isList ? undefined : held];
	return entries.map((entry) => entryReader(field, entry, form));
}

export const groupReader = (group: INodeProperties, read: FieldReader): FieldReader | undefined =>
	entryReaders(group, read)[0];

/** Returns the reader of one entry. Throws InvalidInput for a missing required value, whose default only the editor enters. */
function entryReader(field: INodeProperties, entry: unknown, form: string): FieldReader {
	const { values } = entryOf(field);
	const names = values.map(({ name }) => name);
	const read = valuesIn(entry, field.displayName, names, form);
	return (name) => {
		const value = read(name);
		const { required, displayName } = values.find((each) => each.name === name)!;
		if (value !== NOT_SET || !required) return value;
		throw new InvalidInput(
			`'${displayName}' of '${field.displayName}' is missing`,
			`Enter it in the editor, or use ${form}.`,
		);
	};
}
