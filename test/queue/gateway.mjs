/** The sandbox's controls. */
export function controlOf({ controlUrl }) {
	return {
		state: async () => await (await fetch(`${controlUrl}/state`)).json(),
		requests: async () => (await (await fetch(`${controlUrl}/requests`)).json()).requests,
		/** A new account, paired and online, which answers that late: what it takes has gone out by then. */
		async begin(latencyMs) {
			await post('/reset');
			await post('/status', { status: 'ONLINE' });
			await post('/faults', latencyMs ? [{ latencyMs }] : []);
		},
	};

	async function post(path, body) {
		const response = await fetch(`${controlUrl}${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
	}
}
