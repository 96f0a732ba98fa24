import { depth } from '../../harness/depth';
import { run, type RunOptions } from '../../harness/engine';
import { useGateway } from '../../harness/sandboxAccount';

const MB = 1024 * 1024;
const LONG = depth(0.2, 2) * MB;
const LONGEST = depth(0.5, 15) * MB;

const gateway = useGateway();
const answerWith = (text: string) => gateway.answerWith({ contentType: 'application/json', text });

const send = { resource: 'message', operation: 'send', chatId: '447700900123', text: 'Hello' };

/** Whether the operation outputs one item per entry of a list. */
const OPERATIONS: Array<[string, RunOptions['parameters'], boolean]> = [
	['a message', send, false],
	['a status', { resource: 'session', operation: 'status' }, false],
	['a QR code', { resource: 'session', operation: 'qr' }, false],
	['a ping', { resource: 'session', operation: 'ping' }, true],
	['a list of deliveries', { resource: 'deferred', operation: 'getAll', returnAll: true }, true],
];

const list = (entry: string, bytes: number) => {
	const count = Math.floor(bytes / (entry.length + 1));
	return `[${Array(count).fill(entry).join()}]`;
};

/** Processor time, because the time on the wall also counts other processes. */
async function outcomeOf(parameters: RunOptions['parameters']) {
	const start = process.cpuUsage();
	const outcome = await run({ account: gateway.account, parameters });
	const { user, system } = process.cpuUsage(start);
	return { ...outcome, seconds: (user + system) / 1e6 };
}

describe.each(OPERATIONS)('%s', (_what, parameters, outputsList) => {
	test.each([
		['empty objects', () => list('{}', LONG)],
		['numbers', () => list('7', LONG)],
		['objects within an object', () => `{"deferred":${list('{"id":1}', LONG)}}`],
	])(`takes a response of ${LONG / MB} MB of %s without blocking n8n`, async (_size, response) => {
		answerWith(response());
		const { items, error, hints, seconds } = await outcomeOf(parameters);
		expect(items.length).toBeLessThanOrEqual(10_000);
		if (!error && !outputsList) expect(items).toHaveLength(1);
		if (items.length === 10_000)
			expect(hints[0]?.message).toMatch(
				/^The list has more than 10000 entries.*only the first 10000\.$/,
			);
		expect(seconds).toBeLessThan(10);
	});
});

const countValues = (value: unknown): number =>
	typeof value === 'object' && value !== null
		? Object.values(value).reduce((sum: number, member) => sum + 1 + countValues(member), 0)
		: 0;

const MANY = depth(1, 2) * MB;

// n8n copies items several times: one response of 16 MB took more than a heap of 1 GB.
test.each(OPERATIONS)(
	'%s with many values has at most 250,000 of them in its items',
	async (_what, parameters) => {
		const responses = [
			list('{}', MANY),
			`{"status":"ONLINE","messageId":"1","list":${list('{}', MANY)}}`,
			list(`{"list":${list('{}', 1_000)}}`, MANY),
		];
		for (const response of responses.slice(0, depth(1, 3))) {
			answerWith(response);
			const { items, error } = await outcomeOf(parameters);
			if (parameters === send) expect(items).toMatchObject([{ json: { outcome: 'sent' } }]);
			else expect(items.length > 0 || error !== undefined).toBe(true);
			expect(countValues(items.map(({ json }) => json))).toBeLessThan(280_000);
		}
	},
);

test.each(OPERATIONS)(
	`%s takes a response of ${LONGEST / MB} MB of numbers`,
	async (_what, parameters) => {
		answerWith(list('7', LONGEST));
		const { items, seconds } = await outcomeOf(parameters);
		expect(items.length).toBeLessThanOrEqual(10_000);
		expect(seconds).toBeLessThan(60);
	},
);

test('a list of several entries is a field of the message', async () => {
	answerWith('[{"messageId":"1"},{"messageId":"2"}]');
	const { items } = await run({ account: gateway.account, parameters: send });
	expect(items).toEqual([
		{
			json: { data: [{ messageId: '1' }, { messageId: '2' }], outcome: 'sent' },
			pairedItem: { item: 0 },
		},
	]);
});
