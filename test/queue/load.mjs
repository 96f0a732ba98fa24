import { setTimeout as after } from 'node:timers/promises';

import autocannon from 'autocannon';

const PATIENCE_S = 60;

/**
 * Posts the calls, and keeps what became of each: n8n has accepted what it answered with 200. At that rate, or without one
 * as fast as answers come.
 */
export function startLoad({ url, calls, perSecond, connections = perSecond }) {
	const accepted = new Set();
	const refused = [];
	let begun = 0;
	const request = {
		method: 'POST',
		setupRequest(defaults, context) {
			const call = calls[begun++];
			context.call = call;
			const { pathname } = new URL(`${url}-${call.webhook}`);
			const { headers, body, query = '' } = call;
			return { ...defaults, path: `${pathname}${query}`, headers, body };
		},
		onResponse(status, _body, { call }) {
			if (status === 200) accepted.add(call);
			else refused.push({ call, status });
		},
	};
	const ended = autocannon({
		url,
		amount: calls.length,
		// One call a second each: autocannon sets no bound for a connection that would have less.
		connections: Math.min(connections, calls.length),
		overallRate: perSecond,
		timeout: PATIENCE_S,
		requests: [request],
	});
	let isOver = false;
	const over = () => (isOver = true);
	ended.then(over, over);
	return {
		accepted,
		refused,
		ended,
		async reaches(count) {
			while (accepted.size < count && !isOver) await after(10);
		},
	};
}
