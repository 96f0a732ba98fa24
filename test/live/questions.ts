import { type Execution, statusOf, waitForExecution } from './executions';
import { waitFor } from './n8n';
import { sandbox } from './sandbox';

export const textsTo = async (chat: string) =>
	(await sandbox.state()).delivered
		.filter(({ chatId }) => chatId === chat)
		.map(({ text }) => String(text));

/** Waits for a message to a chat, by default for its first one. Returns its text. */
export const messageTo = async (chat: string, index = 0) =>
	await waitFor(`message ${index + 1} to ${chat}`, async () => (await textsTo(chat))[index]);

/** Waits for a question like a message, and until n8n has stored that its execution `id` waits. */
export async function questionTo(chat: string, index = 0) {
	const text = await messageTo(chat, index);
	const link = linkIn(text);
	const id = executionOf(link);
	await waitUntilWaiting(id);
	return { text, link, id };
}

/** The link in a message. */
export function linkIn(text: string): string {
	const [link, ...others] = text.match(/https?:\S+/g)!;
	expect(others).toEqual([]);
	return link;
}

/** The id of the execution that asked. */
const executionOf = (link: string) => /\/webhook-waiting\/(\d+)/.exec(link)![1]!;

const waitUntilWaiting = async (execution: string) =>
	await waitFor(
		`execution ${execution} to wait`,
		async () => (await statusOf(execution)) === 'waiting' || undefined,
	);

/** Presses a button of the page. */
export async function answer(link: string | URL, approved: string): Promise<Response> {
	return await fetch(link, { method: 'POST', body: new URLSearchParams({ approved }) });
}

/** The end of an execution that waits. n8n looks once a minute for those whose time is over. */
export async function endOf(id: string): Promise<Execution> {
	const end = async () => {
		const execution = await waitForExecution(id);
		return execution.status === 'waiting' ? undefined : execution;
	};
	return await waitFor(`the end of execution ${id}`, end, 150_000);
}
