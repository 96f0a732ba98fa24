import type { IncomingMessage } from 'node:http';

import { Refusal } from './answer';

/** What is behind the scenes is for this machine only, whatever address the gateway listens on. */
export function mustBeFromHere({ socket, headers }: IncomingMessage): void {
	const from = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
	const fromHere = from === '::1' || from.startsWith('127.');
	// A web page can point a name of its own at 127.0.0.1, but the browser then sends that name.
	const toHere = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i.test(headers.host ?? '');
	if (fromHere && toHere) return;
	throw new Refusal(403, 'loopback_only', 'The controls are for this machine only.');
}
