import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { NOT_SET, numberWithin, oneOf, optionalText } from '../../../gateway/inputValues';
import { InvalidInput } from '../../../gateway/invalidInput';
import { isObject } from '../../../gateway/json';

/**
 * Reads what is stored under a name: a parameter, an option or a value of a group; NOT_SET if nothing is. The functions below
 * return it only if it is what the field declares, and reject everything else: a value of the wrong shape is not "not set".
 */
export type FieldReader = (name: string) => unknown;

/**
 * The options that some operation or event has. n8n leaves those of another operation behind when the user changes the operation, so
 * they are ignored where they do not apply; any other name is a typo.
 */
export const OPTION_NAMES = new Set<string>();

interface Parameters {
	getNode(): { parameters: Record<string, unknown> };
	getNodeParameter(name: string, fallback?: object): unknown;
}

export interface FieldReaders {
	field: FieldReader;
	option: FieldReader;
}

/** Of a context that has a single item, or none. */
export function readersOf(context: Parameters): FieldReaders {
	const field: FieldReader = (name) => context.getNodeParameter(name, NOT_SET as unknown as object);
	return { field, option: optionsIn(field, context.getNode().parameters.options) };
}

/**
 * Reads the options. `stored` are the options without their expressions evaluated: each is read on its own, so that an
 * expression which fails concerns its own option only. If it is no object, it may be one expression for all of them.
 */
export function optionsIn(read: FieldReader, stored: unknown = {}): FieldReader {
	const isStored = isObject(stored);
	const option = valuesIn(isStored ? stored : read('options'), 'Options', [...OPTION_NAMES]);
	return (name) => (isStored && option(name) !== NOT_SET ? read(`options.${name}`) : option(name));
}

/** Reads an object that has no other names. */
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

/** The value of a field, or of an option that the user did not add. */
export const fieldValue = (
	{ name, default: preset }: INodeProperties,
	read: FieldReader,
	notAdded: unknown = preset,
): unknown => {
	const entered = read(name);
	return entered === NOT_SET ? notAdded : entered;
};

/** The text in a field; undefined if it is empty. */
export const textOf = (
	field: INodeProperties,
	read: FieldReader,
	max?: number,
): string | undefined => optionalText(fieldValue(field, read), field.displayName, max);

/** The number in a field, checked against its own range. An expression can return any value. */
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

/** The choice that a text names by its value or its label. */
export const namedChoice = <Value>({ options }: Choices<Value>, entered: unknown) =>
	options.find((option) =>
		[option.value, option.name].some(
			(word) => typeof entered === 'string' && plainLabel(word) === plainLabel(entered),
		),
	)?.value;

const plainLabel = (text: string) => text.toLowerCase().replace(/\s/g, '');

/** The choice in a field, which is one of its own. */
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

/** Groups and lists have one kind of entry. */
const entryOf = ({ options }: INodeProperties) =>
	options![0] as INodePropertyCollection & { values: INodeProperties[] };

const isEmptyObject = (value: unknown) => isObject(value) && Object.keys(value).length === 0;

/** Reads the entries of a list; a group has one. None if the user added nothing. */
export function entriesOf(field: INodeProperties, read: FieldReader): FieldReader[] {
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

export const valuesOf = (group: INodeProperties, read: FieldReader): FieldReader | undefined =>
	entriesOf(group, read)[0];

/** Reads the values of one entry. The defaults of required ones belong to the editor. */
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
