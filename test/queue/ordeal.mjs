import { createHash } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';

import { executionsOf } from './executions.mjs';
import { controlOf } from './gateway.mjs';
import { startLoad } from './load.mjs';
import { publishWorkflow } from './workflow.mjs';

const LATENCY_MS = 300;
const CALLERS = 5;

/**
 * Sends the calls, makes trouble when a third of them is answered, waits until n8n has brought every execution to an end,
 * presses Retry on those it gave up on, and tells what came of it.
 */
export async function endure(queue, { calls, perSecond, whenAnswered, trouble, afterLoad }) {
	const gateway = controlOf(queue.gateway);
	await gateway.begin(LATENCY_MS);
	const workflow = await publishWorkflow(queue, whenAnswered);
	const executions = executionsOf(queue, workflow.id);

	const load = startLoad({ url: workflow.url, calls, perSecond });
	while (load.accepted.size < calls.length / 3) await after(10);
	const troubledAt = Date.now();
	await trouble?.();
	await load.ended;
	await afterLoad?.();
	const foundLater = await executions.settled();
	const seconds = Math.round((Date.now() - troubledAt) / 1000);

	const accepted = load.accepted.size;
	const ended = executions.all();
	const notDelivered = missing((await gateway.state()).delivered, load.accepted.keys());
	const failed = ended.filter(({ status }) => status !== 'success');
	const shown = await executions.shown();
	const retries = await executions.retry(failed);
	const again = calls.filter((call) => !load.accepted.has(call));
	if (whenAnswered === 'delivered') await callAgain(workflow.url, again, load);
	const { delivered } = await gateway.state();
	const outcome = {
		executions: countBy(ended, ({ status }) => status),
		givenUp: countBy(failed, ({ status }) => status),
		shown,
		notDelivered,
		calledAgain: again.length,
		repeatsDropped: repeatsIn(await gateway.requests()),
		missing: missing(delivered, load.accepted.keys()),
		statusOf: (call) => ended.find(({ id }) => id === load.accepted.get(call))?.status,
		twice: twiceIn(delivered),
		outOfOrder: calls.filter((call) => !isInOrder(delivered, call)),
		damaged: calls.filter((call) => isDamaged(delivered, call)),
	};
	return {
		...outcome,
		inWords: [
			`${calls.length} calls, ${accepted} accepted`,
			`refused ${words(countBy(load.refused, ({ status }) => status))}`,
			`executions after ${seconds} s: ${words(outcome.executions)}`,
			`${foundLater.length} of them found when the main process started`,
			`calls not delivered by then ${notDelivered.length}`,
			`Retry: ${words(countBy(retries, (status) => status))}`,
			`repeats that the gateway dropped ${outcome.repeatsDropped}`,
			`never delivered ${outcome.missing.length}, twice ${outcome.twice.length}`,
			`out of order ${outcome.outOfOrder.length}, damaged ${outcome.damaged.length}`,
		].join(' · '),
	};
}

/** What a caller does who heard nothing good: the same once more. */
async function callAgain(url, calls, load) {
	if (calls.length === 0) return;
	const again = startLoad({ url, calls, connections: CALLERS });
	await again.ended;
	for (const [call, execution] of again.accepted) load.accepted.set(call, execution);
}

const nameOf = ({ text, caption }) => text ?? caption;

function countBy(list, kindOf) {
	const counts = {};
	for (const one of list) counts[kindOf(one)] = (counts[kindOf(one)] ?? 0) + 1;
	return counts;
}

function words(counts) {
	const entries = Object.entries(counts);
	return entries.length === 0 ? 'none' : entries.map(([kind, n]) => `${n} ${kind}`).join(', ');
}

/** The calls of which at least one message has not arrived. */
function missing(delivered, calls) {
	const names = new Set(delivered.map(nameOf));
	return [...calls].filter(({ messages }) => !messages.every((name) => names.has(name)));
}

function twiceIn(delivered) {
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

/** Requests with a key that had been answered well before. */
function repeatsIn(requests) {
	const keys = requests
		.filter(({ status, bodyText }) => status === 200 && bodyText)
		.map(({ bodyText }) => JSON.parse(bodyText).idempotencyKey);
	return keys.length - new Set(keys).size;
}
