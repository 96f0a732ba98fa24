import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { createDataTable, credentialData } from '../../live/n8n/seed.mjs';
import { root } from '../../tools/install.mjs';
import { readJson } from '../../tools/jsonFile.mjs';
import { waitForWebhook } from './workflow.mjs';

const TIMEOUT_MS = 600_000;

/**
 * Publishes both workflows of the outbox example. To save time, the sending one runs every two seconds instead of ten, and releases the rows of a crashed run after `releaseSeconds` instead of five minutes. The URL of the webhook is the returned
 * `url`, followed by `-outbox`. `fields` are other fields by the name of their node.
 */
export async function publishOutbox(
	{ main, webhooks, postgres, gateway },
	{ releaseSeconds, fields = {} },
) {
	const { editor } = main;
	const path = randomUUID();
	const login = { user: 'caller', password: randomBytes(18).toString('base64url') };
	const credentials = {
		httpBasicAuth: await createCredential('httpBasicAuth', login),
		messagingGatewayApi: await createCredential(
			'messagingGatewayApi',
			credentialData(gateway.account),
		),
	};
	const settings = {
		Request: { path: `${path}-outbox` },
		'Every 10 seconds': {
			rule: { interval: [{ field: 'seconds', secondsInterval: 2 }] },
		},
		'Release crashed': { filters: crashedFor(releaseSeconds) },
		...fields,
	};
	await publishExample('11-outbox-in');
	const sending = await publishExample('11-outbox-send');
	const url = `${webhooks.url}/webhook/${path}`;
	await waitForWebhook(`${url}-outbox`);
	const [[id]] = postgres.query(`SELECT id FROM data_table WHERE name = 'Messaging outbox'`);
	const table = `"data_table_user_${id}"`;

	return {
		url,
		login,

		/** How many rows have each status. */
		statuses() {
			const rows = postgres.query(`SELECT status, count(*) FROM ${table} GROUP BY status`);
			return Object.fromEntries(rows.map(([status, count]) => [status, Number(count)]));
		},

		async waitUntil(condition) {
			const deadline = Date.now() + TIMEOUT_MS;
			while (!condition(this.statuses())) {
				if (Date.now() > deadline) throw new Error(JSON.stringify(this.statuses()));
				await delay(100);
			}
		},

		/** Stops sending and empties the table. */
		async stop() {
			await editor.call('POST', `/workflows/${sending.id}/deactivate`, {});
			postgres.query(`DELETE FROM ${table}`);
		},
	};

	async function createCredential(type, data) {
		const { id, name } = await editor.call('POST', '/credentials', { name: type, type, data });
		return { id, name };
	}

	async function publishExample(file) {
		const example = readJson(join(root, 'workflows', `${file}.json`));
		const nodes = example.nodes.map((node) => {
			const types = Object.keys(node.credentials ?? {});
			return {
				...node,
				...(node.webhookId && { webhookId: path }),
				credentials: Object.fromEntries(types.map((type) => [type, credentials[type]])),
				parameters: { ...node.parameters, ...settings[node.name] },
			};
		});
		for (const node of nodes) await createDataTable(editor, node);
		const { name, connections, settings: options } = example;
		const workflow = await editor.call('POST', '/workflows', {
			name,
			nodes,
			connections,
			settings: options,
		});
		const { id, versionId } = workflow;
		await editor.call('POST', `/workflows/${id}/activate`, { versionId });
		return workflow;
	}
}

function crashedFor(seconds) {
	return {
		conditions: [
			{ keyName: 'status', condition: 'eq', keyValue: 'sending' },
			{
				keyName: 'updatedAt',
				condition: 'lt',
				keyValue: `={{ $now.minus({ seconds: ${seconds} }).toISO() }}`,
			},
		],
	};
}
