type FieldType = 'checkbox' | 'date' | 'dropdown' | 'email' | 'number' | 'text' | 'textarea';

export interface FormField {
	/** The name in the output item. */
	name: string;
	label: string;
	type: FieldType;
	isRequired: boolean;
	placeholder: string;
	/** Of a dropdown, or of checkboxes. */
	choices: string[];
}

interface Shown {
	title: string;
	text: string;
	/** Shown as the chat shows it, `*bold*` in bold. Not in a review, where marks could hide something. */
	isFormatted?: boolean;
}

/** The page has one button, or one for each decision. */
export interface Approval extends Shown {
	kind: 'approval';
	approve: string;
	/** Undefined: the question can only be approved. */
	decline?: string;
}

export interface Form extends Shown {
	kind: 'form';
	fields: FormField[];
	submit: string;
}

/** What the page asks. Plain data, because n8n stores it while the execution waits. */
export type Question = Approval | Form;

/** The name of a field in the request body. Labels may contain any characters. */
export const inputName = (index: number) => `field-${index}`;

/** The value of a choice in the request body. Browsers would change some of the characters of its text. */
export const choiceValue = (index: number) => `choice-${index}`;
