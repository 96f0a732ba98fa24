import type { INode } from 'n8n-workflow';

import { rejection } from '../../../gateway/replies/failure';
import { readResponse } from '../../../gateway/wire/response';
import { toNodeError } from '../../../nodes/MessagingGateway/request/outputItems';
import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { chat, lookUp, messages, sending } from '../../harness/messages';

const gateway = useNewGateways();

const errorOutput = { onError: 'continueErrorOutput' } as const;
const rejected = () =>
	gateway.faults([
		{ chatId: chat(0), status: 422 },
		{ endpoint: 'inviteInfo', status: 422 },
	]);

test.each([
	['in a workflow', false],
	['as a tool', true],
])('a failed item keeps its input at the error output, %s', async (_way, asTool) => {
	rejected();
	const items = messages(2).map((item) => ({ json: { ...item.json, orderId: 7 } }));
	const sent = await run(sending(gateway, { items, asTool, settings: errorOutput }));
	const error = expect.stringMatching(
		/^The gateway did not accept a value .* \[item 0\]$/,
	) as string;
	expect(sent.errorItems.map(({ json }) => json)).toEqual([{ ...items[0]!.json, error }]);
	expect(sent.items.map(({ json }) => json.outcome)).toEqual(['sent']);

	const lookedUp = await run(lookUp(gateway, { items, asTool, settings: errorOutput }));
	expect(lookedUp.errorItems.map(({ json }) => json)).toEqual([
		{ ...items[0]!.json, error },
		{ ...items[1]!.json, error: expect.stringMatching(/ \[item 1\]$/) },
	]);
});

test.each([
	['in a workflow', false],
	['as a tool', true],
])('with Retry On Fail, nothing is sent again, %s', async (_way, asTool) => {
	rejected();
	const settings = { ...errorOutput, retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
	const { errorItems, items } = await run(
		sending(gateway, { items: messages(2), asTool, settings }),
	);
	expect(errorItems).toHaveLength(1);
	expect(errorItems[0]!.json.error).toMatch(/^The gateway did not accept a value/);
	expect(items).toHaveLength(1);
	expect(gateway.requests()).toHaveLength(2);
});

test('with Continue, a failed item has the message and no field that looks like a result', async () => {
	rejected();
	const settings = { onError: 'continueRegularOutput' } as const;
	const { items } = await run(sending(gateway, { items: messages(2), settings }));
	expect(items[0]!.json).toEqual({ error: expect.stringMatching(/^The gateway did not accept/) });
	expect(items[1]!.json.outcome).toBe('sent');
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
