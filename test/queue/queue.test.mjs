// `npm run test:queue` runs this file. CALLS and CALLS_IN_TROUBLE: how many.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

import { installAll } from '../../live/installation.mjs';
import { stopAll } from '../../live/launch.mjs';
import { startQueueMode } from '../../live/queueMode.mjs';
import { findServers } from '../../tools/servers.mjs';
import { newCalls } from './calls.mjs';
import { endure } from './ordeal.mjs';

const PER_SECOND = 15;
const CALLS = Number(process.env.CALLS ?? 1000);
const CALLS_IN_TROUBLE = Number(process.env.CALLS_IN_TROUBLE ?? 150);
const AWAY_MS = 10_000;

const SETTINGS = {
	// n8n looks every half minute for jobs of workers that are gone; what it takes for gone, a minute's silence, stays.
	QUEUE_WORKER_STALLED_INTERVAL: '10000',
};

const home = mkdtempSync(join(tmpdir(), 'messaging-gateway-queue-'));
let queue;

before(async () => {
	const servers = findServers();
	await installAll();
	queue = await startQueueMode({ home, servers, workers: 2, environment: SETTINGS });
});

after(end);

// Ctrl+C, or the one who started this is gone.
for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) {
	process.on(event, async () => {
		await end();
		process.exit(1);
	});
}
process.channel?.unref();

async function end() {
	await stopAll();
	rmSync(home, { recursive: true, force: true });
}

test('nothing happens', async () => {
	const outcome = await ordeal({ calls: newCalls(CALLS) });
	assert.deepEqual(outcome.executions, { success: CALLS });
	assert.equal(outcome.repeatsDropped, 0);
	shouldHaveKeptAll(outcome);
});

test('a worker is killed and another one started, the webhook process too', async () => {
	const [worker] = queue.workers;
	const outcome = await ordeal({
		goesOn: true,
		trouble: async () => {
			await worker.kill();
			await worker.start();
		},
		// Before it notices: see docs/reliability.md.
		afterLoad: async () => {
			await queue.webhooks.kill();
			await queue.webhooks.start();
		},
	});
	assert.ok(outcome.executions.crashed > 0, 'n8n gave up on what the worker was at');
	shouldHaveKeptAll(outcome);
});

test('a worker is killed and nobody does anything: what n8n loses, it shows', async () => {
	const [worker] = queue.workers;
	const outcome = await ordeal({ trouble: async () => await worker.kill() });
	await worker.start();
	assert.ok(outcome.executions.error > 0, 'n8n gave up on what the worker was at');
	shouldShowWhatIsLost(outcome);
});

test('a worker is killed, and calls are answered when delivered, else made again', async () => {
	const [worker] = queue.workers;
	const outcome = await ordeal({
		whenAnswered: 'delivered',
		trouble: async () => await worker.kill(),
	});
	await worker.start();
	assert.ok(outcome.accepted < outcome.calls, 'callers heard that something went wrong');
	shouldHaveDeliveredAll(outcome);
});

test('Redis is killed and started', async () => {
	const outcome = await ordeal({ trouble: async () => await queue.redis.killAndRestart() });
	shouldHaveKeptAll(outcome);
});

test('PostgreSQL is restarted: what n8n loses, it shows', async () => {
	const outcome = await ordeal({ trouble: async () => await queue.postgres.restart() });
	shouldShowWhatIsLost(outcome);
});

test('PostgreSQL is restarted, and calls are answered when delivered, else made again', async () => {
	const outcome = await ordeal({
		whenAnswered: 'delivered',
		trouble: async () => await queue.postgres.restart(),
	});
	shouldHaveDeliveredAll(outcome);
});

test('the gateway is away for ten seconds', async () => {
	const outcome = await ordeal({
		trouble: async () => {
			await queue.gateway.kill();
			await pause(AWAY_MS);
			await queue.gateway.start();
		},
	});
	assert.ok(outcome.executions.error > 0, 'the node gave up on some');
	shouldHaveKeptAll(outcome);
});

async function ordeal(what) {
	const outcome = await endure(queue, {
		calls: newCalls(CALLS_IN_TROUBLE),
		perSecond: PER_SECOND,
		...what,
	});
	console.log(outcome.inWords);
	const known = Object.values(outcome.executions).reduce((sum, count) => sum + count, 0);
	assert.ok(known >= outcome.accepted, 'accepted calls without an execution');
	assert.deepEqual(outcome.shown, outcome.givenUp, 'what the editor shows of what n8n gave up on');
	return outcome;
}

/** Each message of an accepted call has arrived: at once, or after Retry. */
function shouldHaveKeptAll(outcome) {
	assert.deepEqual(outcome.missing, [], 'calls that n8n accepted and whose messages never arrived');
	shouldHaveKeptShape(outcome);
}

/** A 200 meant delivered, and who got none got one the second time. */
function shouldHaveDeliveredAll(outcome) {
	assert.deepEqual(outcome.notDelivered, [], 'calls that were answered with 200 too early');
	assert.deepEqual(outcome.neverAccepted, [], 'calls that were refused the second time, too');
	shouldHaveKeptAll(outcome);
}

/** n8n has written an empty execution over what came in: it is there as an error, and Retry ends with one. */
function shouldShowWhatIsLost(outcome) {
	const { error: emptied = 0 } = outcome.retries;
	assert.ok(outcome.missing.length <= emptied, 'calls that n8n lost without a word');
	shouldHaveKeptShape(outcome);
}

function shouldHaveKeptShape({ twice, outOfOrder, damaged }) {
	assert.deepEqual(twice, [], 'messages that arrived twice');
	assert.deepEqual(outOfOrder, [], 'calls whose messages arrived out of order');
	assert.deepEqual(damaged, [], 'calls whose file arrived as another one');
}
