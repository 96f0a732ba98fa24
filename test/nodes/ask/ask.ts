import type { RunOptions } from '../../harness/engine';
import { bodyOf } from '../../harness/messages';
import type { Gateway } from '../../harness/sandboxAccount';
import { runAndWait } from '../../harness/waiting';

/** Send and Wait for Response with one item. */
export const question = (
	gateway: Gateway,
	parameters: object = {},
	others: Partial<RunOptions> = {},
): RunOptions => ({
	account: gateway.account,
	parameters: {
		resource: 'message',
		operation: 'sendAndWait',
		chatId: '+49 151 23456789',
		message: 'May we?',
		...parameters,
	},
	items: [{ json: { order: 7 } }],
	...others,
});

/** Runs it until it waits. The message must have one link, in its last part. */
export async function ask(...given: Parameters<typeof question>) {
	const waiting = await runAndWait(question(...given));
	const { text } = bodyOf(given[0].requests().at(-1)!) as { text: string };
	const links = text.match(/https?:\/\/\S+/g) ?? [];
	expect(links).toHaveLength(1);
	return { ...waiting, text, link: links[0]! };
}

export const choices = (...names: string[]) => ({ values: names.map((option) => ({ option })) });

export const form = (...values: object[]) => ({
	responseType: 'customForm',
	formFields: { values },
});
