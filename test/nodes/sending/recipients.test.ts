import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import { messages, sending } from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways();

const json = (fields: string) => ({
	operation: 'sendJson',
	body: `={{ JSON.stringify({ ${fields}, type: "text", text: $json.text }) }}`,
});

describe('with custom JSON', () => {
	const inFlight = { now: 0, max: 0 };
	// The sandbox knows only text in chatId and phone.
	const server = createServer((request, response) => {
		inFlight.now += 1;
		inFlight.max = Math.max(inFlight.max, inFlight.now);
		request.resume().on('end', () =>
			setTimeout(() => {
				inFlight.now -= 1;
				response.end('{"status":"sent"}');
			}, 50),
		);
	});
	beforeAll(async () => void (await once(server.listen(0, '127.0.0.1'), 'listening')));
	afterAll(() => server.close());

	test.each([
		['chatId: $json.to', 6],
		['to: $json.to', 6],
		['to: ["+49 151 23456789", "004915123456789", " 4915123456789 "][$itemIndex % 3]', 1],
		// It may be any recipient.
		['to: $itemIndex % 2 ? $json.to : "0151 " + $json.to.slice(5)', 1],
		['chatId: $json.to, to: "4915123456789"', 1],
	])('sends as many messages at once as there are chats for sure: %s', async (fields, expected) => {
		inFlight.max = 0;
		const { port } = server.address() as AddressInfo;
		const account = { ...gateway.account, baseUrl: `http://127.0.0.1:${port}` };
		const job = sending(gateway, { account, items: messages(6), fields: json(fields) });
		expect((await run(job)).error).toBeUndefined();
		expect(inFlight.max).toBe(expected);
	});

	test.each([
		['idempotencyKey: "order-1"', 2],
		['idempotencyKey: null', 1],
	])('retries a message only with a key: %s', async (key, count) => {
		gateway.faults([{ cut: 'after', times: 1 }]);
		const fields = json(`chatId: $json.to, ${key}`);
		const { error, items } = await run(sending(gateway, { fields, options: { maxWait: 0.01 } }));
		expect(gateway.requests()).toHaveLength(count);
		expect(gateway.state().delivered).toHaveLength(1);
		if (count === 2) expect(items[0]?.json.outcome).toBe('duplicate');
		else expect(error?.message).toContain('unknown: it may have been sent');
	});
});

test.each([
	['documented', 'phone'],
	['legacy', 'chatId'],
])('with %s field names rejects another recipient under %s', async (fieldNames, name) => {
	const additionalFields = JSON.stringify({ [name]: '4915123456789' });
	const { error } = await run(sending(gateway, { options: { additionalFields, fieldNames } }));
	expect(error?.message).toBe(
		`'Additional Fields' contains '${name}', which the node sets itself [item 0]`,
	);
	expect(gateway.requests()).toEqual([]);
});
