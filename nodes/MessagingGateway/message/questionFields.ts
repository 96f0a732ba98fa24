import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput } from '../../../gateway/invalidInput';
import {
	isMissing,
	MAX_TEXT_LENGTH,
	oneOf,
	optionalText,
	requiredText,
} from '../../../gateway/inputValues';
import { isObject } from '../../../gateway/json';
import type { FieldType, FormField, Question } from '../question/question';
import type { InputItem } from './inputItem';
import type { Options } from './messageFields';

/** Named like those of n8n's own nodes: the human review of tool calls replaces 'message' and 'responseType' by name. */
const approvalOptions: INodeProperties = {
	displayName: 'Approval Options',
	name: 'approvalOptions',
	type: 'fixedCollection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [
				{
					displayName: 'Type of Approval',
					name: 'approvalType',
					type: 'options',
					options: [
						{ name: 'Approve Only', value: 'single' },
						{ name: 'Approve and Decline', value: 'double' },
					],
					default: 'single',
				},
				{
					displayName: 'Approve Button Label',
					name: 'approveLabel',
					type: 'string',
					default: 'Approve',
				},
				{
					displayName: 'Decline Button Label',
					name: 'disapproveLabel',
					type: 'string',
					default: 'Decline',
					displayOptions: { show: { approvalType: ['double'] } },
				},
			],
		},
	],
	displayOptions: { show: { responseType: ['approval'] } },
};

const fieldTypes = [
	{ name: 'Checkboxes', value: 'checkbox' },
	{ name: 'Date', value: 'date' },
	{ name: 'Dropdown', value: 'dropdown' },
	{ name: 'Email', value: 'email' },
	{ name: 'Number', value: 'number' },
	{ name: 'Text Input', value: 'text' },
	{ name: 'Textarea', value: 'textarea' },
];

const formFields: INodeProperties = {
	displayName: 'Form Elements',
	name: 'formFields',
	type: 'fixedCollection',
	placeholder: 'Add Form Element',
	typeOptions: { multipleValues: true, sortable: true },
	default: {},
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [
				{
					displayName: 'Element Type',
					name: 'fieldType',
					type: 'options',
					options: fieldTypes,
					default: 'text',
				},
				{
					displayName: 'Field Name',
					name: 'fieldName',
					type: 'string',
					default: '',
					placeholder: 'e.g. discount',
					description: 'Name in the output item. If empty, the label is used.',
				},
				{
					displayName: 'Field Options',
					name: 'fieldOptions',
					type: 'fixedCollection',
					placeholder: 'Add Field Option',
					typeOptions: { multipleValues: true, sortable: true },
					default: { values: [{ option: '' }] },
					options: [
						{
							displayName: 'Values',
							name: 'values',
							values: [{ displayName: 'Option', name: 'option', type: 'string', default: '' }],
						},
					],
					description: 'The choices of a dropdown, or the checkboxes',
					displayOptions: { show: { fieldType: ['checkbox', 'dropdown'] } },
				},
				{
					displayName: 'Label',
					name: 'fieldLabel',
					type: 'string',
					default: '',
					placeholder: 'e.g. Which discount?',
					description: 'Label of the input on the page',
				},
				{
					displayName: 'Placeholder',
					name: 'placeholder',
					type: 'string',
					default: '',
					description: 'Sample text inside the input',
					displayOptions: { show: { fieldType: ['email', 'number', 'text', 'textarea'] } },
				},
				{
					displayName: 'Required Field',
					name: 'requiredField',
					type: 'boolean',
					default: false,
					description: 'Whether the user must fill in this input',
				},
			],
		},
	],
	displayOptions: { show: { responseType: ['customForm'] } },
};

export const questionProperties: INodeProperties[] = [
	{
		displayName: 'Message',
		name: 'message',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. May we give this customer a discount of 10%?',
		description: 'The question. The node adds a link to a page where it can be answered.',
	},
	{
		displayName: 'Response Type',
		name: 'responseType',
		type: 'options',
		options: [
			{ name: 'Approval', value: 'approval', description: 'The page has a button to approve' },
			{ name: 'Custom Form', value: 'customForm', description: 'The page has your own form' },
			{ name: 'Free Text', value: 'freeText', description: 'The page has a text field' },
		],
		default: 'approval',
		description: 'How the user can answer',
	},
	approvalOptions,
	formFields,
];

const WITH_FORM = { show: { '/responseType': ['customForm', 'freeText'] } };

const linkLabel: INodeProperties = {
	displayName: 'Link Label',
	name: 'linkLabel',
	type: 'string',
	default: 'Answer here:',
	description: 'Text in front of the link, on a line of its own',
};

export const questionOptions: INodeProperties[] = [
	linkLabel,
	{
		displayName: 'Response Form Button Label',
		name: 'responseFormButtonLabel',
		type: 'string',
		default: 'Submit',
		displayOptions: WITH_FORM,
	},
	{
		displayName: 'Response Form Title',
		name: 'responseFormTitle',
		type: 'string',
		default: '',
		placeholder: 'e.g. Discount request',
		description: 'Title of the page',
	},
	{
		displayName: 'Response Label',
		name: 'responseLabel',
		type: 'string',
		default: 'Your response',
		description: 'Label of the text field',
		displayOptions: { show: { '/responseType': ['freeText'] } },
	},
];

/** What the page asks. Throws InvalidInput. */
export function questionOf({ field }: InputItem, options: Options): Question {
	const text = requiredText(field('message'), 'Message', 'Enter the question.', MAX_TEXT_LENGTH);
	const title = textOr(options.responseFormTitle, 'Response Form Title', 'Please respond');
	const type = oneOf(
		field('responseType', 'approval'),
		['approval', 'customForm', 'freeText'],
		'Response Type',
	);
	if (type === 'approval') {
		return { kind: 'approval', title, text, ...buttonsOf(field('approvalOptions', {})) };
	}
	const fields =
		type === 'customForm' ? formFieldsOf(field('formFields', {})) : [responseField(options)];
	const submit = textOr(options.responseFormButtonLabel, 'Response Form Button Label', 'Submit');
	return { kind: 'form', title, text, fields, submit };
}

/** The text in front of the link. */
export const linkLabelOf = (options: Options): string =>
	Object.hasOwn(options, 'linkLabel')
		? (optionalText(options.linkLabel, 'Link Label') ?? '')
		: (linkLabel.default as string);

function textOr(entered: unknown, label: string, otherwise: string): string {
	const text = optionalText(entered, label)?.trim();
	return text ? text : otherwise;
}

function buttonsOf(approvalOptions: unknown): { approve: string; decline?: string } {
	const entered = isObject(approvalOptions) ? approvalOptions.values : undefined;
	const values = isObject(entered) ? entered : {};
	const approve = textOr(values.approveLabel, 'Approve Button Label', 'Approve');
	const type = oneOf(values.approvalType ?? 'single', ['single', 'double'], 'Type of Approval');
	if (type === 'single') return { approve };
	return { approve, decline: textOr(values.disapproveLabel, 'Decline Button Label', 'Decline') };
}

const responseField = ({ responseLabel }: Options): FormField => ({
	name: 'text',
	label: textOr(responseLabel, 'Response Label', 'Your response'),
	type: 'textarea',
	isRequired: true,
	placeholder: '',
	choices: [],
});

/** The node adds the time of the answer to the fields. */
const TAKEN_NAME = 'respondedAt';

function formFieldsOf(formFields: unknown): FormField[] {
	const entered = isObject(formFields) ? formFields.values : undefined;
	const fields = (Array.isArray(entered) ? entered : []).map(formFieldOf);
	if (fields.length === 0) {
		throw new InvalidInput(
			"'Form Elements' is empty",
			'Add at least one form element, or choose another Response Type.',
		);
	}
	const names = fields.map(({ name }) => name);
	const taken = names.find((name, index) => name === TAKEN_NAME || names.indexOf(name) < index);
	if (taken === undefined) return fields;
	throw new InvalidInput(
		taken === TAKEN_NAME
			? `'${TAKEN_NAME}' cannot be the name of a form element`
			: `'Form Elements' has two elements with the name '${taken}'`,
		'Enter another Field Name.',
	);
}

function formFieldOf(entered: unknown, index: number): FormField {
	const values = isObject(entered) ? entered : {};
	const types = fieldTypes.map(({ value }) => value) as FieldType[];
	const type = oneOf(values.fieldType ?? 'text', types, 'Element Type');
	const label = requiredText(
		isMissing(values.fieldLabel) ? values.fieldName : values.fieldLabel,
		`Label of form element ${index + 1}`,
		'Enter the label that the page shows.',
	).trim();
	const choices = type === 'checkbox' || type === 'dropdown' ? choicesOf(values.fieldOptions) : [];
	if (choices.length === 0 && (type === 'checkbox' || type === 'dropdown')) {
		throw new InvalidInput(
			`'${label}' has no choices`,
			"Add at least one to 'Field Options' of the form element.",
		);
	}
	return {
		name: textOr(values.fieldName, 'Field Name', label),
		label,
		type,
		isRequired: values.requiredField === true,
		placeholder: optionalText(values.placeholder, 'Placeholder') ?? '',
		choices,
	};
}

function choicesOf(fieldOptions: unknown): string[] {
	const entered = isObject(fieldOptions) ? fieldOptions.values : undefined;
	const choices = (Array.isArray(entered) ? entered : [])
		.map((value: unknown) => (isObject(value) ? optionalText(value.option, 'Option') : undefined))
		.map((choice) => choice?.trim() ?? '')
		.filter((choice) => choice !== '');
	return [...new Set(choices)];
}
