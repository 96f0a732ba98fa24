import autocannon from 'autocannon';

const PATIENCE_S = 120;

/**
 * Posts the calls, and keeps what became of each: n8n has accepted what it answered with 200. At that rate, or without one
 * as fast as answers come.
 */
export function startLoad({ url, calls, perSecond, connections = perSecond }) {
	const accepted = new Map();
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
		onResponse(status, body, { call }) {
			if (status === 200) accepted.set(call, body);
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
	return { accepted, refused, ended };
}
