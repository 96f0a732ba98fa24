import type { INode } from 'n8n-workflow';

import { InvalidInput } from '../../../gateway/inputValues';
import * as chatIds from '../../../gateway/text/chatId';
import { connectionFailure } from '../../../gateway/responses/failure';
import { failureInResponse } from '../../../gateway/responses/responseFailure';
import type * as outputItems from '../../../nodes/MessagingGateway/operation/outputItems';
import { toNodeError } from '../../../nodes/MessagingGateway/operation/outputItems';
import { run, type RunOptions } from '../../harness/engine';
import { response } from '../../harness/responses';
import { useNewGateways } from '../../harness/sandboxAccount';
import { chat, messages, sending } from '../../harness/messages';

const gateway = useNewGateways();

const errorOutput = { onError: 'continueErrorOutput' } as const;

// n8n 2.20 and older take also null for a failed run.
test('no item of a success has an error', async () => {
	const text = '{"success":true,"messageId":"A","error":null}';
	gateway.faults([{ endpoint: 'sendMessage', body: { contentType: 'application/json', text } }]);
	const { items } = await run(sending(gateway, { items: messages(1) }));
	expect(items[0]!.json).toMatchObject({ outcome: 'sent', messageId: 'A', gatewayError: null });
	expect(items[0]!.json).not.toHaveProperty('error');
});

test('with Continue, a failed item has the message and no field that looks like a result', async () => {
	gateway.faults([{ chatId: chat(0), status: 422 }]);
	const settings = { onError: 'continueRegularOutput' } as const;
	const { items } = await run(sending(gateway, { items: messages(2), settings }));
	const error = expect.stringMatching(/^The gateway did not accept/) as string;
	expect(items[0]!.json).toEqual({ error, details: { cause: 'validation_error', retry: 'never' } });
	expect(items[1]!.json.outcome).toBe('sent');
});

// test/architecture/generatedErrors.test.ts has every cause.
test.each([
	['later', {}],
	['check', { idempotencyKey: '={{ $json.to }}' }],
])('a conflict says that sending it again helps: %s, with %j', async (retry, options) => {
	gateway.answerWith({ contentType: 'application/json', text: '{}' }, { status: 409 });
	const { errorItems } = await run(
		sending(gateway, { settings: errorOutput, options: { maxTries: 1, ...options } }),
	);
	expect(errorItems[0]!.json.details).toEqual({ cause: 'conflict', retry });
	const isUnknown = /it may have been sent/.test(errorItems[0]!.json.error as string);
	expect(isUnknown).toBe(retry === 'check');
});

test('a long run after a 401 does not look like a wrong clock', () => {
	jest.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') });
	const headers = { Date: 'Sun, 01 Mar 2026 12:00:00 GMT' };
	const failure = failureInResponse(response('{"error":"invalid_signature"}', headers, 401));
	jest.advanceTimersByTime(600_000);
	const error = toNodeError({ name: 'Messaging Gateway' } as INode, { failure });
	jest.useRealTimers();
	expect(error.message).toBe('The gateway did not accept the signature (401, invalid_signature)');
	expect(error.description).not.toContain('The clock of this n8n');
});

// The gateway was killed during the first attempt, and refuses the others.
test.each(['ECONNREFUSED', 'ENOTFOUND', 'CERT_HAS_EXPIRED', 'ECONNRESET', 'ETIMEDOUT'])(
	'after an attempt that may have arrived, %s does not say that nothing was sent',
	(code) => {
		const failed = { failure: connectionFailure(code), attempts: 3 };
		const node = { name: 'Messaging Gateway' } as INode;
		const { message, description } = toNodeError(node, { ...failed, isUncertain: true });
		expect(message).toContain('; unknown: it may have been sent');
		expect(description).not.toContain('Nothing was sent');
		expect(description).toMatch(/may have arrived|unknown whether/);
	},
);

test('what the node itself throws is reported as a bug, not as invalid input', async () => {
	const broken = jest.spyOn(chatIds, 'chatId').mockImplementation(() => {
		throw new RangeError('Invalid array length');
	});
	const { error } = await run(sending(gateway));
	broken.mockRestore();
	expect(error?.message).toBe(
		'The node stopped unexpectedly: RangeError: Invalid array length [item 0]',
	);
	expect(error?.description).toMatch(/^This is a bug in the node\. Report it/);
	expect(gateway.requests()).toEqual([]);
});

describe('how much of a response becomes items', () => {
	const send = { resource: 'message', operation: 'send', chatId: '447700900123', text: 'Hello' };

	async function outcomeOf(parameters: RunOptions['parameters'], text: string) {
		gateway.answerWith({ contentType: 'application/json', text });
		return await run({ account: gateway.account, parameters });
	}

	const list = (entry: string, count: number) => `[${Array(count).fill(entry).join()}]`;

	test.each([
		['Ping', { resource: 'session', operation: 'ping' }],
		['Get Many', { resource: 'deferred', operation: 'getAll', returnAll: true }],
	])('%s outputs 10,000 entries of a longer list, and says so', async (_name, parameters) => {
		const { items, hints } = await outcomeOf(parameters, list('{"deliveryKey":"1"}', 10_001));
		expect(items).toHaveLength(10_000);
		expect(hints[0]?.message).toMatch(/^The list has more than 10000 .*only the first 10000\.$/);
	});

	const countValues = (value: unknown): number =>
		typeof value === 'object' && value !== null
			? Object.values(value).reduce((sum: number, member) => sum + 1 + countValues(member), 0)
			: 0;

	// n8n copies items several times: one response of 16 MB took more than a heap of 1 GB.
	test('outputs at most 250,000 values', async () => {
		const { items } = await outcomeOf(send, `{"messageId":"1","list":${list('{}', 300_000)}}`);
		expect(items).toMatchObject([{ json: { outcome: 'sent' } }]);
		expect(countValues(items.map(({ json }) => json))).toBeLessThan(260_000);
	});

	test('a list of several entries is a field of the message', async () => {
		const { items } = await outcomeOf(send, '[{"messageId":"1"},{"messageId":"2"}]');
		const data = [{ messageId: '1' }, { messageId: '2' }];
		expect(items).toEqual([{ json: { data, outcome: 'sent' }, pairedItem: { item: 0 } }]);
	});
});

// n8n before 2.36 leaves an item with `details` at the success output.
test.each([
	['continueErrorOutput', {}],
	['continueRegularOutput', { details: { cause: 'invalid_input', retry: 'never' } }],
])('before n8n 2.36, an item of %s has the details %j', (onError, details) => {
	jest.resetModules();
	jest.doMock('n8n-workflow', () => {
		const actual = jest.requireActual<Record<string, unknown>>('n8n-workflow');
		const { N8N_NODES_API_VERSION: _, ...older } = actual;
		return older;
	});
	const { errorItemsForAll } = jest.requireActual<typeof outputItems>(
		'../../../nodes/MessagingGateway/operation/outputItems',
	);
	const node = { name: 'Messaging Gateway', onError };
	const getInputData = () => [{ json: {} }];
	const context = { getNode: () => node, continueOnFail: () => true, getInputData };
	const error = new InvalidInput("'Text' is empty", 'Enter the text of the message.');
	const items = errorItemsForAll(context as never, { failure: { kind: 'invalidInput', error } });
	const json = { error: "'Text' is empty [item 0]", ...details };
	expect(items).toEqual([{ json, pairedItem: { item: 0 } }]);
	jest.dontMock('n8n-workflow');
	jest.resetModules();
});
