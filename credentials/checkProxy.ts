import { InvalidInput } from '../gateway/invalidInput';
import { isObject } from '../gateway/json';
import type { UnsignedRequest } from './bodyToSend';

/**
 * Throws InvalidInput if the proxy of a node could read the token. Users who may only use the credential can enter their own proxy there,
 * so the connection must be encrypted, with a verified certificate. The administrator chooses the proxy of n8n itself, so it is trusted.
 */
export function checkProxy(request: UnsignedRequest, { protocol }: URL, isLimited: boolean): void {
	const { proxy, agentOptions, skipSslCertificateValidation, ...legacy } = request;
	if (!proxy) return;
	// It can also respond in place of the gateway, and hold a request back until the owner has changed the limits.
	if (isLimited) {
		throw new InvalidInput(
			'A node cannot choose a proxy for a credential that limits recipients, so the request was not sent',
			"Remove 'Proxy' under Request Options. Or let the administrator set the proxy of n8n itself: HTTPS_PROXY, or HTTP_PROXY.",
		);
	}
	// Depending on its form, a request turns off or replaces the verification in one of these options.
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
