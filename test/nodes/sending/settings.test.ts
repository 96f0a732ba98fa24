import { run } from '../../harness/engine';
import { useGateway } from '../../harness/sandboxAccount';
import { keepFilesIn, storedFile } from '../../harness/storedFiles';
import { messages, sending } from '../../harness/messages';

const gateway = useGateway();

// test/nodes/limits.test.ts tries more values of each field.
test.each<[string, unknown[], string]>([
	['concurrency', [0, 101, 2.5, '={{ [5] }}', ''], 'Concurrency'],
	['messagesPerMinute', [-1, 60_001, '={{ undefined }}'], 'Messages per Minute'],
	['jitter', [-1, 101, '={{ null }}'], 'Jitter (%)'],
	['maxTries', [0, 21, 1.5, '={{ "1e1" }}', '={{ "" }}'], 'Max Tries'],
	['maxWait', [-1, 3_601, '={{ Infinity }}', ''], 'Max Wait (Seconds)'],
	['maxFileSize', [-1, 1_025, '={{ NaN }}'], 'Max File Size (MB)'],
])('rejects an invalid %s before any request: %j', async (name, values, label) => {
	await keepFilesIn('default');
	const binary = { data: await storedFile(Buffer.from('x'), {}) };
	const isFile = name === 'maxFileSize';
	for (const value of values) {
		const { error, items } = await run(
			sending(gateway, {
				items: [{ ...messages(1)[0]!, binary }],
				fields: isFile ? { operation: 'sendMedia', mediaType: 'file' } : {},
				options: { [name]: value },
			}),
		);
		expect(error?.message).toContain(`'${label}' is not a `);
		expect(error?.description).toMatch(/^Enter a (whole )?number within this range/);
		expect(items).toEqual([]);
	}
	expect(gateway.requests()).toEqual([]);
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
	const body = '{"chatId":"4915123456789","type":"text","text":"x"}';
	const fields = { operation: 'sendJson', body };
	const { error } = await run(sending(gateway, { fields, options: { maxTries: 0 } }));
	expect(error?.message).toContain("'Max Tries'");
});
