import { InvalidInput } from '../gateway/invalidInput';
import { isObject } from '../gateway/json';
import type { UnsignedRequest } from './bodyToSend';

/**
 * The proxy is named in a node, so whoever may use the credential, but not read it, could name one of their own. It may see nothing but
 * an encrypted connection, whose certificate it cannot replace. The proxy of n8n itself is the choice of its administrator.
 */
export function checkProxy(request: UnsignedRequest, { protocol }: URL): void {
	const { proxy, agentOptions, skipSslCertificateValidation, ...legacy } = request;
	if (!proxy) return;
	// How the nodes of n8n and its HTTP Request node say it.
	const isVerified =
		skipSslCertificateValidation !== true &&
		(legacy as { rejectUnauthorized?: unknown }).rejectUnauthorized !== false &&
		!(
			isObject(agentOptions) &&
			('ca' in agentOptions || agentOptions.rejectUnauthorized === false)
		);
	if (protocol === 'https:' && isVerified) return;
	throw new InvalidInput(
		'The proxy of this node could read the token, so the request was not sent',
		"With 'Proxy', 'Base URL' of the credential must start with https://, and the node must not ignore SSL issues or bring its own CA. Or let the administrator set the proxy of n8n itself: HTTPS_PROXY, or HTTP_PROXY.",
	);
}
