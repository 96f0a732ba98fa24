import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { watchCpu } from '../harness/cpu.ts';
import { createOutboxCalls, createTextCalls } from './calls.mjs';
import { executionsOf } from './executions.mjs';
import { startLoad } from './load.mjs';
import { publishOutbox } from './outbox.mjs';
import { sandboxControl } from './sandboxControl.mjs';
import { publishWorkflow } from './workflow.mjs';

export const CONNECTIONS = 10;
export const LATENCY_MS = 50;
/** As in the example: a run has a fixed cost, which its messages share. */
const SCHEDULE = { releaseSeconds: 300, everySeconds: 10 };

/** The messages are sent by the executions that the calls start. With a `login`, the webhook requires it as Basic Auth. */
export async function publishDirect(queue, count, login) {
	const workflow = await publishWorkflow(queue, { login });
	return {
		url: workflow.url,
		calls: createTextCalls(count, login),
		async waitUntilSent() {
			await executionsOf(queue, workflow.id).waitUntilFinished();
		},
	};
}

/** As safe as the webhook of the outbox, which checks a password, too. */
export async function publishProtected(queue, count) {
	const login = { user: 'caller', password: randomBytes(18).toString('base64url') };
	return await publishDirect(queue, count, login);
}

/** The calls are stored as rows, which another execution sends. */
export async function publishStored(queue, count) {
	const outbox = await publishOutbox(queue, SCHEDULE);
	return {
		url: outbox.url,
		calls: createOutboxCalls(count, outbox.login),
		waitUntilSent: async () => await outbox.waitUntil(({ sent = 0 }) => sent === count),
		stop: async () => await outbox.stop(),
	};
}

/** Sends this many messages and measures from the first call until the last message is sent. */
export async function round(queue, count, publish) {
	const gateway = sandboxControl(queue.gateway);
	await gateway.reset(LATENCY_MS);
	const { url, calls, waitUntilSent, stop } = await publish(queue, count);
	const cpu = watchAllCpu(queue);
	const startedAt = performance.now();
	const load = startLoad({ url, calls, connections: CONNECTIONS });
	await load.finished;
	const acceptedMs = performance.now() - startedAt;
	await waitUntilSent();
	const wallMs = performance.now() - startedAt;
	const cpuMs = cpu();
	await stop?.();

	const { delivered } = await gateway.state();
	if (delivered.length !== count)
		throw new Error(`${delivered.length} of ${count} messages were delivered.`);
	return {
		perSecond: (count * 1000) / wallMs,
		acceptedPerSecond: (count * 1000) / acceptedMs,
		cpuPerMessage: cpuMs.map((ms) => ms / count),
		busyCpus: sum(cpuMs) / wallMs,
	};
}

/** Main, webhook process, workers, PostgreSQL, Redis, gateway, load generator. */
function watchAllCpu({ main, webhooks, workers, postgres, redis, gateway }) {
	const groups = [
		[main.home],
		[webhooks.home],
		workers.map(({ home }) => home),
		[postgres.folder],
		[redis.folder],
		[join(gateway.home, 'sandbox')],
	].map((folders) => folders.map((folder) => watchCpu(folder)));
	const ownCpu = process.cpuUsage();
	return () => {
		const { user, system } = process.cpuUsage(ownCpu);
		return [
			...groups.map((watches) => sum(watches.map((readCpu) => readCpu()))),
			(user + system) / 1000,
		];
	};
}

export function sum(numbers) {
	return numbers.reduce((total, number) => total + number, 0);
}
