import { setTimeout as delay } from 'node:timers/promises';

import { executionsOf } from './executions.mjs';
import { sandboxControl } from './sandboxControl.mjs';
import { createManualWorkflow } from './workflow.mjs';

const TIMEOUT_MS = 60_000;
const CHAT = '447700900123';
const QUESTION = { chatId: CHAT, message: 'May we?' };

/**
 * Does what Execute Workflow does in the editor, with a workflow that sends the QR image when the session is online, and then
 * asks for an approval.
 */
export async function runManually(queue) {
	const gateway = sandboxControl(queue.gateway);
	await gateway.reset();
	await gateway.setStatus('AWAITING_QR');
	const id = await createManualWorkflow(queue, { ...QUESTION, caption: 'The QR code' });
	await queue.main.editor.call('POST', `/workflows/${id}/run`, {
		triggerToStartFrom: { name: 'Start' },
	});
	const endpoints = async () => (await gateway.requests()).map(({ endpoint }) => endpoint);
	return {
		statuses: statusesOf(queue, id),
		endpoints,
		/** Waits for the QR image, and scans it. */
		async pair() {
			await waitFor(async () => (await endpoints()).includes('status'));
			await gateway.scan();
		},
		question: async () => await questionOf(queue, id),
	};
}

const statusesOf = (queue, workflowId) => () =>
	executionsOf(queue, workflowId)
		.list()
		.map(({ status }) => status);

/** Waits until the execution waits for the answer to its question, the last message that it has sent. */
async function questionOf(queue, workflowId) {
	const gateway = sandboxControl(queue.gateway);
	const statuses = statusesOf(queue, workflowId);
	await waitFor(() => statuses().includes('waiting'));
	const { delivered } = await gateway.state();
	const link = new URL(/https?:\S+/.exec(delivered.at(-1).text)[0]);
	const request = async (url, init) => {
		// As the reverse proxy at the public address of n8n does.
		const response = await fetch(new URL(url.pathname + url.search, queue.webhooks.url), init);
		return { status: response.status, page: await response.text() };
	};
	return {
		link,
		/** The messages until the question. */
		delivered,
		/** Opens the link. */
		open: async (url = link) => await request(url),
		answer: async (approved, url = link) =>
			await request(url, { method: 'POST', body: new URLSearchParams({ approved }) }),
		/** The texts that the workflow has sent since the question. */
		sent: async () =>
			(await gateway.state()).delivered.slice(delivered.length).map(({ text }) => text),
		waitForEnd: async () => await waitFor(() => !statuses().some(isUnfinished)),
	};
}

const isUnfinished = (status) => ['new', 'running', 'waiting'].includes(status);

async function waitFor(condition) {
	const deadline = Date.now() + TIMEOUT_MS;
	while (!(await condition())) {
		if (Date.now() > deadline) throw new Error('Timed out.');
		await delay(100);
	}
}
