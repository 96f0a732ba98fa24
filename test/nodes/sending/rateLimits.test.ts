import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import { lookUp, messages, receivedAt, sending, textsDelivered, until } from './messages';

useVirtualTime();
const gateway = useNewGateways();

const rejected = () => gateway.requests().filter(({ status }) => status === 429);
const share = () => rejected().length / gateway.requests().length;

describe('429 without Retry-After, with the default options', () => {
	test.each([
		['Stop', false],
		['Continue', true],
	])('60 messages at 30 per minute all arrive, with %s', async (_what, continueOnFail) => {
		gateway.faults([{ status: 429, perMinute: 30 }, { latencyMs: 50 }]);
		const begun = Date.now();
		const { error } = await run(sending(gateway, { items: messages(60), continueOnFail }));
		expect(error).toBeUndefined();
		expect(textsDelivered(gateway)).toHaveLength(60);
		expect(share()).toBeLessThanOrEqual(0.15);
		// 30 at once, then one every 2 s.
		expect(Date.now() - begun).toBeLessThanOrEqual(1.3 * 60_000);
	});

	test('6,000 messages at 20 per second all arrive', async () => {
		gateway.faults([{ status: 429, perMinute: 1_200, burst: 20 }, { latencyMs: 50 }]);
		const begun = Date.now();
		const { error } = await run(sending(gateway, { items: messages(6_000) }));
		expect(error).toBeUndefined();
		expect(textsDelivered(gateway)).toHaveLength(6_000);
		expect(share()).toBeLessThanOrEqual(0.15);
		expect(Date.now() - begun).toBeLessThanOrEqual((1.3 * 5_980 * 1_000) / 20);
	});
});
