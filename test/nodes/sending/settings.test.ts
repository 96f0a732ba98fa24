import { run } from '../../engine';
import { useGateway } from '../../sandboxAccount';
import { keepFilesIn, storedFile } from '../../storedFiles';
import { messages, sending } from './messages';

const gateway = useGateway();

/** Each with what it may be, and values that it may not. */
const settings: Array<[name: string, words: string, wrong: unknown[]]> = [
	[
		'concurrency',
		"'Concurrency' is not a whole number from 1 to 100",
		[0, -1, 101, 2.5, 'ten', '={{ "-1" }}', '={{ true }}', '={{ [5] }}', '={{ NaN }}'],
	],
	[
		'messagesPerMinute',
		"'Messages per Minute' is not a number from 0 to 60000",
		[-1, 60_001, 'fast', '={{ Infinity }}', '={{ ({}) }}'],
	],
	['jitter', "'Jitter (%)' is not a number from 0 to 100", [-1, 101, 'some', '={{ false }}']],
];

/** These have a meaning for a single message, too, and so for a tool. */
const settingsOfOne: typeof settings = [
	[
		'maxTries',
		"'Max Tries' is not a whole number from 1 to 20",
		[0, -1, 21, 1.5, 'often', '={{ "1e1" }}', '={{ NaN }}'],
	],
	[
		'maxWait',
		"'Max Wait (Seconds)' is not a number from 0 to 3600",
		[-1, 3_601, 'long', '={{ Infinity }}', '={{ ({}) }}'],
	],
];

const cases = (list: typeof settings) =>
	list.flatMap(([name, words, wrong]) =>
		wrong.map((value): [string, unknown, string] => [name, value, words]),
	);

describe.each([
	['in a workflow', false, [...settings, ...settingsOfOne]],
	['as a tool', true, settingsOfOne],
])('%s', (_name, asTool, list) => {
	test.each(cases(list))('%s of %j is refused in plain words', async (name, value, words) => {
		const { error, items } = await run(sending(gateway, { asTool, options: { [name]: value } }));
		expect(error?.message).toBe(`${words} [item 0]`);
		expect(error?.description).toMatch(/^Enter a (whole )?number in these bounds/);
		expect(items).toEqual([]);
		expect(gateway.requests()).toEqual([]);
	});

	test.each(list.map(([name]) => name))('%s may be left empty', async (name) => {
		for (const empty of ['', '={{ "" }}', '={{ null }}', '={{ undefined }}']) {
			const { error } = await run(sending(gateway, { asTool, options: { [name]: empty } }));
			expect(error).toBeUndefined();
		}
		expect(gateway.state().delivered).toHaveLength(4);
	});

	test.each([-1, 1_025, 'large', '={{ NaN }}'])(
		'maxFileSize of %j is refused in plain words',
		async (maxFileSize) => {
			await keepFilesIn('default');
			const data = await storedFile(Buffer.from('x'), {});
			const { error } = await run(
				sending(gateway, {
					asTool,
					items: [{ ...messages(1)[0]!, binary: { data } }],
					fields: { operation: 'sendMedia' },
					options: { maxFileSize },
				}),
			);
			expect(error?.message).toBe(
				"'Max File Size (MB)' is not a number from 0.01 to 1024 [item 0]",
			);
			expect(gateway.requests()).toEqual([]);
		},
	);
});

test.each<[string, Record<string, unknown>]>([
	['the least', { concurrency: 1, messagesPerMinute: 0, jitter: 0, maxTries: 1, maxWait: 0 }],
	[
		'the most',
		{ concurrency: 100, messagesPerMinute: 60_000, jitter: 100, maxTries: 20, maxWait: 3_600 },
	],
	['texts of digits', { concurrency: '={{ " 5 " }}', maxWait: '={{ "0.5" }}' }],
])('%s is taken', async (_what, options) => {
	const { error } = await run(sending(gateway, { items: messages(3), options }));
	expect(error).toBeUndefined();
	expect(gateway.state().delivered).toHaveLength(3);
});

test('with JSON of my own, the settings hold as well', async () => {
	const fields = { bodyForm: 'json', body: '{"chatId":"4915123456789","type":"text","text":"x"}' };
	const { error } = await run(sending(gateway, { fields, options: { maxTries: 0 } }));
	expect(error?.message).toContain("'Max Tries'");
});
