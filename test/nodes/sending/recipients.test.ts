import { run } from '../../engine';
import { useNewGateways } from '../../sandboxAccount';
import {
	answeredAt,
	messages,
	receivedAt,
	type Sending,
	sending,
	textsDelivered,
} from './messages';

const gateway = useNewGateways();

const SIX = ['Message 0', 'Message 1', 'Message 2', 'Message 3', 'Message 4', 'Message 5'];

/** The first one is slow: only those that wait for it come after it. */
async function sendSix(rest: Sending) {
	gateway.faults([{ latencyMs: 120, times: 1 }]);
	const { error, items } = await run(sending(gateway, { items: messages(6), ...rest }));
	expect(error).toBeUndefined();
	expect(items).toHaveLength(6);
}

function expectOneByOne() {
	const all = gateway.requests();
	expect(all).toHaveLength(6);
	all.slice(1).forEach((request, index) => {
		expect(receivedAt(request)).toBeGreaterThanOrEqual(answeredAt(all[index]));
	});
	expect(textsDelivered(gateway)).toEqual(SIX);
}

const json = (fields: string) => ({
	bodyForm: 'json',
	body: `={{ JSON.stringify({ ${fields}, type: "text", text: $json.text }) }}`,
});

describe('with JSON of my own', () => {
	test.each([
		['chatId', 'chatId: "4915123456789"'],
		['phone', 'phone: "4915123456789"'],
		['either', '[$itemIndex % 2 ? "phone" : "chatId"]: "4915123456789"'],
		['either spelling', 'chatId: $itemIndex % 2 ? "4915123456789" : "4915123456789@c.us"'],
	])('the order of a chat is kept that it names as %s', async (_name, fields) => {
		await sendSix({ fields: json(fields) });
		expectOneByOne();
	});

	test('different chats go side by side', async () => {
		await sendSix({ fields: json('chatId: $json.to') });
		expect(receivedAt(gateway.requests()[5])).toBeLessThan(answeredAt(gateway.requests()[0]));
	});

	test.each(['idempotencyKey', 'idempotency_key'])(
		'a key in it, as %s, makes it repeatable',
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

	test.each(['null', 'undefined'])('a key of %s does not', async (key) => {
		gateway.faults([{ cut: 'after', times: 1 }]);
		const fields = json(`chatId: $json.to, idempotencyKey: ${key}`);
		const { error } = await run(sending(gateway, { fields, options: { maxWait: 0.01 } }));
		expect(error?.message).toContain('unknown: it may have been sent');
		expect(gateway.requests()).toHaveLength(1);
	});

	test('pace, concurrency and tries can be chosen', async () => {
		gateway.faults([{ status: 503, retryAfter: 0, times: 4 }]);
		const { error } = await run(
			sending(gateway, {
				fields: json('chatId: $json.to'),
				options: { maxTries: 5, concurrency: 1, messagesPerMinute: 1_200 },
			}),
		);
		expect(error).toBeUndefined();
		expect(
			receivedAt(gateway.requests()[4]) - receivedAt(gateway.requests()[0]),
		).toBeGreaterThanOrEqual(150);
	});
});

describe('a recipient among the additional fields', () => {
	const additionally = (fields: Record<string, unknown>, bodyForm = 'canonical'): Sending => ({
		fields: { bodyForm },
		options: { additionalFields: JSON.stringify(fields) },
	});

	test('is the one whose order counts', async () => {
		await sendSix(additionally({ chatId: '4915123456789' }));
		expectOneByOne();
	});

	test('is so in the legacy form, too', async () => {
		await sendSix(additionally({ phone: '4915123456789' }, 'legacy'));
		expectOneByOne();
	});
});
