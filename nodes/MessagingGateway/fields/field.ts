import type { INodeProperties } from 'n8n-workflow';

type More = Partial<INodeProperties>;

/** A field without its description, which comes last because it is long. */
const field =
	<Own extends More & Pick<INodeProperties, 'default'>>(
		type: INodeProperties['type'],
		name: string,
		displayName: string,
		own: Own,
	) =>
	(description?: string) => ({ displayName, name, type, ...own, description });

interface TextOptions extends Pick<More, 'hint' | 'required' | 'displayOptions'> {
	default?: string;
	/** The placeholder, without the "e.g." that n8n wants in front of it. */
	example?: string;
	rows?: number;
}

const written =
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

export const text = written('string');
export const json = written('json');

/** Something that the gateway has: chosen from the list that the method searches, or entered by its key. */
export const locator = (name: string, label: string, searchListMethod: string, example: string) =>
	field('resourceLocator', name, label, {
		required: true,
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'By Key', name: 'id', type: 'string', placeholder: `e.g. ${example}` },
		],
	});

type Range = [from: number, to?: number];

export const number = (
	name: string,
	label: string,
	[minValue, maxValue]: Range,
	preset: number,
	{ typeOptions, ...more }: More = {},
) =>
	field('number', name, label, {
		...more,
		typeOptions: { minValue, maxValue, ...typeOptions },
		default: preset,
	});

export const wholeNumber = (name: string, label: string, range: Range, preset: number) =>
	number(name, label, range, preset, { typeOptions: { numberPrecision: 0 } });

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

/** Fields that belong together, and the name of the object that holds their values. */
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

/** A group that the user can add any number of times. */
export const list = (
	name: string,
	label: string,
	values: INodeProperties[],
	{ placeholder, default: preset = {} }: More,
) =>
	group(name, label, preset, ['values', 'Values'], values, {
		placeholder,
		typeOptions: { multipleValues: true, sortable: true },
	});

const inOrder = (a: INodeProperties, b: INodeProperties) =>
	a.displayName.toLowerCase() < b.displayName.toLowerCase() ? -1 : 1;

/** The options of an operation, in the order that n8n wants. */
export const options = (fields: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [...fields].sort(inOrder),
});

type Show = NonNullable<INodeProperties['displayOptions']>['show'];

/** The fields, shown only under these conditions, which come before the fields' own. */
export const shownFor = (show: Show, ...fields: INodeProperties[]): INodeProperties[] =>
	fields.map((each) => ({
		...each,
		displayOptions: { show: { ...show, ...each.displayOptions?.show } },
	}));

const PAGES =
	'https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway/blob/main/docs/';

/** A description with a link to its part of docs/, as in n8n's own nodes. */
export const described = (description: string, page: string): string =>
	`${description} <a href="${PAGES}${page}">More info</a>.`;
