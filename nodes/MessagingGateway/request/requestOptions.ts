import type { IHttpRequestOptions, INodeProperties } from 'n8n-workflow';

import { NOT_SET, optionalText, requiredText, InvalidInput } from '../../../gateway/inputValues';
import { percentDecoded } from '../../../gateway/decoding';
import { group, number, text, toggle } from '../fields/field';
import { entryReaders, flagOf, numberOf, type FieldReader, textOf, valuesIn } from '../fields/read';

/** Declares Request Options, to which error messages refer. n8n adds them only to declarative nodes without a webhook. */
export const requestOptionsField = (timeoutDescription: string): INodeProperties => ({
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	isNodeSetting: true,
	placeholder: 'Add Option',
	default: {},
	options: [ignoreSsl, proxyField, { ...timeoutField, description: timeoutDescription }],
});

const ignoreSsl = toggle('allowUnauthorizedCerts', 'Ignore SSL Issues (Insecure)', {
	noDataExpression: true,
})('Whether to connect even if SSL certificate validation is not possible');
const proxyField = text('proxy', 'Proxy', { example: 'http://myproxy:3128' })(
	'HTTP proxy to use, e.g. http://myproxy:3128, or http://user:password@myproxy:3128 if it requires a password',
);
const timeoutField = number('timeout', 'Timeout', { range: [1], default: 10000 })();

/** This is also n8n's default timeout. */
const DEFAULT_TIMEOUT_MS = 300_000;
/** Node.js timers support at most this time. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

const FIELDS = [ignoreSsl, proxyField, timeoutField];

function requestOptionsOf(field: FieldReader): FieldReader {
	const entered = field('requestOptions');
	const names = FIELDS.map(({ name }) => name);
	return valuesIn(entered === NOT_SET ? {} : entered, 'Request Options', names);
}

export type RequestSettings = Partial<IHttpRequestOptions> & { timeout: number };

/** Returns proxy, timeout and TLS under 'Request Options'. n8n applies them to declarative operations only, so the node reads them. */
export function connectionOptions(field: FieldReader): RequestSettings {
	const read = requestOptionsOf(field);
	const timeout = Math.ceil(numberOf(timeoutField, read, DEFAULT_TIMEOUT_MS));
	const proxy = textOf(proxyField, read);
	return {
		timeout: Math.min(timeout, MAX_TIMEOUT_MS),
		...(flagOf(ignoreSsl, read) ? { skipSslCertificateValidation: true } : {}),
		...(proxy === undefined ? {} : { proxy: parseProxy(proxy) }),
	};
}

/** Returns the text in the form that n8n needs. n8n writes it into a URL, which encodes all but percent signs, and then decodes it. */
const encodedForN8n = (encoded: string) => percentDecoded(encoded).replaceAll('%', '%25');

function parseProxy(proxy: string): IHttpRequestOptions['proxy'] {
	// 'localhost:3128' is also a valid URL, with the protocol 'localhost:' and no host. n8n would then bypass the proxy.
	if (!/^https?:\/\/[^/]/i.test(proxy) || !URL.canParse(proxy)) {
		throw new InvalidInput(
			"'Proxy' under Request Options is not the address of an HTTP proxy",
			'Enter the address with its protocol and port, e.g. http://proxy.example.com:3128',
		);
	}
	const { protocol, hostname, port, username, password } = new URL(proxy);
	return {
		host: hostname,
		port: Number(port) || (protocol === 'https:' ? 443 : 80),
		protocol: protocol.replace(':', ''),
		...(username
			? { auth: { username: encodedForN8n(username), password: encodedForN8n(password) } }
			: {}),
	};
}

export const queryParameters = group(
	'queryParameters',
	'Query Parameters',
	{},
	['parameters', 'Parameter'],
	[text('name', 'Name')(), text('value', 'Value')()],
	{ placeholder: 'Add Query Parameter', typeOptions: { multipleValues: true } },
)('Parameters of your gateway for filtering or paging. The API document shows none.');

export function queryOf(field: FieldReader): Partial<IHttpRequestOptions> {
	const values = new Map<string, string[]>();
	for (const entry of entryReaders(queryParameters, field)) {
		const value = optionalText(entry('value'), 'Value of a query parameter') ?? '';
		const entered = optionalText(entry('name'), 'Name of a query parameter');
		if (entered === undefined && value === '') continue;
		const name = requiredText(entered, 'Name of a query parameter', 'Enter it, or remove the row.');
		values.set(name, [...(values.get(name) ?? []), value]);
	}
	return { qs: Object.fromEntries(values), arrayFormat: 'repeat' };
}
