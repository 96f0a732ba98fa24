import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

import { COLLECTION_OF, COLLECTIONS } from './read';

type More = Partial<INodeProperties>;

const PAGES =
	'https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway/blob/main/docs/';

/** Returns a function that adds the description, which comes last because it is long. `page` is the part of docs/ to link to. */
const field =
	<Own extends More & Pick<INodeProperties, 'default'>>(
		type: INodeProperties['type'],
		name: string,
		displayName: string,
		own: Own,
	) =>
	(description?: string, page?: string) => ({
		displayName,
		name,
		type,
		...own,
		description: page ? `${description} <a href="${PAGES}${page}">More info</a>.` : description,
	});

interface TextOptions extends Pick<More, 'hint' | 'required' | 'displayOptions'> {
	default?: string;
	/** The placeholder, without the "e.g." that n8n's placeholders begin with. */
	example?: string;
	rows?: number;
}

const stringField =
	(type: 'string' | 'json') =>
	(
		name: string,
		label: string,
		{ example, rows, default: preset = '', ...more }: TextOptions = {},
	) =>
		field(type, name, label, {
			...more,
			typeOptions: rows === undefined ? undefined : { rows },
			default: preset,
			placeholder: example === undefined ? undefined : `e.g. ${example}`,
		});

export const text = stringField('string');
export const json = stringField('json');

/** Declares a field whose value the user enters, or finds in a list that the node searches. */
export function searchable(
	name: string,
	label: string,
	mode: 'list' | 'id',
	searchListMethod: string,
	entered: Omit<INodePropertyMode, 'name'>,
) {
	// Replaces `required`, whose check in n8n fails with a TypeError if a workflow has null here.
	const notEmpty = { regex: '[^]+', errorMessage: `'${label}' is empty` };
	const validation = [{ type: 'regex' as const, properties: notEmpty }];
	const typeOptions = { searchListMethod, searchable: true };
	const inList = { displayName: 'From List', name: 'list', type: 'list' as const, typeOptions };
	const modes = [inList, { ...entered, name: 'id' }].map((each) => ({ ...each, validation }));
	return field('resourceLocator', name, label, { default: { mode, value: '' }, modes });
}

interface NumberOptions extends More {
	range: [from: number, to?: number];
	default: number;
}

export const number = (
	name: string,
	label: string,
	{ range: [minValue, maxValue], typeOptions, ...more }: NumberOptions,
) => field('number', name, label, { ...more, typeOptions: { minValue, maxValue, ...typeOptions } });

export const wholeNumber = (name: string, label: string, own: NumberOptions) =>
	number(name, label, { ...own, typeOptions: { numberPrecision: 0 } });

export const toggle = (name: string, label: string, more?: More) =>
	field('boolean', name, label, { ...more, default: false });

export type Entry<Value> = [value: Value, name: string, description?: string];

export const choice = <const Value extends string>(
	name: string,
	label: string,
	preset: Value | '',
	entries: Array<Entry<Value>>,
	more?: More,
) =>
	field('options', name, label, {
		...more,
		options: entries.map(([value, name, description]) => ({ name, value, description })),
		default: preset,
	});

/** Declares fields that belong together. `innerName` is the name of the object that holds their values. */
export const group = (
	name: string,
	label: string,
	preset: INodeProperties['default'],
	[innerName, innerLabel]: [string, string],
	values: INodeProperties[],
	more?: More,
) =>
	field('fixedCollection', name, label, {
		...more,
		default: preset,
		options: [{ displayName: innerLabel, name: innerName, values }],
	});

export const REPEATABLE = { multipleValues: true, sortable: true };

const inOrder = (a: INodeProperties, b: INodeProperties) =>
	a.displayName.toLowerCase() < b.displayName.toLowerCase() ? -1 : 1;

/** The options that few workflows need. They have a collection of their own, because n8n's linter wants the alphabetical order. */
const ADVANCED = [
	...['additionalFields', 'concurrency', 'fieldNames', 'linkLabel', 'maxFileSize', 'maxMessages'],
	...['maxPerChat', 'maxPerTenMinutes', 'maxTries', 'maxWait', 'missingValues'],
	...['responseFormButtonLabel', 'splitLongText'],
];

/** Returns the collections of the options. */
export function options(fields: INodeProperties[]): INodeProperties[] {
	for (const { name } of fields) {
		COLLECTION_OF.set(name, ADVANCED.includes(name) ? 'advancedOptions' : 'options');
	}
	return Object.entries(COLLECTIONS).flatMap(([name, displayName]) => {
		const own = fields.filter((each) => COLLECTION_OF.get(each.name) === name).sort(inOrder);
		const collection = { type: 'collection' as const, placeholder: 'Add option', default: {} };
		return own.length > 0 ? [{ displayName, name, ...collection, options: own }] : [];
	});
}

type Show = NonNullable<INodeProperties['displayOptions']>['show'];

/** Returns the fields with these display conditions before their own, because n8n evaluates conditions in order. */
export const shownFor = (show: Show, ...fields: INodeProperties[]): INodeProperties[] =>
	fields.map((each) => ({
		...each,
		displayOptions: { show: { ...show, ...each.displayOptions?.show } },
	}));
