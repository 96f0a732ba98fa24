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
/** n8n may respond with 503 for half a minute after a restart of PostgreSQL: see docs/sending.md. */
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
	const recovered = await executions.waitUntilFinished();
	const seconds = Math.round((Date.now() - disruptedAt) / 1000);

	const accepted = [...load.accepted];
	const rejected = countBy(load.rejected, ({ status }) => status);
	const finished = executions.list();
	const failed = finished.filter(({ status }) => status !== 'success');
	const notDelivered = missingIn((await gateway.state()).delivered, accepted);
	const retries = await executions.retry(failed);
	if (settings.respondsLast) await repeatRejected(workflow.url, calls, load);
	return reported({
		...{ calls, accepted, rejected, seconds, recovered, notDelivered },
		executions: countBy(finished, ({ status }) => status),
		retries: countBy(retries, (status) => status),
		...(await checkDeliveries(gateway, calls, load.accepted)),
	});
}

/**
 * Like `runScenario`, through the outbox example. The disruption starts while a batch is being sent. Callers repeat the calls that
 * were not accepted until they are. Nobody retries an execution.
 */
export async function runOutboxScenario(
	queue,
	{ calls: count, perSecond, disrupt, form, perMinute = 0 },
) {
	const gateway = sandboxControl(queue.gateway);
	await gateway.reset(LATENCY_MS);
	const settings = { messagesPerMinute: perMinute };
	const outbox = await publishOutbox(queue, { form, settings, releaseSeconds: RELEASE_SECONDS });
	const calls = createOutboxCalls(count, outbox.login);

	const load = startLoad({ url: outbox.url, calls, perSecond, timeoutS: CALLER_TIMEOUT_S });
	await load.waitForAccepted(count / 2);
	await outbox.waitUntil(({ sending = 0 }) => sending > 0);
	const disruptedAt = Date.now();
	await disrupt();
	await load.finished;
	const acceptedAtOnce = load.accepted.size;
	const attempts = await repeatRejected(outbox.url, calls, load);
	await outbox.waitUntil(({ pending = 0, sending = 0 }) => pending + sending === 0);
	const seconds = Math.round((Date.now() - disruptedAt) / 1000);
	const rows = outbox.statuses();
	await outbox.stop();
	return reported({
		...{ calls, acceptedAtOnce, attempts, seconds, rows },
		rejected: countBy(load.rejected, ({ status }) => status),
		...(await checkDeliveries(gateway, calls, load.accepted)),
	});
}

async function checkDeliveries(gateway, calls, accepted) {
	const { delivered } = await gateway.state();
	const requests = await gateway.requests();
	const sent = requests.filter(({ bodyText }) => bodyText);
	const names = countBy(delivered, nameOf);
	return {
		duplicatesDropped: duplicatesIn(requests),
		// What a gateway that ignores keys would deliver of one message.
		mostRequests: Math.max(...Object.values(countBy(sent, ({ bodyText }) => bodyText))),
		neverAccepted: calls.filter((call) => !accepted.has(call)),
		missing: missingIn(delivered, accepted),
		deliveredTwice: Object.keys(names).filter((name) => names[name] > 1),
		outOfOrder: calls.filter((call) => !isInOrder(delivered, call)),
		damaged: calls.filter((call) => isDamaged(delivered, call)),
	};
}

/** Prints what happened: lists as their lengths. */
export function reported(outcome) {
	const texts = Object.entries(outcome).map(([name, value]) => {
		return `${name}: ${JSON.stringify(Array.isArray(value) ? value.length : value)}`;
	});
	console.log(`  ${texts.join('\n  ')}`);
	return outcome;
}

/** Repeats the calls that were not answered with 200 until they are, as their callers would. Returns the number of attempts. */
async function repeatRejected(url, calls, load) {
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

/** The calls with at least one message that did not arrive. */
function missingIn(delivered, calls) {
	const names = new Set(delivered.map(nameOf));
	return [...calls].filter(({ messages }) => !messages.every((name) => names.has(name)));
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
