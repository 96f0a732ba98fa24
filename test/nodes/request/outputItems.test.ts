import type { INode } from 'n8n-workflow';

import type { Fault } from '../../../sandbox/sandbox';

import { InvalidInput } from '../../../gateway/invalidInput';
import * as chatIds from '../../../gateway/text/chatId';
import { rejection } from '../../../gateway/replies/failure';
import { readResponse } from '../../../gateway/wire/response';
import type * as outputItems from '../../../nodes/MessagingGateway/request/outputItems';
import { toNodeError } from '../../../nodes/MessagingGateway/request/outputItems';
import { depth } from '../../harness/depth';
import { run, type RunOptions } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { chat, lookUp, messages, sending } from '../../harness/messages';

const gateway = useNewGateways();

const details = { cause: 'validation_error', retry: 'never' };
const errorOutput = { onError: 'continueErrorOutput' } as const;
const rejected = () =>
	gateway.faults([
		{ chatId: chat(0), status: 422 },
		{ endpoint: 'inviteInfo', status: 422 },
	]);

test('a failed item keeps its input at the error output', async () => {
	rejected();
	const items = messages(2).map((item) => ({ json: { ...item.json, orderId: 7 } }));
	const failed = (index: number) => {
		const text = new RegExp(`^The gateway did not accept a value .* \\[item ${index}\\]$`);
		return { ...items[index]!.json, error: expect.stringMatching(text) as string, details };
	};
	const sent = await run(sending(gateway, { items, settings: errorOutput }));
	expect(sent.errorItems.map(({ json }) => json)).toEqual([failed(0)]);
	expect(sent.items.map(({ json }) => json.outcome)).toEqual(['sent']);

	const lookedUp = await run(lookUp(gateway, { items, settings: errorOutput }));
	expect(lookedUp.errorItems.map(({ json }) => json)).toEqual([failed(0), failed(1)]);
});

// n8n 2.20 and older take also null for a failed run.
test('no item of a success has an error', async () => {
	const text = '{"success":true,"messageId":"A","error":null}';
	gateway.faults([{ endpoint: 'sendMessage', body: { contentType: 'application/json', text } }]);
	const { items } = await run(sending(gateway, { items: messages(1) }));
	expect(items[0]!.json).toMatchObject({ outcome: 'sent', messageId: 'A', gatewayError: null });
	expect(items[0]!.json).not.toHaveProperty('error');
});

test('with Continue, a failed item has the message and no field that looks like a result', async () => {
	rejected();
	const settings = { onError: 'continueRegularOutput' } as const;
	const { items } = await run(sending(gateway, { items: messages(2), settings }));
	const error = expect.stringMatching(/^The gateway did not accept/) as string;
	expect(items[0]!.json).toEqual({ error, details });
	expect(items[1]!.json.outcome).toBe('sent');
});

const says = (status: number, body: unknown): Fault => ({
	status,
	body: { contentType: 'application/json', text: JSON.stringify(body) },
});
const key = { idempotencyKey: '={{ $json.to }}' };

// test/architecture/generatedErrors.test.ts has every cause.
describe('a failed message says its cause, and whether sending it again helps', () => {
	test.each<[cause: string, retry: string, fault: Fault, options?: object]>([
		['conflict', 'later', says(409, {})],
		['conflict', 'check', says(409, {}), key],
		// A cause that is not known is tried again.
		['unprocessable', 'later', says(422, { error: 'made_up' })],
		['rate_limit_exceeded', 'safe', { status: 429 }],
		['server_error', 'check', { status: 503 }],
		['disconnected', 'check', { cut: 'after' }],
	])('%s, %s after %j', async (cause, retry, fault, options = {}) => {
		gateway.faults([fault]);
		const { errorItems } = await run(
			sending(gateway, { settings: errorOutput, options: { maxTries: 1, ...options } }),
		);
		expect(errorItems[0]!.json.details).toEqual({ cause, retry });
		const saysUnknown = expect.stringContaining('it may have been sent') as string;
		expect(errorItems[0]!.json.error).toEqual(
			retry === 'check' ? saysUnknown : expect.not.stringContaining('it may have been sent'),
		);
	});

	test.each([
		['invalid_input', 'never', { fields: { chatId: 'nobody' } }],
		['invalid_setup', 'later', { options: { messagesPerMinute: 'many' } }],
	])('%s, %s without a request, with %j', async (cause, retry, given) => {
		const { errorItems } = await run(sending(gateway, { settings: errorOutput, ...given }));
		expect(errorItems[0]!.json.details).toEqual({ cause, retry });
		expect(gateway.requests()).toEqual([]);
	});

	test('check if a part was sent', async () => {
		const items = [{ json: { to: chat(0), text: 'word '.repeat(40) } }];
		gateway.faults([{ times: 1, latencyMs: 1 }, { status: 422 }]);
		const { errorItems } = await run(
			sending(gateway, { items, settings: errorOutput, options: { splitLongText: 100 } }),
		);
		expect(errorItems[0]!.json.details).toEqual({ cause: 'validation_error', retry: 'check' });
	});
});

afterEach(() => jest.useRealTimers());

test('a long run after a 401 does not look like a wrong clock', () => {
	jest.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') });
	const failure = rejection(
		readResponse(
			{
				status: 401,
				headers: { Date: 'Sun, 01 Mar 2026 12:00:00 GMT' },
				bytes: Buffer.from('{"error":"invalid_signature"}'),
			},
			(value) => value,
		),
	);
	jest.advanceTimersByTime(600_000);
	const error = toNodeError({ name: 'Messaging Gateway' } as INode, { failure });
	expect(error.message).toBe('The gateway did not accept the signature (401, invalid_signature)');
	expect(error.description).not.toContain('The clock of this n8n');
});

describe('what the node itself throws', () => {
	const { chatId } = chatIds;
	afterEach(() => jest.restoreAllMocks());
	const failWith = (error: Error) => {
		jest.spyOn(chatIds, 'chatId').mockImplementation((entered, country) => {
			if (entered !== 'x') return chatId(entered, country);
			throw error;
		});
		return run(sending(gateway, { items: [{ json: { to: 'x' } }] }));
	};

	test('is reported as a bug, not as invalid input', async () => {
		const { error } = await failWith(new RangeError('Invalid array length'));
		expect(error?.message).toBe(
			'The node stopped unexpectedly: RangeError: Invalid array length [item 0]',
		);
		expect(error?.description).toMatch(/^This is a bug in the node\. Report it/);
		expect(gateway.requests()).toEqual([]);
	});

	test('is a circular reference only if the stack overflows', async () => {
		const overflow = (): number => overflow() + 1;
		let thrown: unknown;
		try {
			overflow();
		} catch (error) {
			thrown = error;
		}
		const { error } = await failWith(thrown as Error);
		expect(error?.message).toMatch(/^A field contains a circular reference/);
	});
});

// test/fuzz/sizes.test.ts has the limits of time and memory.
describe('how much of a response becomes items', () => {
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
	const LARGE: Array<[string, typeof ping, string]> = [
		['send', send, `{"messageId":"1","list":${MANY}}`],
		['ping', ping, list(`{"list":${list('{}', 1_000)}}`, 300)],
	];
	test.each(LARGE.slice(0, depth(1, 2)))(
		'%s outputs at most 250,000 values',
		async (_name, parameters, text) => {
			const { items } = await outcomeOf(parameters, text);
			expect(items.length).toBeGreaterThan(0);
			if (parameters === send) expect(items).toMatchObject([{ json: { outcome: 'sent' } }]);
			expect(countValues(items.map(({ json }) => json))).toBeLessThan(260_000);
		},
	);

	test('a list of several entries is a field of the message', async () => {
		const { items } = await outcomeOf(send, '[{"messageId":"1"},{"messageId":"2"}]');
		const data = [{ messageId: '1' }, { messageId: '2' }];
		expect(items).toEqual([{ json: { data, outcome: 'sent' }, pairedItem: { item: 0 } }]);
	});
});

// n8n before 2.36 leaves an item with `details` at the success output.
describe.each([
	['has', true],
	['has not', false],
])('n8n that %s the API of 2.37', (_has, isNew) => {
	afterEach(() => jest.resetModules());

	test.each(['continueErrorOutput', 'continueRegularOutput'] as const)('%s', (onError) => {
		jest.resetModules();
		jest.doMock('n8n-workflow', () => {
			const actual = jest.requireActual<Record<string, unknown>>('n8n-workflow');
			const { N8N_NODES_API_VERSION: _, ...older } = actual;
			return isNew ? { ...older, N8N_NODES_API_VERSION: 1 } : older;
		});
		const { errorItemsForAll: failedItems } = jest.requireActual<typeof outputItems>(
			'../../../nodes/MessagingGateway/request/outputItems',
		);
		const node = { name: 'Messaging Gateway', onError } as INode;
		const getInputData = () => [{ json: {} }];
		const context = { getNode: () => node, continueOnFail: () => true, getInputData };
		const error = new InvalidInput("'Text' is empty", 'Enter the text of the message.');
		const items = failedItems(context as never, { failure: { kind: 'invalidInput', error } });
		const hasDetails = isNew || onError !== 'continueErrorOutput';
		const json = {
			error: "'Text' is empty [item 0]",
			...(hasDetails && { details: { cause: 'invalid_input', retry: 'never' } }),
		};
		expect(items).toEqual([{ json, pairedItem: { item: 0 } }]);
		jest.dontMock('n8n-workflow');
	});
});
