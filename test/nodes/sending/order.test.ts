import { useCustomGateway } from '../../fuzz/cases';
import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import { gapsMs, messages, sending, textsDelivered, textsOf } from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways();

test('sends messages to one chat, however it is spelled, in item order, each after the response to the one before', async () => {
	// The first messages take longest: without ordering, the last ones would arrive first.
	const latencies = [120, 60, 30, 20];
	gateway.faults(latencies.map((latencyMs) => ({ latencyMs, times: 1 })));
	const spellings = ['4915112345678', '+49 (151) 1234-5678', '4915112345678@c.us', 4915112345678];
	const items = spellings.map((to, index) => ({ json: { to, text: `Message ${index}` } }));
	await run(sending(gateway, { items, options: { concurrency: 100 } }));
	expect(textsDelivered(gateway)).toEqual(textsOf(items));
	expect(gapsMs(gateway)).toEqual(latencies.slice(0, -1));
});

// The simulation has other values of Concurrency.
test('limits the messages in flight to 10 by default', async () => {
	gateway.faults([{ latencyMs: 100 }]);
	await run(sending(gateway, { items: messages(11) }));
	expect(gapsMs(gateway)).toEqual([...Array<number>(9).fill(0), 100]);
});

const json = (fields: string) => ({
	operation: 'sendJson',
	body: `={{ JSON.stringify({ ${fields}, type: "text", text: $json.text }) }}`,
});

describe('with custom JSON', () => {
	const inFlight = { now: 0, max: 0 };
	// The sandbox knows only text in chatId and phone.
	const account = useCustomGateway((request, response) => {
		inFlight.now += 1;
		inFlight.max = Math.max(inFlight.max, inFlight.now);
		request.resume().on('end', () =>
			setTimeout(() => {
				inFlight.now -= 1;
				response.end('{"status":"sent"}');
			}, 50),
		);
	});

	test.each([
		['chatId: $json.to', 6],
		['to: $json.to', 6],
		['to: ["+49 151 23456789", "004915123456789", " 4915123456789 "][$itemIndex % 3]', 1],
		// It may be any recipient.
		['to: $itemIndex % 2 ? $json.to : "0151 " + $json.to.slice(5)', 1],
		['chatId: $json.to, to: "4915123456789"', 1],
	])('sends as many messages at once as there are chats for sure: %s', async (fields, expected) => {
		inFlight.max = 0;
		const job = sending(gateway, { account, items: messages(6), fields: json(fields) });
		expect((await run(job)).error).toBeUndefined();
		expect(inFlight.max).toBe(expected);
	});
});
