import { randomBytes, randomUUID } from 'node:crypto';

import { createCredential, createGatewayCredential, publishExample, waitFor } from './workflow.mjs';

const TIMEOUT_MS = 600_000;

/**
 * Publishes both workflows of the outbox example. To save time, the sending one runs every two seconds instead of ten, and releases the rows of a crashed run after `releaseSeconds` instead of five minutes. The URL of the webhook is the returned
 * `url`, followed by `-outbox`. `parameters` are other parameters by the name of their node.
 */
export async function publishOutbox(queue, { releaseSeconds, parameters }) {
	const { webhooks, postgres } = queue;
	const path = randomUUID();
	const login = { user: 'caller', password: randomBytes(18).toString('base64url') };
	const credentials = {
		httpBasicAuth: await createCredential(queue, 'httpBasicAuth', login),
		messagingGatewayApi: await createGatewayCredential(queue),
	};
	const since = `={{ $now.minus({ seconds: ${releaseSeconds} }).toISO() }}`;
	const crashed = [
		{ keyName: 'status', condition: 'eq', keyValue: 'sending' },
		{ keyName: 'updatedAt', condition: 'lt', keyValue: since },
	];
	await publishExample(queue, '11-outbox-in', { path: `${path}-outbox`, credentials });
	const stopSending = await publishExample(queue, '11-outbox-send', {
		credentials,
		parameters: {
			'Every 10 seconds': { rule: { interval: [{ field: 'seconds', secondsInterval: 2 }] } },
			'Release crashed': { filters: { conditions: crashed } },
			...parameters,
		},
	});
	const [[id]] = postgres.query(`SELECT id FROM data_table WHERE name = 'Messaging outbox'`);
	const table = `"data_table_user_${id}"`;

	/** How many rows have each status. */
	function statuses() {
		const rows = postgres.query(`SELECT status, count(*) FROM ${table} GROUP BY status`);
		return Object.fromEntries(rows.map(([status, count]) => [status, Number(count)]));
	}

	return {
		url: `${webhooks.url}/webhook/${path}`,
		login,
		statuses,
		waitUntil: async (condition) =>
			await waitFor(() => condition(statuses()), 'The outbox does not go on.', TIMEOUT_MS),
		/** Stops sending and empties the table. */
		async stop() {
			await stopSending();
			postgres.query(`DELETE FROM ${table}`);
		},
	};
}
