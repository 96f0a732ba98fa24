import { executionsOf } from './executions.mjs';
import { sandboxControl } from './sandboxControl.mjs';
import { createManualWorkflow, waitFor } from './workflow.mjs';

const QUESTION = { chatId: '447700900123', message: 'May we?' };

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
	const executions = executionsOf(queue, id);
	const statuses = () => executions.list().map(({ status }) => status);
	const endpoints = async () => (await gateway.requests()).map(({ endpoint }) => endpoint);
	return {
		statuses,
		endpoints,
		/** Waits for the QR image, and scans it. */
		async pair() {
			await waitFor(async () => (await endpoints()).includes('status'), 'No status request.');
			await gateway.scan();
		},
		/** Waits until the execution waits for the answer to its question, the last message that it has sent. */
		async question() {
			await waitFor(() => statuses().includes('waiting'), 'No question.');
			return questionAfter(queue, (await gateway.state()).delivered);
		},
		waitForEnd: async () => await waitFor(() => executions.unfinished().length === 0, 'No end.'),
	};
}

function questionAfter(queue, delivered) {
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
		open: async () => await request(link),
		answer: async (approved, url = link) =>
			await request(url, { method: 'POST', body: new URLSearchParams({ approved }) }),
		/** The texts that the workflow has sent since the question. */
		sent: async () =>
			(await sandboxControl(queue.gateway).state()).delivered
				.slice(delivered.length)
				.map(({ text }) => text),
	};
}
