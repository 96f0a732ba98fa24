// Run by `node test/queue/main.mjs`.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

import { startQueueMode } from '../../dev/live/modes/queueMode.mjs';
import { stopAll } from '../../dev/live/process/launch.mjs';
import { createCalls } from './calls.mjs';
import { runCampaignScenario } from './campaign.mjs';
import { dataTable, moveRows } from './outbox.mjs';
import { runPaceScenario } from './pace.mjs';
import { runManually } from './question.mjs';
import { runOutboxScenario, runScenario } from './scenario.mjs';

const PER_SECOND = 15;
const CALLS = 1_000;
const CALLS_IN_TROUBLE = 150;
const PER_MINUTE = 120;
const KILLS = 3;
const KILL_INTERVAL_MS = 60_000;
const ORDERS = 30;

/** Long enough for a process to send something that it should not. */
const MOMENT_MS = 3_000;

const PUBLIC_ADDRESS = 'https://n8n.example.com';

const SETTINGS = {
	WEBHOOK_URL: PUBLIC_ADDRESS,
	// As n8n 3 always does.
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	// Looks for the jobs of dead workers every 10 seconds instead of every 30. The lock time of a job, one minute, stays.
	QUEUE_WORKER_STALLED_INTERVAL: '10000',
};

const home = mkdtempSync(join(tmpdir(), 'messaging-gateway-queue-'));
let queue;

before(async () => {
	const servers = JSON.parse(process.env.SERVERS);
	queue = await startQueueMode({ home, servers, workers: 4, environment: SETTINGS });
});

after(cleanUp);

// Ctrl+C, or the parent process has exited.
for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) {
	process.on(event, async () => {
		await cleanUp();
		process.exit(1);
	});
}
process.channel?.unref();

async function cleanUp() {
	await stopAll();
	rmSync(home, { recursive: true, force: true });
}

// The first test: all others need two workers, of which each does enough.
test('four workers send 200 messages at the pace of the credential, and no minute has more', async () => {
	const outcome = await runPaceScenario(queue, { calls: 200, perMinute: PER_MINUTE });
	await Promise.all(queue.workers.splice(2).map(async (worker) => await worker.kill()));
	assert.equal(outcome.delivered, 200);
	assert.ok(outcome.largestMinute <= PER_MINUTE, 'messages above the pace');
	assert.ok(outcome.largestMinute > PER_MINUTE / 2, 'several workers have sent');
});

test('delivers every message without retries if nothing fails', async () => {
	const outcome = await checkScenario({ calls: createCalls(CALLS) });
	assert.deepEqual(outcome.executions, { success: CALLS });
	assert.equal(outcome.duplicatesDropped, 0);
});

test('delivers or retries every message if a worker and the webhook process are killed and restarted', async () => {
	const outcome = await checkScenario({
		waitAfterSend: true,
		disrupt: async () => await killAndRestart(queue.workers[0]),
		// Before n8n notices the dead worker: see docs/sending.md.
		afterLoad: async () => await killAndRestart(queue.webhooks),
	});
	assert.ok(outcome.executions.crashed > 0, 'executions of the killed worker have failed');
});

test('delivers or retries every message if Redis is killed and restarted', async () => {
	await checkScenario({ disrupt: async () => await queue.redis.killAndRestart() });
});

test('delivers every message if n8n responds after delivery and callers repeat failed calls: PostgreSQL is restarted', async () => {
	const { notDelivered, neverAccepted } = await checkScenario({
		respondsLast: true,
		disrupt: async () => await queue.postgres.restart(),
	});
	assert.deepEqual(notDelivered, [], 'calls that were answered with 200 before delivery');
	assert.deepEqual(neverAccepted, [], 'calls that were never accepted');
});

test('delivers or retries every message if the gateway is down for ten seconds', async () => {
	const outcome = await checkScenario({
		disrupt: async () => {
			await queue.gateway.kill();
			await delay(10_000);
			await queue.gateway.start();
		},
	});
	assert.ok(outcome.executions.error > 0, 'some executions have failed');
});

for (const form of ['11', '11p']) {
	test(`delivers every accepted message once, without a retry, through the outbox ${form}: workers are killed and PostgreSQL is restarted`, async () => {
		const outcome = await runOutboxScenario(queue, {
			...{ form, calls: CALLS_IN_TROUBLE, perSecond: PER_SECOND },
			disrupt: async () => {
				await killWorkers();
				await queue.postgres.restart();
				await queue.workers[1].start();
			},
		});
		await queue.workers[0].start();
		const { sent, ...others } = outcome.rows;
		assert.deepEqual(others, {}, 'other statuses');
		assert.ok(sent >= CALLS_IN_TROUBLE, 'calls with a row that is sent');
		assert.deepEqual(outcome.neverAccepted, [], 'calls that were never accepted');
		expectNothingLost(outcome);
	});

	test(`requests each of ${ORDERS} orders at most once and once per kill through the outbox ${form}: callers repeat, a kill per minute`, async () => {
		const outcome = await runOutboxScenario(queue, {
			...{ form, calls: ORDERS, perSecond: 1, perMinute: ORDERS / KILLS },
			disrupt: async () => {
				for (let kill = 0; kill < KILLS; kill++) {
					await killWorkers();
					await killAndRestart(queue.webhooks);
					await Promise.all(queue.workers.map(async (worker) => await worker.start()));
					await delay(KILL_INTERVAL_MS);
				}
			},
		});
		assert.ok(outcome.mostRequests <= 1 + KILLS, 'requests for one order');
		assert.deepEqual(outcome.neverAccepted, [], 'calls that were never accepted');
		expectNothingLost(outcome);
	});
}

test('moves the rows of requests to PostgreSQL and back', async () => {
	const { postgres } = queue;
	await moveRows(queue, 'to PostgreSQL');
	const inDataTable = () =>
		postgres.query(
			`SELECT "requestId", recipient, text, status FROM ${dataTable(postgres, 'Messaging outbox')} ORDER BY id`,
		);
	const inPostgres = () =>
		postgres.query('SELECT request_id, recipient, text, status FROM messaging_outbox ORDER BY id');
	const later = "now() + interval '1 hour'";
	postgres.query(
		`INSERT INTO ${dataTable(postgres, 'Messaging outbox')} ("requestId", recipient, text, status, attempts, "nextAttemptAt", reason) VALUES ('order 1', '+447700900123', 'Hello', 'pending', 0, ${later}, ''), ('order 2', '+447700900124', 'Bye', 'sent', 1, now(), '')`,
	);
	const rows = inDataTable();
	assert.equal(rows.length, 2);
	await moveRows(queue, 'to PostgreSQL');
	assert.deepEqual(inDataTable(), []);
	assert.deepEqual(inPostgres(), rows);
	await moveRows(queue, 'to data tables');
	assert.deepEqual(inPostgres(), []);
	assert.deepEqual(inDataTable(), rows);
	postgres.query(`DELETE FROM ${dataTable(postgres, 'Messaging outbox')}`);
});

test('keeps all rules of a campaign: a worker, Redis and PostgreSQL are killed', async () => {
	const outcome = await runCampaignScenario(queue, {
		disrupt: [
			async () => {
				await killWorkers();
				await queue.workers[1].start();
			},
			async () => await queue.redis.killAndRestart(),
			async () => await queue.postgres.crashAndRestart(),
		],
	});
	await queue.workers[0].start();
	assert.ok(outcome.duplicatesDropped > 0, 'messages are sent again after a failure');
	assert.equal(outcome.twice, 0, 'messages that arrived twice');
	assert.deepEqual(outcome.afterOptOut, [], 'messages after the opt-out');
	assert.deepEqual(outcome.outsideOfWindow, [], 'messages outside of the window');
	assert.deepEqual(outcome.aboveCap, [], 'messages above the daily cap');
	assert.ok(outcome.newPeople <= outcome.newPerDay, 'new people above the limit per day');
	assert.ok(outcome.counted >= outcome.cap, 'the campaign goes on until the cap is reached');
	assert.deepEqual(outcome.lost, [], 'rows that are marked as sent, but never arrived');
	assert.deepEqual(outcome.notCounted, [], 'messages that arrived, and do not count as sent');
});

test('runs a manual execution on workers: the QR image as a file, and a question that is answered while no worker runs', async () => {
	const [first, second] = queue.workers;
	await killWorkers();
	const manual = await runManually(queue);
	await delay(MOMENT_MS);
	assert.deepEqual(manual.statuses(), ['new']);
	assert.deepEqual(await manual.endpoints(), []);

	await first.start();
	await manual.pair();
	const question = await manual.question();
	const [file] = question.delivered;
	assert.equal(file.caption, 'The QR code');
	assert.equal(file.media.mimetype, 'image/png');
	assert.equal(question.link.origin, PUBLIC_ADDRESS);

	await killWorkers();
	assert.match((await question.open()).page, /Approve/);
	const tampered = new URL(question.link);
	tampered.searchParams.set('run', '1');
	assert.equal((await question.answer('true', tampered)).status, 401);
	assert.deepEqual(manual.statuses(), ['waiting']);

	// A double tap, and another decision at the same time.
	const answers = await Promise.all(
		['true', 'true', 'false'].map(async (approved) => await question.answer(approved)),
	);
	const accepted = answers.filter(({ page }) => page.includes('Thank you'));
	assert.equal(accepted.length, 1, JSON.stringify(answers));
	await delay(MOMENT_MS);
	assert.deepEqual(await question.sent(), []);
	await second.start();
	await manual.waitForEnd();
	const decision = await question.sent();
	assert.equal(decision.length, 1);

	const late = await question.answer(decision[0] === 'Approved' ? 'false' : 'true');
	assert.doesNotMatch(late.page, /Thank you/);
	assert.deepEqual(manual.statuses(), ['success']);
	assert.deepEqual(await question.sent(), decision);
	assert.deepEqual(
		new Set(await manual.endpoints()),
		new Set(['qrImage', 'status', 'sendMedia', 'sendMessage']),
	);
	await first.start();
});

async function killAndRestart(process) {
	await process.kill();
	await process.start();
}

/** Both, because only one of them sends a batch. */
async function killWorkers() {
	await Promise.all(queue.workers.map(async (worker) => await worker.kill()));
}

async function checkScenario(options) {
	const calls = createCalls(CALLS_IN_TROUBLE);
	const outcome = await runScenario(queue, { calls, perSecond: PER_SECOND, ...options });
	const executions = Object.values(outcome.executions).reduce((sum, count) => sum + count, 0);
	assert.ok(executions >= outcome.accepted.length, 'every accepted call has an execution');
	expectNothingLost(outcome);
	return outcome;
}

/** Every message of an accepted call has arrived intact, immediately or after Retry. */
function expectNothingLost({ missing, deliveredTwice, outOfOrder, damaged }) {
	assert.deepEqual(missing, [], 'accepted calls with messages that never arrived');
	assert.deepEqual(deliveredTwice, [], 'messages that arrived twice');
	assert.deepEqual(outOfOrder, [], 'calls whose messages arrived out of order');
	assert.deepEqual(damaged, [], 'calls whose file arrived damaged');
}
