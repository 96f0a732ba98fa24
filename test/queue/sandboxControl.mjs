/** The control endpoints of the sandbox. Not the one in test/harness: plain Node.js runs these files, without TypeScript. */
export function sandboxControl({ controlUrl, controlKey }) {
	return {
		state: async () => await (await fetch(`${controlUrl}/state`)).json(),
		requests: async () => (await (await fetch(`${controlUrl}/requests`)).json()).requests,
		setStatus: async (status) => await post('/status', { status }),
		scan: async () => await post('/scan'),
		/** Resets the account to paired and online. The sandbox delivers a message before the latency, not after it. */
		async reset(latencyMs) {
			await post('/reset');
			await post('/status', { status: 'ONLINE' });
			await post('/faults', latencyMs ? [{ latencyMs }] : []);
		},
	};

	async function post(path, body) {
		const response = await fetch(`${controlUrl}${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'x-sandbox-key': controlKey },
			body: JSON.stringify(body),
		});
		if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
	}
}
