import type { INodeProperties } from 'n8n-workflow';

import { asNumber } from '../../../gateway/inputValues';
import { InvalidInput } from '../../../gateway/invalidInput';
import { choiceOf, OPTION_NAMES, type FieldReader } from './read';

type More = Partial<INodeProperties>;

const PAGES =
	'https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway/blob/main/docs/';

/** A field without its description, which comes last because it is long, with the part of docs/ that says more. */
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

export interface TextOptions extends Pick<More, 'hint' | 'required' | 'displayOptions'> {
	default?: string;
	/** The placeholder, without the "e.g." that n8n wants in front of it. */
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

const UNITS = {
	seconds: ['Seconds', 1_000],
	minutes: ['Minutes', 60_000],
	hours: ['Hours', 3_600_000],
	days: ['Days', 86_400_000],
} as const;
type Unit = keyof typeof UNITS;

interface Duration {
	names: [amount: string, unit: string];
	units: Unit[];
	/** The amount that n8n enters for the user. */
	preset: number;
	precision?: number;
	/** What to enter, for error messages. */
	advice: string;
}

/** An amount and its unit: the two fields, and how they are read. */
export function duration(label: string, { names, units, preset, precision, advice }: Duration) {
	const [amountName, unitName] = names;
	const amountField = number(amountName, 'Amount', {
		range: [0],
		default: preset,
		required: true,
		typeOptions: { numberPrecision: precision },
	})('How many of the unit');
	const unitField = choice(
		unitName,
		'Unit',
		'hours',
		units.map((unit) => [unit, UNITS[unit][0]]),
		{ required: true },
	)();
	return {
		fields: [amountField, unitField],

		/** In milliseconds. */
		read(read: FieldReader): number {
			const amount = asNumber(read(amountName));
			const unit = choiceOf({ ...unitField, displayName: `${label} Unit` }, read);
			const milliseconds = Math.ceil(Number(amount) * UNITS[unit][1]);
			const isNumber = typeof amount === 'number' && Number.isSafeInteger(milliseconds);
			if (isNumber && amount > 0) return milliseconds;
			throw new InvalidInput(
				`'${label}' is not a number above 0`,
				`${advice}, e.g. 1 hour, or remove the option.`,
			);
		},
	};
}

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

/** Of a group that the user can add any number of times. */
export const REPEATABLE = { multipleValues: true, sortable: true };

const inOrder = (a: INodeProperties, b: INodeProperties) =>
	a.displayName.toLowerCase() < b.displayName.toLowerCase() ? -1 : 1;

export function options(fields: INodeProperties[]): INodeProperties {
	for (const { name } of fields) OPTION_NAMES.add(name);
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...fields].sort(inOrder),
	};
}

type Show = NonNullable<INodeProperties['displayOptions']>['show'];

/** The fields, shown only under these conditions, which come before the fields' own. */
export const shownFor = (show: Show, ...fields: INodeProperties[]): INodeProperties[] =>
	fields.map((each) => ({
		...each,
		displayOptions: { show: { ...show, ...each.displayOptions?.show } },
	}));
