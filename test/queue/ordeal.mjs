import { createHash } from 'node:crypto';

import { executionsOf } from './executions.mjs';
import { controlOf } from './gateway.mjs';
import { startLoad } from './load.mjs';
import { publishWorkflow } from './workflow.mjs';

const LATENCY_MS = 600;
const CALLERS = 5;

/**
 * Sends the calls, makes trouble when half of them is accepted, waits until n8n has brought every execution to an end,
 * presses Retry on those it gave up on, and tells what came of it.
 */
export async function endure(queue, { calls, perSecond, trouble, afterLoad, ...how }) {
	const gateway = controlOf(queue.gateway);
	await gateway.begin(LATENCY_MS);
	const workflow = await publishWorkflow(queue, how);
	const executions = executionsOf(queue, workflow.id);

	const load = startLoad({ url: workflow.url, calls, perSecond });
	await load.reaches(calls.length / 2);
	const troubledAt = Date.now();
	await trouble?.();
	await load.ended;
	await afterLoad?.();
	const foundLater = await executions.settled();
	const seconds = Math.round((Date.now() - troubledAt) / 1000);

	const accepted = [...load.accepted];
	const ended = executions.all();
	const givenUp = ended.filter(({ status }) => status !== 'success');
	const notDelivered = missing((await gateway.state()).delivered, accepted);
	const shown = await executions.shown();
	const retries = await executions.retry(givenUp);
	if (how.whenAnswered === 'delivered') await callAgain(workflow.url, calls, load);
	return told({
		calls: calls.length,
		accepted: accepted.length,
		refused: countBy(load.refused, ({ status }) => status),
		executions: countBy(ended, byStatus),
		givenUp: countBy(givenUp, byStatus),
		shown,
		seconds,
		foundLater: foundLater.length,
		notDelivered,
		retries: countBy(retries, (status) => status),
		repeatsDropped: repeatsIn(await gateway.requests()),
		...judgement((await gateway.state()).delivered, calls, load.accepted),
	});
}

const byStatus = ({ status }) => status;

function judgement(delivered, calls, accepted) {
	return {
		neverAccepted: calls.filter((call) => !accepted.has(call)),
		missing: missing(delivered, accepted),
		twice: twiceIn(delivered),
		outOfOrder: calls.filter((call) => !isInOrder(delivered, call)),
		damaged: calls.filter((call) => isDamaged(delivered, call)),
	};
}

function told(outcome) {
	const lines = [
		`${outcome.calls} calls, ${outcome.accepted} accepted, refused: ${words(outcome.refused)}`,
		`executions after ${outcome.seconds} s: ${words(outcome.executions)}, ${outcome.foundLater} of them found when the main process started`,
		`calls not delivered by then: ${outcome.notDelivered.length}; Retry: ${words(outcome.retries)}; repeats that the gateway dropped: ${outcome.repeatsDropped}`,
		`never delivered: ${outcome.missing.length}, twice: ${outcome.twice.length}, out of order: ${outcome.outOfOrder.length}, damaged: ${outcome.damaged.length}`,
	];
	return { ...outcome, inWords: lines.map((line) => `  ${line}`).join('\n') };
}

/** What a caller does who heard nothing good: the same once more. */
async function callAgain(url, calls, load) {
	const refused = calls.filter((call) => !load.accepted.has(call));
	if (refused.length === 0) return;
	const again = startLoad({ url, calls: refused, connections: CALLERS });
	await again.ended;
	for (const call of again.accepted) load.accepted.add(call);
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
