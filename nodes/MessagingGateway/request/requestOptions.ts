import type { IHttpRequestOptions, INodeProperties } from 'n8n-workflow';

import { checkLength } from '../../../gateway/inputValues';
import { InvalidInput } from '../../../gateway/invalidInput';
import { percentDecoded } from '../../../gateway/percentDecoded';
import { group, number, text, toggle } from '../fields/field';
import type { Read } from '../fields/read';
import type { Context } from './exchange';

/** n8n adds these to declarative nodes without a webhook only. The error messages refer to them. */
export const requestOptionsField = (
	timeoutDescription: string,
	...others: INodeProperties[]
): INodeProperties => ({
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	isNodeSetting: true,
	placeholder: 'Add Option',
	default: {},
	options: [
		...others,
		toggle('allowUnauthorizedCerts', 'Ignore SSL Issues (Insecure)', { noDataExpression: true })(
			'Whether to connect even if SSL certificate validation is not possible',
		),
		text('proxy', 'Proxy', { example: 'http://myproxy:3128' })(
			'HTTP proxy to use, e.g. http://myproxy:3128, or http://user:password@myproxy:3128 if it requires a password',
		),
		number('timeout', 'Timeout', { range: [1], default: 10000 })(timeoutDescription),
	],
});

/** As n8n declares it. */
export const batchingField = group(
	'batching',
	'Batching',
	{ batch: {} },
	['batch', 'Batching'],
	[
		number('batchSize', 'Items per Batch', { range: [-1], default: 50 })(
			'How many items to send before a break. -1 or 0 mean 1.',
		),
		number('batchInterval', 'Batch Interval (Milliseconds)', { range: [0], default: 1000 })(
			'How long the break is. 0 for none.',
		),
	],
	{ placeholder: 'Add Batching', typeOptions: { multipleValues: false } },
)();

interface RequestOptions {
	proxy?: string;
	timeout?: number;
	allowUnauthorizedCerts?: boolean;
	batching?: { batch?: { batchSize?: number; batchInterval?: number } };
}

/** n8n's own default. */
const DEFAULT_TIMEOUT_MS = 300_000;
/** The longest time that timers support. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Only the parameters of a run have an item index. */
const entered = (context: Context) =>
	('getInputData' in context && !('getItemIndex' in context)
		? context.getNodeParameter('requestOptions', 0, {})
		: context.getNodeParameter('requestOptions', {})) as RequestOptions;

/** Proxy, timeout and TLS under 'Request Options', which n8n applies to declarative operations only. */
export function connectionOptions(
	context: Context,
): Partial<IHttpRequestOptions> & { timeout: number } {
	const { proxy, timeout, allowUnauthorizedCerts } = entered(context);
	const ms = Math.ceil(Number(timeout));
	return {
		timeout: ms > 0 ? Math.min(ms, MAX_TIMEOUT_MS) : DEFAULT_TIMEOUT_MS,
		...(allowUnauthorizedCerts ? { skipSslCertificateValidation: true } : {}),
		...(proxy ? { proxy: parseProxy(proxy) } : {}),
	};
}

/** n8n writes the text into a URL, which encodes everything but percent signs, and decodes it again. */
const forN8n = (encoded: string) => percentDecoded(encoded).replaceAll('%', '%25');

function parseProxy(proxy: string): IHttpRequestOptions['proxy'] {
	checkLength(String(proxy), "'Proxy' under Request Options");
	// 'localhost:3128' is also a valid URL, with the protocol 'localhost:' and no host; n8n would bypass the proxy.
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
		...(username ? { auth: { username: forN8n(username), password: forN8n(password) } } : {}),
	};
}

/** Batching under 'Request Options': how many messages to send before a break, and how long it is. */
export function batching(context: Context): { size: number; breakMs: number } {
	const { batchSize, batchInterval } = entered(context).batching?.batch ?? {};
	// Like n8n itself, ignores everything that is not a number above 0.
	const positive = (value: unknown) => (Number(value) > 0 ? Number(value) : undefined);
	return { size: positive(batchSize) ?? 1, breakMs: positive(batchInterval) ?? 0 };
}

export const queryParameters = group(
	'queryParameters',
	'Query Parameters',
	{},
	['parameters', 'Parameter'],
	[text('name', 'Name')(), text('value', 'Value')()],
	{ placeholder: 'Add Query Parameter', typeOptions: { multipleValues: true } },
)('Parameters of your gateway for filtering or paging. The API document shows none.');

/** The query parameters that the user entered. */
export function queryOf(field: Read): Partial<IHttpRequestOptions> {
	const entered = field('queryParameters.parameters', []) as Array<{
		name: string;
		value: string;
	}>;
	const values = new Map<string, string[]>();
	for (const { name, value } of entered) {
		for (const text of [name, value]) checkLength(String(text), "'Query Parameters'");
		if (name) values.set(name, [...(values.get(name) ?? []), value]);
	}
	return { qs: Object.fromEntries(values), arrayFormat: 'repeat' };
}
