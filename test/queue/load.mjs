import { setTimeout as delay } from 'node:timers/promises';

import autocannon from 'autocannon';

/**
 * Starts posting the calls and records which of them n8n accepts, that is, answers with 200. Without `perSecond`, each
 * connection posts its next call as soon as it has a response. A call without a response within `timeoutS` is neither accepted nor
 * rejected.
 */
export function startLoad({ url, calls, perSecond, connections = perSecond, timeoutS = 60 }) {
	const accepted = new Set();
	const rejected = [];
	let started = 0;
	const request = {
		method: 'POST',
		setupRequest(defaults, context) {
			const call = calls[started++];
			context.call = call;
			const { pathname } = new URL(`${url}-${call.webhook}`);
			const { headers, body, query = '' } = call;
			return { ...defaults, path: `${pathname}${query}`, headers, body };
		},
		onResponse(status, _body, { call }) {
			if (status === 200) accepted.add(call);
			else rejected.push({ call, status });
		},
	};
	const finished = autocannon({
		url,
		amount: calls.length,
		// At least one call per second for each connection: autocannon does not limit the rate of a slower one.
		connections: Math.min(connections, calls.length),
		overallRate: perSecond,
		timeout: timeoutS,
		requests: [request],
	});
	let isFinished = false;
	const markFinished = () => (isFinished = true);
	finished.then(markFinished, markFinished);
	return {
		accepted,
		rejected,
		finished,
		async waitForAccepted(count) {
			while (accepted.size < count && !isFinished) await delay(10);
		},
	};
}
