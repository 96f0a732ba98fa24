import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { root } from '../../dev/tools/install.mjs';
import { readJson } from '../../dev/tools/jsonFile.mjs';
import { executionsOf } from './executions.mjs';
import { createCredential, createGatewayCredential, publishExample, waitFor } from './workflow.mjs';

const TIMEOUT_MS = 600_000;

/**
 * Publishes both workflows of the outbox example, of the form on data tables or on PostgreSQL. To save time, the sending one runs
 * every two seconds instead of ten, and claims end after `releaseSeconds` instead of five minutes. The URL of the webhook is the
 * returned `url`, followed by `-outbox`.
 */
export async function publishOutbox(
	queue,
	{ releaseSeconds, settings = {}, form = '11', seconds = 2 },
) {
	const { webhooks, postgres } = queue;
	const path = randomUUID();
	const login = { user: 'caller', password: randomBytes(18).toString('base64url') };
	const credentials = {
		httpBasicAuth: await createCredential(queue, 'httpBasicAuth', login),
		messagingGatewayApi: await createGatewayCredential(queue),
		postgres: await createPostgresCredential(queue),
	};
	const edit = (node) => {
		for (const each of node.parameters.assignments?.assignments ?? [])
			each.value = settings[each.name] ?? each.value;
		const text = JSON.stringify(node)
			.replaceAll('$now.minus({ minutes: 5 })', `$now.minus({ seconds: ${releaseSeconds} })`)
			.replaceAll('CLAIM_MINUTES = 5;', `CLAIM_MINUTES = ${releaseSeconds / 60};`)
			.replaceAll("interval '5 minutes'", `interval '${releaseSeconds} seconds'`);
		return JSON.parse(text);
	};
	const stopSending = await publishExample(queue, `${form}-outbox-send`, {
		...{ credentials, edit },
		parameters: {
			'Every 10 seconds': { rule: { interval: [{ field: 'seconds', secondsInterval: seconds }] } },
		},
	});
	const stopStoring = await publishExample(queue, `${form}-outbox-in`, {
		...{ path: `${path}-outbox`, credentials },
	});
	const table = form === '11' ? dataTable(postgres, 'Messaging outbox') : 'messaging_outbox';
	const exists = () => postgres.query(`SELECT to_regclass('${table}')`)[0]?.[0];
	await waitFor(exists, 'The outbox has created no table.', TIMEOUT_MS);

	/** How many rows have each status. */
	function statuses() {
		const rows = postgres.query(`SELECT status, count(*) FROM ${table} GROUP BY status`);
		return Object.fromEntries(rows.map(([status, count]) => [status, Number(count)]));
	}

	return {
		table,
		url: `${webhooks.url}/webhook/${path}`,
		login,
		statuses,
		waitUntil: async (condition) =>
			await waitFor(() => condition(statuses()), 'The outbox does not go on.', TIMEOUT_MS),
		/** Stops sending and empties the table. */
		async stop() {
			await stopSending();
			await stopStoring();
			postgres.query(`DELETE FROM ${table}`);
		},
	};
}

async function createPostgresCredential(queue) {
	const { DB_POSTGRESDB_PORT: port, DB_POSTGRESDB_USER: user } = queue.postgres.environment;
	return await createCredential(queue, 'postgres', {
		...{ host: '127.0.0.1', port: Number(port), database: 'postgres', user, password: '-' },
		...{ maxConnections: 20, allowUnauthorizedCerts: false, ssl: 'disable', sshTunnel: false },
	});
}

/** Runs the example that moves rows, and waits until it has succeeded. */
export async function moveRows(queue, direction) {
	const { editor } = queue.main;
	const { name, nodes, connections, settings } = readJson(
		join(root, 'examples/11p-outbox-move.json'),
	);
	const postgres = await createPostgresCredential(queue);
	for (const each of nodes) {
		if (each.credentials) each.credentials = { postgres };
		for (const field of each.parameters.assignments?.assignments ?? [])
			if (field.name === 'direction') field.value = direction;
	}
	const { id } = await editor.call('POST', '/workflows', { name, nodes, connections, settings });
	await editor.call('POST', `/workflows/${id}/run`, {
		triggerToStartFrom: { name: 'Manual trigger' },
	});
	const ended = () =>
		executionsOf(queue, id)
			.list()
			.find(({ status }) => status === 'success');
	await waitFor(ended, `The rows were not moved ${direction}.`);
}

/** The table of PostgreSQL in which n8n keeps a data table. */
export function dataTable(postgres, name) {
	const [[id]] = postgres.query(`SELECT id FROM data_table WHERE name = '${name}'`);
	return `"data_table_user_${id}"`;
}
