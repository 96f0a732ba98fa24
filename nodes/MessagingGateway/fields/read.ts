import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { NOT_SET, numberWithin, oneOf } from '../../../gateway/inputValues';
import { InvalidInput } from '../../../gateway/invalidInput';
import { isObject } from '../../../gateway/json';

/**
 * Reads what is stored under a name: a parameter, an option or a value of a group; NOT_SET if nothing is. The functions below
 * return it only if it is what the field declares, and reject everything else: a value of the wrong shape is not "not set".
 */
export type Read = (name: string) => unknown;

/**
 * The options that some operation or event has. n8n leaves those of another operation behind when the user changes the operation, so
 * they are ignored where they do not apply; any other name is a typo.
 */
export const OPTION_NAMES = new Set<string>();

interface Parameters {
	getNode(): { parameters: Record<string, unknown> };
	getNodeParameter(name: string, fallback?: object): unknown;
}

/** Reads the parameters and the options of a context that has a single item, or none. */
export function readersOf(context: Parameters): { field: Read; option: Read } {
	const field: Read = (name) => context.getNodeParameter(name, NOT_SET as unknown as object);
	const { options } = context.getNode().parameters;
	return { field, option: optionsIn(field, options) };
}

/**
 * Reads the options. `stored` are the options without their expressions evaluated: each is read on its own, so that an
 * expression which fails concerns its own option only.
 */
export function optionsIn(read: Read, stored: unknown): Read {
	if (stored === undefined) return () => NOT_SET;
	const isStored = isObject(stored);
	// Otherwise it may be one expression for all of them.
	const option = valuesIn(isStored ? stored : read('options'), 'Options', [...OPTION_NAMES]);
	return isStored
		? (name) => (Object.hasOwn(stored, name) ? read(`options.${name}`) : NOT_SET)
		: option;
}

/** Reads an object that has no other names. */
export function valuesIn(value: unknown, label: string, names: string[], form?: string): Read {
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
export const valueOf = (
	{ name, default: preset }: INodeProperties,
	read: Read,
	notAdded: unknown = preset,
): unknown => {
	const entered = read(name);
	return entered === NOT_SET ? notAdded : entered;
};

/** The number in a field, checked against its own range. An expression can return any value. */
export function numberOf(
	field: INodeProperties,
	read: Read,
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
			(word) => typeof entered === 'string' && plain(word) === plain(entered),
		),
	)?.value;

const plain = (text: string) => text.toLowerCase().replace(/\s/g, '');

/** The choice in a field, which is one of its own. */
export function choiceOf<Value>(
	field: Choices<Value>,
	read: Read,
	notAdded?: NoInfer<Value>,
): Value {
	const entered = valueOf(field, read, notAdded);
	const values = field.options.map(({ value }) => value);
	return oneOf<unknown>(namedChoice(field, entered) ?? entered, values, field.displayName) as Value;
}

export const flagOf = (field: INodeProperties, read: Read): boolean =>
	oneOf<unknown>(valueOf(field, read), [true, false], field.displayName) as boolean;

/** Groups and lists have one kind of entry. */
const entryOf = ({ options }: INodeProperties) =>
	options![0] as INodePropertyCollection & { values: INodeProperties[] };

/** What a group or a list holds; NOT_SET if it is empty, which only its default can be. */
function heldBy(field: INodeProperties, read: Read, form: string): unknown {
	const { displayName, default: preset } = field;
	const { name } = entryOf(field);
	const entered = valueOf(field, read);
	if (isEmpty(entered) && isEmpty(preset)) return NOT_SET;
	const held = valuesIn(entered, displayName, [name], form)(name);
	return held === NOT_SET ? undefined : held;
}

const isEmpty = (value: unknown) => isObject(value) && Object.keys(value).length === 0;

/** Reads the values of one entry. The defaults of required ones belong to the editor. */
function entryReader(field: INodeProperties, entry: unknown, form: string): Read {
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

/** As JSON, for messages. */
function formOf(field: INodeProperties, opening = '', closing = ''): string {
	const { name, values } = entryOf(field);
	const names = values.map((value) => `"${value.name}": …`).join(', ');
	return `{"${name}": ${opening}{${names}}${closing}}`;
}

export function valuesOf(group: INodeProperties, read: Read): Read {
	const form = formOf(group);
	const held = heldBy(group, read, form);
	return held === NOT_SET ? () => NOT_SET : entryReader(group, held, form);
}

export function entriesOf(list: INodeProperties, read: Read): Read[] {
	const form = formOf(list, '[', ', …]');
	const entries = heldBy(list, read, form);
	if (entries === NOT_SET) return [];
	// Of something else, the reader of an entry says what is expected.
	return (Array.isArray(entries) ? entries : ['']).map((entry) => entryReader(list, entry, form));
}
