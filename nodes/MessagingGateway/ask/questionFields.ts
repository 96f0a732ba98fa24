import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput, MAX_TEXT_LENGTH, NOT_SET, requiredText } from '../../../gateway/inputValues';
import { choice, type Entry, group, REPEATABLE, shownFor, text, toggle } from '../fields/field';
import {
	choiceOf,
	entryReaders,
	flagOf,
	type FieldReader,
	textOf,
	fieldValue,
	groupReader,
} from '../fields/read';
import { type Draft, type FormField, type Question, TEXT_AREA } from './question';
import { ENGLISH, LANGUAGES, type Language, textsIn, translated } from './texts';

// The names are those of n8n's own nodes, because the human review of tool calls replaces 'message' and 'responseType' by name.

export const messageField = text('message', 'Message', {
	required: true,
	example: 'May we give this customer a discount of 10%?',
	rows: 4,
})('The question. The node adds a link to a page where it can be answered.');

const responseType = choice(
	'responseType',
	'Response Type',
	'approval',
	[
		['approval', 'Approval', 'The page has a button to approve'],
		['eachItem', 'Approve Each Item', 'One page lists the messages of all items'],
		['customForm', 'Custom Form', 'The page has your own form'],
		['freeText', 'Free Text', 'The page has a text field'],
	],
	{
		builderHint: {
			propertyHint:
				'For a decision use approval with approvalOptions.values.approvalType double; the answer is in data.approved. For messages of several items use eachItem, and send data.text to data.recipient of the items with data.approved.',
		},
	},
)('How the user can answer');

const approvalType = choice(
	'approvalType',
	'Type of Approval',
	'single',
	[
		['single', 'Approve Only'],
		['double', 'Approve and Decline'],
	],
	{ required: true },
)();
const approveLabel = text('approveLabel', 'Approve Button Label', { default: ENGLISH.approve })();
const declineLabel = text('disapproveLabel', 'Decline Button Label', {
	default: ENGLISH.decline,
})();

const approvalOptions = group(
	'approvalOptions',
	'Approval Options',
	{},
	['values', 'Values'],
	[approvalType, approveLabel, ...shownFor({ approvalType: ['double'] }, declineLabel)],
	{ placeholder: 'Add option' },
)();

export const draftRecipient = text('draftRecipient', 'Recipient', {
	required: true,
	example: '{{ $json.phone }}',
})('Who gets the message of the item if it is approved: a phone number, an ID or a name');
export const draft = text('draft', 'Draft', {
	required: true,
	example: '{{ $json.text }}',
	rows: 4,
})(
	'The message of the item. The page shows it, and the output has it as data.text if it is approved.',
);
const allowEdits = toggle('allowEdits', 'Allow Edits')('Whether the user can change the messages');

const fieldType = choice('fieldType', 'Element Type', 'text', [
	['checkbox', 'Checkboxes'],
	['date', 'Date'],
	['dropdown', 'Dropdown'],
	['email', 'Email'],
	['number', 'Number'],
	['text', 'Text Input'],
	['textarea', 'Textarea'],
])();
const fieldName = text('fieldName', 'Name', { example: 'discount' })(
	'Name in the output item. If empty, the label is used.',
);
const option = text('option', 'Option')();
const fieldOptions = group(
	'fieldOptions',
	'Options',
	{ values: [{ option: '' }] },
	['values', 'Values'],
	[option],
	{ placeholder: 'Add Option', typeOptions: REPEATABLE },
)('The choices of a dropdown, or the checkboxes');
const fieldLabel = text('fieldLabel', 'Label', { example: 'Which discount?' })(
	'Label of the input on the page',
);
const placeholder = text('placeholder', 'Placeholder')('Sample text inside the input');
const requiredField = toggle(
	'requiredField',
	'Required Field',
)('Whether the user must fill in this input');

const formFields = group(
	'formFields',
	'Form Elements',
	{},
	['values', 'Values'],
	[
		...[fieldType, fieldLabel, fieldName],
		...shownFor({ fieldType: ['checkbox', 'dropdown'] }, fieldOptions),
		...shownFor({ fieldType: ['email', 'number', 'text', 'textarea'] }, placeholder),
		requiredField,
	],
	{ placeholder: 'Add Form Element', typeOptions: REPEATABLE },
)();

export const questionFields = [
	messageField,
	responseType,
	...shownFor({ responseType: ['eachItem'] }, draftRecipient, draft, allowEdits),
	...shownFor({ responseType: ['approval'] }, approvalOptions),
	...shownFor({ responseType: ['customForm'] }, formFields),
];

const linkLabel = text('linkLabel', 'Link Label', { default: ENGLISH.answerHere })(
	'Text in front of the link, on a line of its own',
);
const submitLabel = text('responseFormButtonLabel', 'Response Form Button Label', {
	default: ENGLISH.submit,
})();
const title = text('responseFormTitle', 'Response Form Title', { example: 'Discount request' })(
	'Title of the page',
);
const languages: Array<Entry<Language | 'automatic'>> = [
	['automatic', 'Automatic', 'The language of the browser, or English if it is not available'],
	...(Object.entries(LANGUAGES) as Array<[Language, string]>),
];
const pageLanguage = choice(
	'pageLanguage',
	'Page Language',
	'en',
	languages.sort(([, a], [, b]) => (a < b ? -1 : 1)),
)(
	'Language of the page, and of the labels that you leave at their defaults. The other texts stay as you enter them.',
	'ask-a-person.md#language',
);

export const questionOptions = [
	...[linkLabel, pageLanguage, title],
	...shownFor({ '/responseType': ['customForm', 'freeText'] }, submitLabel),
];

export const asksForEachItem = (parameter: FieldReader) =>
	choiceOf(responseType, parameter) === 'eachItem';

export function questionOf(parameter: FieldReader, option: FieldReader, drafts: Draft[]): Question {
	const advice = 'Enter the question.';
	const page = {
		title: labelOf(title, option, ENGLISH.title),
		text: requiredText(parameter('message'), 'Message', advice, MAX_TEXT_LENGTH),
		language: choiceOf(pageLanguage, option),
		fields: [],
	};
	const type = choiceOf(responseType, parameter);
	if (type === 'approval') {
		const values = groupReader(approvalOptions, parameter) ?? (() => NOT_SET);
		const approve = labelOf(approveLabel, values);
		if (choiceOf(approvalType, values) === 'single') return { ...page, buttons: { approve } };
		return { ...page, buttons: { approve, decline: labelOf(declineLabel, values) } };
	}
	if (type === 'eachItem') {
		const { tickAll, sendCount, declineAll } = ENGLISH;
		const buttons = { tickAll, sendCount, declineAll };
		return { ...page, drafts, mayEdit: flagOf(allowEdits, parameter), buttons };
	}
	const fields = type === 'customForm' ? formFieldsOf(parameter) : [FREE_TEXT];
	return { ...page, fields, buttons: { submit: labelOf(submitLabel, option) } };
}

/** Returns the text in front of the link, which may be empty. An automatic language means English, because only the page knows it. */
export function linkLabelOf(option: FieldReader, { language }: Question): string {
	const texts = language === 'automatic' ? ENGLISH : textsIn(language);
	return translated('answerHere', textOf(linkLabel, option) ?? '', texts);
}

function labelOf(
	field: INodeProperties,
	read: FieldReader,
	otherwise = field.default as string,
): string {
	return textOf(field, read)?.trim() || otherwise;
}

const FREE_TEXT = { ...TEXT_AREA, name: 'text', label: ENGLISH.response, isRequired: true };

/** The node adds `respondedAt` to the fields itself, and n8n drops `__proto__` when it stores the item. */
const TAKEN = ['respondedAt', '__proto__'];

function formFieldsOf(parameter: FieldReader): FormField[] {
	const fields = entryReaders(formFields, parameter).map(formFieldOf);
	if (fields.length === 0) {
		throw new InvalidInput(
			"'Form Elements' is empty",
			'Add at least one form element, or choose another Response Type.',
		);
	}
	const names = fields.map(({ name }) => name);
	const taken = names.find((name, index) => TAKEN.includes(name) || names.indexOf(name) < index);
	if (taken === undefined) return fields;
	throw new InvalidInput(
		`'Form Elements' cannot have ${TAKEN.includes(taken) ? 'an element' : 'two elements'} with the name '${taken}'`,
		"Enter another 'Name'.",
	);
}

function formFieldOf(values: FieldReader, index: number): FormField {
	const type = choiceOf(fieldType, values);
	const label = requiredText(
		textOf(fieldLabel, values) ?? fieldValue(fieldName, values),
		`Label of form element ${index + 1}`,
		'Enter the label that the page shows.',
	).trim();
	const hasChoices = type === 'checkbox' || type === 'dropdown';
	const choices = hasChoices ? choicesOf(values) : [];
	if (hasChoices && choices.length === 0) {
		throw new InvalidInput(
			`'${label}' has no choices`,
			"Add at least one to 'Options' of the form element.",
		);
	}
	return {
		name: labelOf(fieldName, values, label),
		label,
		type,
		isRequired: flagOf(requiredField, values),
		placeholder: textOf(placeholder, values) ?? '',
		choices,
	};
}

function choicesOf(values: FieldReader): string[] {
	const choices = entryReaders(fieldOptions, values)
		.map((entry) => textOf(option, entry)?.trim() ?? '')
		.filter((choice) => choice !== '');
	return [...new Set(choices)];
}
