import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { createOutboxCalls } from './calls.mjs';
import { executionsOf } from './executions.mjs';
import { startLoad } from './load.mjs';
import { publishOutbox } from './outbox.mjs';
import { sandboxControl } from './sandboxControl.mjs';
import { publishWorkflow } from './workflow.mjs';

const LATENCY_MS = 600;
const REPEAT_CONNECTIONS = 5;
const REPEAT_PAUSE_MS = 2_000;
/** n8n may respond with 503 for half a minute after a restart of PostgreSQL: see docs/reliability.md. */
const REPEAT_TIMEOUT_MS = 180_000;
/** How long a caller of the outbox waits for a response. */
const CALLER_TIMEOUT_S = 20;
/** Longer than the outbox takes to send a batch. */
const RELEASE_SECONDS = 60;

/**
 * Posts the calls, disrupts the system when half of them are accepted, waits until n8n has finished every execution,
 * retries the failed ones, and returns what happened to the messages.
 */
export async function runScenario(queue, { calls, perSecond, disrupt, afterLoad, ...settings }) {
	const gateway = sandboxControl(queue.gateway);
	await gateway.reset(LATENCY_MS);
	const workflow = await publishWorkflow(queue, settings);
	const executions = executionsOf(queue, workflow.id);

	const load = startLoad({ url: workflow.url, calls, perSecond });
	await load.waitForAccepted(calls.length / 2);
	const disruptedAt = Date.now();
	await disrupt?.();
	await load.finished;
	await afterLoad?.();
	const orphaned = await executions.waitUntilFinished();
	const seconds = Math.round((Date.now() - disruptedAt) / 1000);

	const accepted = [...load.accepted];
	const rejected = countBy(load.rejected, ({ status }) => status);
	const finished = executions.list();
	const failed = finished.filter(({ status }) => status !== 'success');
	const notDelivered = missingIn((await gateway.state()).delivered, accepted);
	const retries = await executions.retry(failed);
	if (settings.respondWhen === 'delivered') await repeatRejected(workflow.url, calls, load);
	return withReport({
		calls: calls.length,
		accepted: accepted.length,
		rejected,
		executions: countBy(finished, ({ status }) => status),
		seconds,
		orphaned: orphaned.length,
		notDelivered,
		retries: countBy(retries, (status) => status),
		duplicatesDropped: duplicatesIn(await gateway.requests()),
		...checkDeliveries((await gateway.state()).delivered, calls, load.accepted),
	});
}

/**
 * Like `runScenario`, through the outbox example. The disruption starts while a batch is being sent. Callers repeat the calls that
 * were not accepted until they are. Nobody retries an execution.
 */
export async function runOutboxScenario(queue, { calls: count, perSecond, disrupt }) {
	const gateway = sandboxControl(queue.gateway);
	await gateway.reset(LATENCY_MS);
	const outbox = await publishOutbox(queue, { releaseSeconds: RELEASE_SECONDS });
	const calls = createOutboxCalls(count, outbox.login);

	const load = startLoad({ url: outbox.url, calls, perSecond, timeoutS: CALLER_TIMEOUT_S });
	await load.waitForAccepted(count / 2);
	await outbox.waitUntil(({ sending = 0 }) => sending > 0);
	const disruptedAt = Date.now();
	await disrupt();
	await load.finished;
	const accepted = load.accepted.size;
	const attempts = await repeatRejected(outbox.url, calls, load);
	await outbox.waitUntil(({ pending = 0, sending = 0 }) => pending + sending === 0);
	const seconds = Math.round((Date.now() - disruptedAt) / 1000);
	const rejected = countBy(load.rejected, ({ status }) => status);
	const rows = outbox.statuses();
	await outbox.stop();

	const outcome = {
		rows,
		duplicatesDropped: duplicatesIn(await gateway.requests()),
		...checkDeliveries((await gateway.state()).delivered, calls, load.accepted),
	};
	const lines = [
		`${count} calls, ${accepted} accepted at the first attempt, ${load.accepted.size} in the end; attempts: ${attempts}; rejected: ${formatCounts(rejected)}`,
		`rows ${seconds} s after the disruption: ${formatCounts(rows)}; duplicates that the gateway dropped: ${outcome.duplicatesDropped}`,
		`never delivered: ${outcome.missing.length}, delivered twice: ${outcome.deliveredTwice.length}`,
	];
	return { ...outcome, report: lines.map((line) => `  ${line}`).join('\n') };
}

function checkDeliveries(delivered, calls, accepted) {
	return {
		neverAccepted: calls.filter((call) => !accepted.has(call)),
		missing: missingIn(delivered, accepted),
		deliveredTwice: deliveredTwice(delivered),
		outOfOrder: calls.filter((call) => !isInOrder(delivered, call)),
		damaged: calls.filter((call) => isDamaged(delivered, call)),
	};
}

function withReport(outcome) {
	const lines = [
		`${outcome.calls} calls, ${outcome.accepted} accepted, rejected: ${formatCounts(outcome.rejected)}`,
		`executions after ${outcome.seconds} s: ${formatCounts(outcome.executions)}; ${outcome.orphaned} of them recovered by a restart of the main process`,
		`not delivered before Retry: ${outcome.notDelivered.length} calls; Retry: ${formatCounts(outcome.retries)}; duplicates that the gateway dropped: ${outcome.duplicatesDropped}`,
		`never delivered: ${outcome.missing.length}, delivered twice: ${outcome.deliveredTwice.length}, out of order: ${outcome.outOfOrder.length}, damaged: ${outcome.damaged.length}`,
	];
	return { ...outcome, report: lines.map((line) => `  ${line}`).join('\n') };
}

/** Repeats the calls that were not answered with 200 until they are, as their callers would. Returns the number of attempts. */
export async function repeatRejected(url, calls, load) {
	const deadline = Date.now() + REPEAT_TIMEOUT_MS;
	for (let attempts = 1; ; attempts++) {
		const rejected = calls.filter((call) => !load.accepted.has(call));
		if (rejected.length === 0 || Date.now() > deadline) return attempts;
		await delay(REPEAT_PAUSE_MS);
		const repeat = startLoad({ url, calls: rejected, connections: REPEAT_CONNECTIONS });
		await repeat.finished;
		for (const call of repeat.accepted) load.accepted.add(call);
		load.rejected.push(...repeat.rejected);
	}
}

const nameOf = ({ text, caption }) => text ?? caption;

export function countBy(list, keyOf) {
	const counts = {};
	for (const entry of list) counts[keyOf(entry)] = (counts[keyOf(entry)] ?? 0) + 1;
	return counts;
}

export function formatCounts(counts) {
	const entries = Object.entries(counts);
	return entries.length === 0
		? 'none'
		: entries.map(([key, count]) => `${count} ${key}`).join(', ');
}

/** The calls with at least one message that did not arrive. */
function missingIn(delivered, calls) {
	const names = new Set(delivered.map(nameOf));
	return [...calls].filter(({ messages }) => !messages.every((name) => names.has(name)));
}

function deliveredTwice(delivered) {
	const counts = countBy(delivered, nameOf);
	return Object.keys(counts).filter((name) => counts[name] > 1);
}

function isInOrder(delivered, { messages }) {
	const arrived = delivered.map(nameOf).filter((name) => messages.includes(name));
	return arrived.every((name, i) => name === messages[i]);
}

function isDamaged(delivered, { file, messages: [name] }) {
	const arrived = delivered.find((message) => nameOf(message) === name);
	if (!file || !arrived) return false;
	return arrived.media?.sha256 !== createHash('sha256').update(file).digest('hex');
}

/** How many messages the gateway dropped because it had accepted one with their key before. */
export function duplicatesIn(requests) {
	return requests.filter(({ reason }) => reason?.startsWith('duplicate: ')).length;
}
