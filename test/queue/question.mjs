import { setTimeout as delay } from 'node:timers/promises';

import { executionsOf } from './executions.mjs';
import { sandboxControl } from './sandboxControl.mjs';
import { publishQuestion } from './workflow.mjs';

const TIMEOUT_MS = 60_000;
const CHAT = '447700900123';

/** Starts a workflow that asks for an approval, and returns when its execution waits. */
export async function ask(queue) {
	const gateway = sandboxControl(queue.gateway);
	await gateway.reset();
	const workflow = await publishQuestion(queue, { chatId: CHAT, message: 'May we?' });
	const executions = executionsOf(queue, workflow.id);
	const { status } = await fetch(`${workflow.url}-question`, { method: 'POST' });
	if (status !== 200) throw new Error(`n8n responded ${status}.`);
	const statuses = () => executions.list().map((execution) => execution.status);
	await waitFor(() => statuses().includes('waiting'));
	const [question] = (await gateway.state()).delivered;
	const link = new URL(/https?:\S+/.exec(question.text)[0]);
	const request = async (url, init) => {
		// As the reverse proxy at the public address of n8n does.
		const response = await fetch(new URL(url.pathname + url.search, queue.webhooks.url), init);
		return { status: response.status, page: await response.text() };
	};
	return {
		link,
		statuses,
		/** Opens the link. */
		open: async (url = link) => await request(url),
		answer: async (approved, url = link) =>
			await request(url, { method: 'POST', body: new URLSearchParams({ approved }) }),
		/** The texts that the workflow has sent since the question. */
		sent: async () => (await gateway.state()).delivered.slice(1).map(({ text }) => text),
		waitForEnd: async () => await waitFor(() => !statuses().some(isUnfinished)),
	};
}

const isUnfinished = (status) => ['new', 'running', 'waiting'].includes(status);

async function waitFor(condition) {
	const deadline = Date.now() + TIMEOUT_MS;
	while (!condition()) {
		if (Date.now() > deadline) throw new Error('Timed out.');
		await delay(100);
	}
}
