import type { Fault } from '../../../dev/sandbox/sandbox';
import { depth, seedFrom } from '../../harness/depth';
import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import { messages, pairs, sending } from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways();

/** SENDING_SEED=… reproduces a failed run. */
const seed = seedFrom('SENDING_SEED');

const COUNT = depth(200, 2_000);
const CHATS = 60;

/**
 * Less than a fifth of all requests fail (1 - 0.96 ** 4 * 0.99 * 0.995 = 0.16). The probability that one of
 * 2,000 messages fails 20 times in a row is 2,000 * 0.2 ** 20 = 2e-11.
 */
const MAX_TRIES = 20;
const TIMEOUT_MS = 30_000;

const faults: Fault[] = [
	{ probability: 0.04, cut: 'before' },
	{ probability: 0.04, cut: 'after' },
	{ probability: 0.04, status: 500, after: true },
	{ probability: 0.04, status: 503, retryAfter: 0 },
	// Rare, because the rate limiter recovers slowly and hardly anything would run in parallel.
	{ probability: 0.01, status: 429, retryAfter: '0.005' },
	{ probability: 0.05, latencyMs: 40 },
	{ probability: 0.005, latencyMs: 2 * TIMEOUT_MS },
];

function byChat(messages: Array<{ to: string; text: unknown }>): Record<string, unknown[]> {
	const texts: Record<string, unknown[]> = {};
	for (const message of messages) (texts[message.to] ??= []).push(message.text);
	return texts;
}

test(`delivers ${COUNT} messages once and in the order of their chats through random faults (SENDING_SEED=${seed})`, async () => {
	gateway.faults(faults.map((fault, index) => ({ ...fault, seed: (seed + index) % 2 ** 32 })));
	const items = messages(COUNT, (index) => (index * index + seed) % CHATS);
	const retries = { maxTries: MAX_TRIES, maxWait: 0.02 };
	const options = { idempotencyKey: 'automatic', concurrency: 20, ...retries };
	const fields = { requestOptions: { timeout: TIMEOUT_MS } };
	const outcome = await run(sending(gateway, { items, options, fields }));
	expect(outcome.error).toBeUndefined();

	const { delivered } = gateway.state();
	const accepted = delivered.map(({ chatId, text }) => ({ to: chatId, text }));
	expect(byChat(accepted)).toEqual(byChat(items.map(({ json }) => json)));

	expect(pairs(outcome)).toEqual(items.map((_, index) => index));
	const answered = new Map(delivered.map(({ text, messageId }) => [text, messageId]));
	expect(outcome.items.map(({ json }) => json.messageId)).toEqual(
		items.map(({ json }) => answered.get(json.text)),
	);

	// Enough faults occurred.
	const ends = gateway.requests().map(({ outcome: end, status }) => status ?? end);
	for (const end of [429, 500, 503, 'cut']) {
		expect(ends.filter((one) => one === end).length).toBeGreaterThan(depth(0, 5));
	}
	expect(outcome.items.filter(({ json }) => json.outcome === 'duplicate').length).toBeGreaterThan(
		depth(2, 20),
	);
}, 600_000);
