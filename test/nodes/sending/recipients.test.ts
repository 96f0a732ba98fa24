import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import { gapsMs, messages, type Sending, sending, textsDelivered } from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways();

const SIX = ['Message 0', 'Message 1', 'Message 2', 'Message 3', 'Message 4', 'Message 5'];

/** The first message is slow: only messages that wait for it arrive after it. */
async function sendSix(rest: Sending) {
	gateway.faults([{ latencyMs: 120, times: 1 }, { latencyMs: 10 }]);
	const { error, items } = await run(sending(gateway, { items: messages(6), ...rest }));
	expect(error).toBeUndefined();
	expect(items).toHaveLength(6);
}

function expectOneByOne() {
	expect(gapsMs(gateway)).toEqual([120, 10, 10, 10, 10]);
	expect(textsDelivered(gateway)).toEqual(SIX);
}

const json = (fields: string) => ({
	operation: 'sendJson',
	body: `={{ JSON.stringify({ ${fields}, type: "text", text: $json.text }) }}`,
});

describe('with custom JSON', () => {
	test.each([
		['chatId', 'chatId: "4915123456789"'],
		['phone', 'phone: "4915123456789"'],
		['either', '[$itemIndex % 2 ? "phone" : "chatId"]: "4915123456789"'],
		['either spelling', 'chatId: $itemIndex % 2 ? "4915123456789" : "4915123456789@c.us"'],
	])('keeps the order within a chat that is named as %s', async (_name, fields) => {
		await sendSix({ fields: json(fields) });
		expectOneByOne();
	});

	test('sends to different chats in parallel', async () => {
		await sendSix({ fields: json('chatId: $json.to') });
		expect(gapsMs(gateway)).toEqual([0, 0, 0, 0, 0]);
	});

	describe('for a gateway with other names of the recipient', () => {
		const atTheSameTime = { now: 0, max: 0 };
		// The sandbox knows only text in chatId and phone.
		const server = createServer((request, response) => {
			atTheSameTime.now += 1;
			atTheSameTime.max = Math.max(atTheSameTime.max, atTheSameTime.now);
			request.resume().on('end', () =>
				setTimeout(() => {
					atTheSameTime.now -= 1;
					response.end('{"status":"sent"}');
				}, 50),
			);
		});
		beforeAll(async () => void (await once(server.listen(0, '127.0.0.1'), 'listening')));
		afterAll(() => server.close());

		async function sendSixTo(fields: string): Promise<number> {
			atTheSameTime.max = 0;
			const { port } = server.address() as AddressInfo;
			const account = { ...gateway.account, baseUrl: `http://127.0.0.1:${port}` };
			const items = messages(6);
			const { error } = await run({
				...sending(gateway, { items, fields: json(fields) }),
				account,
			});
			expect(error).toBeUndefined();
			return atTheSameTime.max;
		}

		test.each(['chatId: Number($json.to) + 1', 'to: $json.to', 'recipient: $json.to'])(
			'sends to different chats in parallel: %s',
			async (fields) => {
				expect(await sendSixTo(fields)).toBe(6);
			},
		);

		test.each([
			'chatId: $itemIndex % 2 ? 4915123456789 : "4915123456789"',
			'to: $itemIndex % 2 ? "4915123456789@s.whatsapp.net" : "4915123456789"',
			'to: ["+49 151 23456789", "004915123456789", "4915123456789", " 4915123456789 "][$itemIndex % 4]',
			'to: $itemIndex % 2 ? "+52 55 1234 5678" : "5215512345678"',
			'to: "120363012345678901@" + ($itemIndex % 2 ? "G.US" : "g.us")',
			// It may be any recipient.
			'to: $itemIndex % 2 ? $json.to : "0151 " + $json.to.slice(5)',
			'number: $json.to',
			'chatId: $json.to, to: "4915123456789"',
		])('sends one message after the other to a chat: %s', async (fields) => {
			expect(await sendSixTo(fields)).toBe(1);
		});
	});

	test.each(['idempotencyKey', 'idempotency_key'])(
		'retries a message with a key named %s',
		async (name) => {
			gateway.faults([{ cut: 'after', times: 1 }]);
			const { error, items } = await run(
				sending(gateway, {
					fields: json(`chatId: $json.to, ${name}: "order-1"`),
					options: { maxWait: 0.01 },
				}),
			);
			expect(error).toBeUndefined();
			expect(items[0]?.json.outcome).toBe('duplicate');
			expect(gateway.requests()).toHaveLength(2);
			expect(gateway.state().delivered).toHaveLength(1);
		},
	);

	test.each(['null', 'undefined'])('does not retry with a key of %s', async (key) => {
		gateway.faults([{ cut: 'after', times: 1 }]);
		const fields = json(`chatId: $json.to, idempotencyKey: ${key}`);
		const { error } = await run(sending(gateway, { fields, options: { maxWait: 0.01 } }));
		expect(error?.message).toContain('unknown: it may have been sent');
		expect(gateway.requests()).toHaveLength(1);
	});

	test('uses Messages per Minute, Concurrency and Max Tries', async () => {
		gateway.faults([{ status: 503, retryAfter: 0, times: 4 }]);
		const { error } = await run(
			sending(gateway, {
				fields: json('chatId: $json.to'),
				options: { maxTries: 5, concurrency: 1, messagesPerMinute: 1_200 },
			}),
		);
		expect(error).toBeUndefined();
		expect(gapsMs(gateway)).toEqual([50, 50, 50, 50]);
	});
});

test.each([
	['documented', 'chatId'],
	['documented', 'phone'],
	['legacy', 'phone'],
	['legacy', 'chatId'],
])('with %s field names rejects another recipient under %s', async (fieldNames, name) => {
	const additionalFields = JSON.stringify({ [name]: '4915123456789' });
	const { error } = await run(sending(gateway, { options: { additionalFields, fieldNames } }));
	expect(error?.message).toBe(
		`'Additional Fields' contains '${name}', which the node sets itself [item 0]`,
	);
	expect(gateway.requests()).toEqual([]);
});
