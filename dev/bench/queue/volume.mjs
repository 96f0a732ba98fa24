// `node --import tsx dev/bench/queue/volume.mjs`: what the outbox costs in both of its forms, with few and with many rows of today.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

import { startQueueMode } from '../../live/modes/queueMode.mjs';
import { stopAll } from '../../live/process/launch.mjs';
import { installAll } from '../../live/workspace/install.mjs';
import { findServers } from '../../tools/servers.mjs';
import { watchCpu } from '../../../test/harness/cpu.ts';
import { dataTable, publishOutbox } from '../../../test/queue/outbox.mjs';
import { sandboxControl } from '../../../test/queue/sandboxControl.mjs';
import {
	createGatewayCredential,
	createTablesOf,
	node,
	publish,
	withBranches,
} from '../../../test/queue/workflow.mjs';

const COUNT = 60;
const ROWS_OF_TODAY = 20_000;
const PER_MINUTE = 600;
const FORMS = argv.slice(2).length > 0 ? argv.slice(2) : ['11', '11p'];

let inserted = 0;
const servers = findServers();
await installAll();
process.on('SIGINT', async () => {
	await stopAll();
	process.exit(1);
});
const home = mkdtempSync(join(tmpdir(), 'messaging-gateway-queue-'));
try {
	const environment = {
		N8N_CONCURRENCY_PRODUCTION_LIMIT: '1',
		// The CPU of a process that has exited is not counted.
		N8N_RUNNERS_AUTO_SHUTDOWN_TIMEOUT: '0',
	};
	const queue = await startQueueMode({
		home,
		servers,
		workers: FORMS.includes('11p') ? 4 : 1,
		environment,
	});
	for (const worker of queue.workers.slice(1)) await worker.kill();
	await createTablesOf(queue, '13-campaign-prepare');
	// Code is compiled while it runs for the first time.
	await measure(queue, async () => await publishLoop(queue, COUNT), 50);
	const loop = await measure(queue, async () => await publishLoop(queue, 5 * COUNT), 50);
	console.log('loop', loop);
	for (const form of FORMS) await compare(queue, form, loop);
	if (FORMS.includes('11p')) await scale(queue);
} finally {
	await stopAll();
	rmSync(home, { recursive: true, force: true });
}

async function compare(queue, form, loop) {
	const settings = { messagesPerMinute: PER_MINUTE, dailyCaps: '99999', newPeoplePerDay: '99999' };
	const outbox = await publishOutbox(queue, { form, settings, releaseSeconds: 300, seconds: 10 });
	await delay(5_000);
	await measure(queue, async () => insert(queue, outbox, form, COUNT), 50);
	const few = await measure(queue, async () => insert(queue, outbox, form, COUNT), 50);
	insertSent(queue, outbox, form);
	const many = await measure(queue, async () => insert(queue, outbox, form, COUNT), 50);
	const long = await measure(queue, async () => insert(queue, outbox, form, 5 * COUNT), 50);
	await outbox.stop();
	console.log(form, { few, many, long });
	console.log({
		cpuPerMessage: [few, many, long].map((each) => each.cpuMs / loop.cpuMs),
		timeWithManyRows: many.seconds / few.seconds,
		rssWithManyRows: many.rssMb / few.rssMb,
		shareOfRate: [few, many, long].map((each) => each.perMinute / PER_MINUTE),
	});
}

/** Four workers against one, without a limit. */
async function scale(queue) {
	const settings = { messagesPerMinute: 0 };
	const outbox = await publishOutbox(queue, {
		form: '11p',
		settings,
		releaseSeconds: 300,
		seconds: 1,
	});
	const run = async () => await measure(queue, async () => insert(queue, outbox, '11p', 600), 200);
	await run();
	const one = await run();
	for (const worker of queue.workers.slice(1)) await worker.start();
	await delay(20_000);
	const four = await run();
	await outbox.stop();
	console.log('workers', { one, four, ratio: four.perMinute / one.perMinute });
}

/** Starts sending, and measures until the last message has arrived. */
async function measure(queue, start, latencyMs) {
	const gateway = sandboxControl(queue.gateway);
	await gateway.reset(latencyMs);
	const folders = [...queue.workers.map(({ home }) => home), queue.postgres.folder];
	const cpu = folders.map((folder) => watchCpu(folder));
	const count = await start();
	let rssMb = 0;
	let delivered = [];
	const deadline = Date.now() + 180_000;
	while (delivered.length < count && Date.now() < deadline) {
		await delay(250);
		rssMb = Math.max(rssMb, rssOf(queue.workers[0].home));
		({ delivered } = await gateway.state());
	}
	// Then the results are written.
	await delay(3_000);
	const cpuMs = cpu.reduce((sum, read) => sum + read(), 0) / count;
	const requests = await gateway.requests();
	const times = requests.map(({ receivedAt }) => Date.parse(receivedAt)).sort((a, b) => a - b);
	const seconds = (times.at(-1) - times[0]) / 1000;
	const perMinute = (60 * (delivered.length - 1)) / seconds;
	return {
		delivered: delivered.length,
		requests: requests.length,
		seconds,
		perMinute,
		cpuMs,
		rssMb,
	};
}

/** In MB, of all processes with this working directory. */
function rssOf(folder) {
	const kilobytes = readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.map((pid) => {
			try {
				if (readlinkSync(`/proc/${pid}/cwd`) !== folder) return 0;
				return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
			} catch {
				return 0;
			}
		});
	return Math.round(kilobytes.reduce((sum, each) => sum + each, 0) / 1024);
}

/** Rows that are due: on data tables of a campaign, for which all rules apply. */
function insert({ postgres }, { table }, form, count) {
	inserted += 1;
	const values = `'i${inserted} ' || i, '4477' || lpad((${inserted} * 10000 + i)::text, 8, '0'), 'Hello ' || i`;
	if (form === '11p') {
		postgres.query(
			`INSERT INTO ${table} (request_id, recipient, text) SELECT ${values} FROM generate_series(1, ${count}) AS i`,
		);
		return count;
	}
	const campaigns = dataTable(postgres, 'Messaging campaigns');
	postgres.query(`DELETE FROM ${campaigns}`);
	postgres.query(
		`INSERT INTO ${campaigns} (name, status, timezone, "windowFrom", "windowTo", weekdays, "maxPerPerson", "perDays") VALUES ('Spring', 'running', 'UTC', '00:00', '00:00', '1,2,3,4,5,6,7', 3, 7)`,
	);
	postgres.query(
		`INSERT INTO ${table} ("requestId", recipient, text, person, token, status, attempts, reason, campaign, number, "otherNumbers", "nextAttemptAt") SELECT ${values}, 'p${inserted} ' || i, 't${inserted} ' || i, 'pending', 0, '', 'Spring', '', '', now() FROM generate_series(1, ${count}) AS i`,
	);
	return count;
}

function insertSent({ postgres }, { table }, form) {
	const series = `FROM generate_series(1, ${ROWS_OF_TODAY}) AS i`;
	postgres.query(
		form === '11p'
			? `INSERT INTO ${table} (request_id, recipient, text, status, sent_at) SELECT 'old ' || i, '4478' || i, 'Hello', 'sent', now() ${series}`
			: `INSERT INTO ${table} ("requestId", recipient, text, person, token, status, attempts, reason, campaign, number, "sentAt") SELECT 'old ' || i, '4478' || i, 'Hello', 'q' || i, 'u' || i, 'sent', 1, '', 'Other', '', now() ${series}`,
	);
}

/** Publishes a Loop Over Items with an HTTP Request, and starts it: what users build without this package. Returns `count`. */
async function publishLoop(queue, count) {
	const path = randomUUID();
	const credential = await createGatewayCredential(queue, { allowedHttpRequestDomains: 'all' });
	const webhook = {
		...node('webhook', 2.1, 'Start', {
			...{ httpMethod: 'POST', path, options: {}, responseMode: 'onReceived' },
		}),
		webhookId: path,
	};
	const nodes = [
		webhook,
		node('splitOut', 1, 'Split Out', { fieldToSplitOut: 'body.messages', options: {} }),
		node('splitInBatches', 3, 'Loop', { options: {} }),
		{
			...node('httpRequest', 4.2, 'Request', {
				...{
					method: 'POST',
					url: `${queue.gateway.account.baseUrl}/api/whatsapp/{token}/sendMessage`,
					sendBody: true,
				},
				...{
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'messagingGatewayApi',
				},
				...{ specifyBody: 'json', jsonBody: '={{ $json }}' },
			}),
			credentials: { messagingGatewayApi: credential },
		},
	];
	const workflow = withBranches([nodes]);
	const to = (name) => [{ node: name, type: 'main', index: 0 }];
	workflow.connections.Loop = { main: [[], to('Request')] };
	workflow.connections.Request = { main: [to('Loop')] };
	await publish(queue, workflow, path);
	const messages = Array.from({ length: count }, (_, index) => {
		const chatId = `44770091${String(index).padStart(4, '0')}`;
		return { chatId, type: 'text', text: `Loop ${index}` };
	});
	await fetch(`${queue.webhooks.url}/webhook/${path}`, {
		...{ method: 'POST', headers: { 'content-type': 'application/json' } },
		body: JSON.stringify({ messages }),
	});
	return count;
}
