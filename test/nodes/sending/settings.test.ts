import { run } from '../../harness/engine';
import { useGateway } from '../../harness/sandboxAccount';
import { keepFilesIn, storedFile } from '../../harness/storedFiles';
import { messages, sending } from '../../harness/messages';

const gateway = useGateway();

/** Each setting with its error message and invalid values. */
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

const cases = settings.flatMap(([name, words, wrong]) =>
	wrong.map((value): [string, unknown, string] => [name, value, words]),
);

describe.each([
	['in a workflow', false],
	['as a tool', true],
])('%s', (_name, asTool) => {
	test.each(cases)('rejects %s of %j with a clear message', async (name, value, words) => {
		const { error, items } = await run(sending(gateway, { asTool, options: { [name]: value } }));
		expect(error?.message).toBe(`${words} [item 0]`);
		expect(error?.description).toMatch(/^Enter a (whole )?number within this range/);
		expect(items).toEqual([]);
		expect(gateway.requests()).toEqual([]);
	});

	test.each(settings.map(([name]) => name))(
		'rejects an empty %s instead of a default',
		async (name) => {
			for (const empty of ['', '={{ "" }}', '={{ null }}', '={{ undefined }}']) {
				const { error } = await run(sending(gateway, { asTool, options: { [name]: empty } }));
				expect(error?.description).toMatch(/^Enter a (whole )?number within this range/);
			}
			expect(gateway.requests()).toEqual([]);
		},
	);

	test.each([-1, 1_025, 'large', '={{ NaN }}'])(
		'rejects maxFileSize of %j with a clear message',
		async (maxFileSize) => {
			await keepFilesIn('default');
			const data = await storedFile(Buffer.from('x'), {});
			const { error } = await run(
				sending(gateway, {
					asTool,
					items: [{ ...messages(1)[0]!, binary: { data } }],
					fields: { operation: 'sendMedia', mediaType: 'file' },
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
	['the minimum', { concurrency: 1, messagesPerMinute: 0, jitter: 0, maxTries: 1, maxWait: 0 }],
	[
		'the maximum',
		{ concurrency: 100, messagesPerMinute: 60_000, jitter: 100, maxTries: 20, maxWait: 3_600 },
	],
	['numbers as text', { concurrency: '={{ " 5 " }}', maxWait: '={{ "0.5" }}' }],
])('accepts %s', async (_what, options) => {
	const { error } = await run(sending(gateway, { items: messages(3), options }));
	expect(error).toBeUndefined();
	expect(gateway.state().delivered).toHaveLength(3);
});

test('checks the settings with custom JSON, too', async () => {
	const fields = {
		operation: 'sendJson',
		body: '{"chatId":"4915123456789","type":"text","text":"x"}',
	};
	const { error } = await run(sending(gateway, { fields, options: { maxTries: 0 } }));
	expect(error?.message).toContain("'Max Tries'");
});
