import type { IExecuteFunctions, IHttpRequestOptions, IPollFunctions } from 'n8n-workflow';

import { InvalidInput } from '../../gateway/invalidInput';
import type { PaceSettings } from './sending/pace';

interface RequestOptions {
	proxy?: string;
	timeout?: number;
	allowUnauthorizedCerts?: boolean;
	batching?: { batch?: { batchSize?: number; batchInterval?: number } };
}

/** What n8n itself sets where nobody has chosen a time. */
const DEFAULT_TIMEOUT_MS = 300_000;
/** Timers know no more. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** A trigger has no items. */
const chosen = (context: IExecuteFunctions | IPollFunctions) =>
	('getActivationMode' in context
		? context.getNodeParameter('requestOptions', {})
		: context.getNodeParameter('requestOptions', 0, {})) as RequestOptions;

export function timeoutMs({ timeout }: { timeout?: unknown }): number {
	const chosenMs = Math.ceil(Number(timeout));
	return chosenMs > 0 ? Math.min(chosenMs, LONGEST_TIMEOUT_MS) : DEFAULT_TIMEOUT_MS;
}

/** Proxy, time-out and TLS under 'Request Options', which n8n applies to declarative operations only. */
export function connectionOptions(
	context: IExecuteFunctions | IPollFunctions,
): Partial<IHttpRequestOptions> & { timeout: number } {
	const { proxy, timeout, allowUnauthorizedCerts } = chosen(context);
	return {
		timeout: timeoutMs({ timeout }),
		...(allowUnauthorizedCerts ? { skipSslCertificateValidation: true } : {}),
		...(proxy ? { proxy: parsedProxy(proxy) } : {}),
	};
}

function parsedProxy(proxy: string): IHttpRequestOptions['proxy'] {
	// 'localhost:3128' is a URL too, of the protocol localhost: and without a host; n8n would go around it.
	if (!/^https?:\/\/[^/]/i.test(proxy) || !URL.canParse(proxy)) {
		throw new InvalidInput(
			"'Proxy' under Request Options is not the address of a proxy",
			'Enter the address with its protocol and port, e.g. http://proxy.example.com:3128',
		);
	}
	const { protocol, hostname, port, username, password } = new URL(proxy);
	return {
		host: hostname,
		port: Number(port) || (protocol === 'https:' ? 443 : 80),
		protocol: protocol.replace(':', ''),
		...(username
			? { auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) } }
			: {}),
	};
}

/** After how many messages the user's Batching wants a break, and for how long. */
export function batching(context: IExecuteFunctions): PaceSettings['batch'] {
	const { batchSize, batchInterval } = chosen(context).batching?.batch ?? {};
	// As n8n itself has it: what is no number above 0 counts for nothing.
	const above0 = (value: unknown) => (Number(value) > 0 ? Number(value) : undefined);
	return { size: above0(batchSize) ?? 1, breakMs: above0(batchInterval) ?? 0 };
}
