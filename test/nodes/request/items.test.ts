/** How much of a response becomes items. test/fuzz/sizes.test.ts has the limits of time and memory. */
import { run, type RunOptions } from '../../harness/engine';
import { useGateway } from '../../harness/sandboxAccount';

const gateway = useGateway();

const send = { resource: 'message', operation: 'send', chatId: '447700900123', text: 'Hello' };
const ping = { resource: 'session', operation: 'ping' };
const getAll = { resource: 'deferred', operation: 'getAll', returnAll: true };

async function outcomeOf(parameters: RunOptions['parameters'], text: string) {
	gateway.answerWith({ contentType: 'application/json', text });
	return await run({ account: gateway.account, parameters });
}

const list = (entry: string, count: number) => `[${Array(count).fill(entry).join()}]`;

test.each([
	['ping', ping, list('{}', 10_001)],
	['getAll', getAll, list('{"deliveryKey":"1"}', 10_001)],
])('%s outputs 10,000 entries of a longer list, and says so', async (_name, parameters, text) => {
	const { items, hints } = await outcomeOf(parameters, text);
	expect(items).toHaveLength(10_000);
	expect(hints[0]?.message).toMatch(
		/^The list has more than 10000 entries.*only the first 10000\.$/,
	);
});

const countValues = (value: unknown): number =>
	typeof value === 'object' && value !== null
		? Object.values(value).reduce((sum: number, member) => sum + 1 + countValues(member), 0)
		: 0;

const MANY = list('{}', 300_000);

// n8n copies items several times: one response of 16 MB took more than a heap of 1 GB.
test.each([
	['send', send, `{"messageId":"1","list":${MANY}}`],
	['ping', ping, list(`{"list":${list('{}', 1_000)}}`, 300)],
])('%s outputs at most 250,000 values', async (_name, parameters, text) => {
	const { items } = await outcomeOf(parameters, text);
	expect(items.length).toBeGreaterThan(0);
	if (parameters === send) expect(items).toMatchObject([{ json: { outcome: 'sent' } }]);
	expect(countValues(items.map(({ json }) => json))).toBeLessThan(260_000);
});

test('a list of several entries is a field of the message', async () => {
	const { items } = await outcomeOf(send, '[{"messageId":"1"},{"messageId":"2"}]');
	const data = [{ messageId: '1' }, { messageId: '2' }];
	expect(items).toEqual([{ json: { data, outcome: 'sent' }, pairedItem: { item: 0 } }]);
});
