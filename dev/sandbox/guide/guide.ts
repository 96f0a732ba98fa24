import { type Fields, invalidField, optionalText, requireText } from '../http/fields';

/** Describes how to try each example in n8n. Only the program that starts n8n knows this. */
export interface Guide {
	/** The page in n8n that pairs a phone. */
	pairingUrl: string | undefined;
	examples: Example[];
}

export interface Example {
	name: string;
	/** Opens the workflow in the editor of n8n. */
	url: string;
	/** The steps may contain the marks of chats, such as *bold*. */
	steps: string[];
	/** The values that the user copies and enters in n8n. */
	values: Value[];
	/** The request with which another system starts the workflow. */
	request?: ExampleRequest;
}

export interface Value {
	label: string;
	value: string;
}

export interface ExampleRequest {
	/** The label of the button that sends the request. */
	label: string;
	url: string;
	/** JSON, in which the ID of the event replaces {id}. */
	body: string;
	/** If it is set, the request is signed as HubSpot does (version 3). */
	hubspotSecret?: string;
	basicAuth?: { user: string; password: string };
}

/** The guide is empty until the program that starts n8n sets it. */
export class StoredGuide implements Guide {
	pairingUrl: string | undefined;
	examples: Example[] = [];

	set(body: unknown): void {
		const { pairingUrl, examples } = fieldsOf('The body', body);
		const link = pairingUrl === undefined ? undefined : requireUrl('pairingUrl', pairingUrl);
		this.examples = listOf('examples', examples, readExample);
		this.pairingUrl = link;
	}

	requestOf(name: unknown): ExampleRequest {
		const request = this.examples.find((example) => example.name === name)?.request;
		if (!request) throw invalidField('example', 'must be the name of an example with a request');
		return request;
	}
}

function readExample(at: string, given: unknown): Example {
	const { name, url, steps, values, request } = fieldsOf(at, given);
	return {
		name: requireText(`${at}.name`, name),
		url: requireUrl(`${at}.url`, url),
		steps: listOf(`${at}.steps`, steps, requireText),
		values: listOf(`${at}.values`, values, readValue),
		...(request !== undefined && { request: readRequest(`${at}.request`, request) }),
	};
}

function readValue(at: string, given: unknown): Value {
	const { label, value } = fieldsOf(at, given);
	return {
		label: requireText(`${at}.label`, label),
		value: requireText(`${at}.value`, value),
	};
}

function readRequest(at: string, given: unknown): ExampleRequest {
	const { label, url, body, hubspotSecret, basicAuth } = fieldsOf(at, given);
	return {
		label: requireText(`${at}.label`, label),
		url: requireUrl(`${at}.url`, url),
		body: requireText(`${at}.body`, body),
		hubspotSecret: optionalText(`${at}.hubspotSecret`, hubspotSecret),
		...(basicAuth !== undefined && { basicAuth: readLogin(`${at}.basicAuth`, basicAuth) }),
	};
}

function readLogin(at: string, given: unknown): { user: string; password: string } {
	const { user, password } = fieldsOf(at, given);
	return {
		user: requireText(`${at}.user`, user),
		password: requireText(`${at}.password`, password),
	};
}

function fieldsOf(name: string, value: unknown): Fields {
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
	throw invalidField(name, 'must be an object');
}

function listOf<T>(name: string, value: unknown, read: (at: string, entry: unknown) => T): T[] {
	if (!Array.isArray(value)) throw invalidField(name, 'must be an array');
	return value.map((entry, index) => read(`${name}[${index}]`, entry));
}

function requireUrl(name: string, value: unknown): string {
	const text = requireText(name, value);
	// The page links to the URL, and other schemes can run scripts.
	if (/^https?:/.test(text) && URL.canParse(text)) return text;
	throw invalidField(name, 'must be an http or https URL');
}
