import type { IncomingMessage } from 'node:http';

import { HttpError } from './response';

/**
 * Throws for requests from other machines and other web pages. Controls, phone page and model are local, even if the gateway is not.
 */
export function requireLoopback({ socket, headers }: IncomingMessage): void {
	const from = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
	const isLocalClient = from === '::1' || from.startsWith('127.');
	// This prevents DNS rebinding. A web page can resolve its own host name to 127.0.0.1, but the
	// browser still sends that name in the Host header.
	const isLocalHost = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i.test(headers.host ?? '');
	if (!isLocalClient || !isLocalHost) {
		throw new HttpError(
			403,
			'loopback_only',
			'The controls accept requests from this machine only.',
		);
	}
	if (headers.origin !== undefined && headers.origin !== `http://${headers.host}`) {
		throw new HttpError(403, 'foreign_origin', 'Other web pages cannot use the controls.');
	}
}
