import { steadyClock } from '../../../nodes/MessagingGateway/request/steadyClock';
import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { keepFilesIn, storedFile } from '../../harness/storedFiles';
import {
	BOTH_WAYS,
	bodyOf,
	chat,
	deliveryWindow,
	keysSent,
	messages,
	type Sending,
	sending,
} from '../../harness/messages';

const gateway = useNewGateways();

const automatic = { idempotencyKey: 'automatic' };
const AT = 1_767_225_600_000;
const [FIRST] = messages(1);

/** The idempotency keys that one run sends. */
async function keysOf({ options, ...rest }: Sending): Promise<unknown[]> {
	gateway.clearRequests();
	const { error } = await run(
		sending(gateway, { options: { ...automatic, ...options }, establishedAt: AT, ...rest }),
	);
	expect(error).toBeUndefined();
	return keysSent(gateway);
}

const theKey = async (rest: Sending = {}) => {
	const [key, ...more] = await keysOf(rest);
	expect(key).toMatch(/^n8n-[0-9a-f]{40}$/);
	expect(more).toEqual([]);
	return key;
};

describe.each(BOTH_WAYS)('%s', (_name, asTool) => {
	test.each([
		['by default', {}, undefined],
		['switched off', { idempotencyKey: 'off' }, undefined],
		['an expression', { idempotencyKey: '={{ $json.order }}' }, '4711'],
	])('the key is %s', async (_what, options, expected) => {
		const items = [{ json: { ...FIRST!.json, order: 4711 } }];
		await run(sending(gateway, { asTool, items, options }));
		expect(bodyOf(gateway.theRequest()).idempotencyKey).toBe(expected);
	});
});

describe('an automatic key', () => {
	test('is the same if the execution is retried under another ID, also after a crash', async () => {
		const loop = await keysOf({ passes: 3, executionId: '1' });
		// n8n has recovered a run from its event log.
		const again = { passes: 3, executionId: '2', recoveredRuns: 1 };
		expect(await keysOf(again)).toEqual(loop);
		expect(new Set(loop).size).toBe(3);
	});

	// The message may not depend on the input item.
	test.each<[string, Sending]>([
		['another execution', { establishedAt: AT + 1 }],
		['another chat, by a field', { fields: { chatId: '4915199999999' } }],
		['another node', { settings: { id: 'another' } }],
		['another execution without a start time', { establishedAt: undefined, executionId: '2' }],
		['a value that the message does not show', { items: [{ json: { ...FIRST!.json, order: 2 } }] }],
		['another text that is not in the input item', { fields: { text: 'Another' } }],
	])('differs for %s', async (_what, change) => {
		const first = await theKey();
		expect(await theKey(change)).not.toBe(first);
	});

	test('differs for two equal executions in one millisecond, except in n8n 1', async () => {
		const ofToken = async (resumeToken?: string) => await theKey({ resumeToken });
		const first = await ofToken('a'.repeat(64));
		expect(await ofToken('b'.repeat(64))).not.toBe(first);
		expect(await ofToken('a'.repeat(64))).toBe(first);
		expect(await ofToken()).toBe(await ofToken());
	});
});

describe('one message per person and purpose', () => {
	const daily = (keyPurpose: string) => ({ idempotencyKey: 'oncePerDay', keyPurpose });
	const perText = (more: Sending = {}, options = {}): Sending => ({
		...{ ...more, options: { idempotencyKey: 'oncePerText', ...options } },
	});
	const perDay = (keyPurpose: string, more: Sending = {}): Sending => ({
		...{ ...more, options: daily(keyPurpose) },
	});
	const otherRun: Sending = {
		...{ establishedAt: AT + 9, executionId: '9', settings: { id: 'another' } },
		items: [{ json: { ...FIRST!.json, order: 2 } }],
	};
	const DAY = 86_400_000;
	const otherText = { fields: { text: 'Another' } };
	const byModel: Sending = { asTool: true, withLimits: true };
	const BY_MODEL: Array<[string, Sending]> = [
		['a tool', byModel],
		['a tool that says Automatic', { ...byModel, options: automatic }],
		["n8n's Assistant", { byAssistant: true }],
	];

	/** The keys of two runs, the second one some time after the first. */
	async function keysOfTwo(first: Sending, second: Sending, laterMs = 0) {
		const now = jest.spyOn(steadyClock, 'date').mockReturnValue(AT);
		const keyOf = async ({ options, ...rest }: Sending) => {
			gateway.clearRequests();
			const { error } = await run(
				sending(gateway, { options: { maxPerChat: 0, ...options }, establishedAt: AT, ...rest }),
			);
			expect(error).toBeUndefined();
			return keysSent(gateway)[0];
		};
		const key = await keyOf(first);
		expect(key).toMatch(/^n8n-[0-9a-f]{40}$/);
		now.mockReturnValue(AT + laterMs);
		const other = await keyOf(second);
		now.mockRestore();
		return other === key ? 'same' : 'different';
	}

	const named = (chatId: string): Sending => ({ fields: { chatId, text: 'Hello' } });
	const spelled = (chatId: string) => perText(named(chatId));
	test.each<[string, string, Sending, Sending, number?]>([
		['of a text', 'same', perText(), perText(otherRun), DAY],
		['of another text', 'different', perText(), perText(otherText)],
		['of another window', 'same', perText(), perText({}, deliveryWindow(60))],
		['of another purpose', 'different', perText(), perText({}, { keyPurpose: 'x' })],
		['to another spelling', 'same', spelled('+49 151 23456789'), spelled('4915123456789@c.us')],
		['to another person', 'different', spelled(chat(1)), spelled(chat(2))],
		['of a day', 'same', perDay('a'), perDay('a', { ...otherRun, ...otherText }), DAY / 2],
		['of another day', 'different', perDay('a'), perDay('a'), DAY],
		['of a day and another purpose', 'different', perDay('a'), perDay('b')],
	])('the key %s is %s', async (...row) => {
		const [, expected, ...runs] = row;
		expect(await keysOfTwo(...runs)).toBe(expected);
	});

	test.each(BY_MODEL)('the key of %s is one per person, text and day', async (_what, call) => {
		for (const [, other] of BY_MODEL)
			expect(await keysOfTwo(call, { ...other, ...otherRun }, DAY / 2)).toBe('same');
		expect(await keysOfTwo(call, call, DAY)).toBe('different');
		expect(await keysOfTwo(call, { ...call, ...otherText })).toBe('different');
	});

	test('a tool sends the key of its additional fields, and none with Off', async () => {
		const ofFields = { additionalFields: '{"idempotencyKey": "order-1"}' };
		await run(sending(gateway, { ...byModel, options: ofFields }));
		await run(sending(gateway, { ...byModel, options: { idempotencyKey: 'off' } }));
		expect(keysSent(gateway)).toEqual(['order-1', undefined]);
	});

	test('a day needs a purpose', async () => {
		const { error } = await run(sending(gateway, { options: daily(' ') }));
		expect(error?.message).toMatch(/the option 'Purpose' is missing/);
		expect(gateway.requests()).toEqual([]);
	});
});

test('each item of a run and each pass of a loop has its own key, even if the items are equal', async () => {
	const keys = await keysOf({ items: Array(10).fill(FIRST), passes: 2 });
	expect(new Set(keys).size).toBe(20);
});

describe('one own key for different messages of a run', () => {
	const keyed = (key: string, fields: Sending['fields'] = {}): Sending => ({
		fields,
		options: { idempotencyKey: key },
		settings: { onError: 'continueErrorOutput' },
	});
	const media = { operation: 'sendMedia', mediaType: 'file', mediaSource: 'base64' };
	const mediaBase64 = '={{ ["YTti", "YTtj", "YTtk"][$itemIndex] }}';
	const body =
		'={{ JSON.stringify({ chatId: $json.to, type: "text", text: $json.text, idempotencyKey: "k" }) }}';

	test.each<[string, Sending]>([
		['media', keyed('order-1', { ...media, mediaBase64, chatId: chat(0) })],
		['Send Custom JSON', { ...keyed('off', { operation: 'sendJson', body }), options: {} }],
	])('is rejected before a request: %s', async (_what, more) => {
		const { items, errorItems } = await run(sending(gateway, { items: messages(3), ...more }));
		const reason = /^'Idempotency Key' is '.+' for more than one message of this run/;
		expect(errorItems.map(({ json }) => json.error)).toEqual(
			Array(2).fill(expect.stringMatching(reason)),
		);
		expect(items).toHaveLength(1);
		expect(gateway.requests()).toHaveLength(1);
	});

	test.each<[string, Sending]>([
		['the same message again', { ...keyed('order-1'), items: [FIRST!, FIRST!] }],
		['parts of a text', { ...keyed('k'), items: [FIRST!], fields: { text: 'a '.repeat(99) } }],
	])('is not what %s have', async (_what, more) => {
		const options = { splitLongText: 100, ...more.options };
		const { errorItems } = await run(sending(gateway, { items: messages(2), ...more, options }));
		expect(errorItems).toEqual([]);
		expect(gateway.requests()).toHaveLength(2);
	});
});

test('the key of a file is the same wherever n8n stores it, and differs for another name or content', async () => {
	await keepFilesIn('filesystem');
	const withFile = async (bytes: string, fileName: string) => {
		const data = await storedFile(Buffer.from(bytes), { fileName, mimeType: 'text/plain' });
		const fields = { operation: 'sendMedia', mediaType: 'file' };
		return await theKey({ items: [{ ...FIRST!, binary: { data } }], fields });
	};
	const first = await withFile('one', 'a.txt');
	expect(await withFile('one', 'a.txt')).toBe(first);
	expect(await withFile('one', 'b.txt')).not.toBe(first);
	expect(await withFile('two', 'a.txt')).not.toBe(first);
});

describe('the hint about Retry On Fail', () => {
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const WITHOUT_KEY = expect.stringMatching(/^Retry On Fail is on.*without an idempotency key/);
	const body = (fields: object) => ({
		operation: 'sendJson',
		body: JSON.stringify({ chatId: chat(1), type: 'text', text: 'x', ...fields }),
	});
	const question = { fields: { operation: 'sendAndWait', message: 'May we?' } };
	const twoWithKeys = (second: string) => ({
		items: messages(2),
		options: { idempotencyKey: `={{ $itemIndex ? '${second}' : 'order-1' }}` },
	});

	test.each<[string, Sending, unknown[]]>([
		['Send', {}, [WITHOUT_KEY]],
		['Send Custom JSON', { fields: body({}) }, [WITHOUT_KEY]],
		['Send and Wait for Response', question, [WITHOUT_KEY]],
		['one message without a key', twoWithKeys('off'), [WITHOUT_KEY]],
		['an own key for each message', twoWithKeys('order-2'), []],
		['an automatic key', { options: { idempotencyKey: 'automatic' } }, []],
		['a key in the JSON', { fields: body({ idempotencyKey: 'order-1' }) }, []],
		['Retry On Fail off', { settings: {} }, []],
		['Continue', { settings: { ...settings, onError: 'continueErrorOutput' } }, []],
		['Check, which sends nothing', { fields: { operation: 'check' } }, []],
	])('%s: %j', async (_what, job, expected) => {
		const { hints } = await run(sending(gateway, { settings, ...job }));
		expect(hints.map(({ message }) => message)).toEqual(expected);
	});
});
