import { schedulerOf } from '../../../nodes/MessagingGateway/request/account';
import { run, storedAccount } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import {
	answeredAt,
	chat,
	lookUp,
	messages,
	receivedAt,
	sending,
	textsDelivered,
	until,
} from '../../harness/messages';

describe('after a 429', () => {
	useVirtualTime();
	const gateway = useNewGateways();
	const HOLD_MS = 400;
	const slower = { status: 429, retryAfter: String(HOLD_MS / 1000), times: 1 };

	const theRefusal = () => gateway.requests().find(({ status }) => status === 429);
	/** Whether the node has processed the 429, not only received it. */
	const isRefused = () =>
		schedulerOf(storedAccount(gateway.account)).limiter.lastCounted429At > -Infinity;

	/** No request arrives during the cool-down, except those that were sent at the same time as the 429. */
	function expectHeld() {
		const since = answeredAt(theRefusal());
		const after = gateway
			.requests()
			.map((request) => receivedAt(request) - since)
			.filter((ms) => ms > 0);
		expect(Math.min(...after)).toBe(HOLD_MS);
	}

	test('to one chat, all chats of the run wait', async () => {
		gateway.faults([{ ...slower, chatId: chat(0) }, { latencyMs: 5 }]);
		const items = messages(60, (index) => index % 6);
		const { error } = await run(sending(gateway, { items, options: { concurrency: 3 } }));
		expect(error).toBeUndefined();
		expectHeld();
		expect(gateway.state().delivered).toHaveLength(60);
	});

	test('a second execution with the same credential waits', async () => {
		gateway.faults([{ ...slower, chatId: chat(0) }]);
		const first = run(sending(gateway));
		await until('the first 429 is processed', isRefused);
		const [{ error }] = await Promise.all([
			run(sending(gateway, { items: messages(3, () => 7) })),
			first,
		]);
		expect(error).toBeUndefined();
		expectHeld();
		expect(gateway.state().delivered).toHaveLength(4);
	});

	test('an execution that is already running waits', async () => {
		gateway.faults([{ ...slower, chatId: chat(0) }, { latencyMs: 10 }]);
		const long = run(sending(gateway, { items: messages(80, () => 7) }));
		await until('the long execution is running', () => gateway.requests().length > 5);
		await Promise.all([run(sending(gateway)), long]);
		expectHeld();
		expect(textsDelivered(gateway)).toHaveLength(81);
	});

	test('another token does not wait', async () => {
		gateway.faults([slower]);
		const first = run(sending(gateway));
		await until('the first 429 is processed', isRefused);
		const account = { ...gateway.account, token: 'another' };
		const { error } = await run(sending(gateway, { account }));
		expect(error?.message).toContain('invalid_token');
		expect(receivedAt(gateway.requests().at(-1))).toBe(answeredAt(theRefusal()));
		await first;
	});

	test.each([
		['a lookup', false],
		['a lookup as a tool', true],
	])('%s waits', async (_what, asTool) => {
		gateway.faults([{ ...slower, endpoint: 'sendMessage' }]);
		const first = run(sending(gateway));
		await until('the first 429 is processed', isRefused);
		const { error } = await run(lookUp(gateway, { asTool }));
		expect(error).toBeUndefined();
		expectHeld();
		await first;
	});

	test('to a lookup, messages wait', async () => {
		gateway.faults([{ ...slower, endpoint: 'inviteInfo' }]);
		const { error } = await run(lookUp(gateway));
		expect(error?.message).toContain('429');
		await run(sending(gateway));
		expectHeld();
		expect(gateway.state().delivered).toHaveLength(1);
	});

	test('to a message of a tool, a workflow waits', async () => {
		gateway.faults([slower]);
		const first = run(sending(gateway, { asTool: true }));
		await until('the first 429 is processed', isRefused);
		await run(sending(gateway, { items: messages(2) }));
		expectHeld();
		await first;
		expect(gateway.state().delivered).toHaveLength(3);
	});

	test('a 503, in contrast, delays only its own message', async () => {
		gateway.faults([{ status: 503, retryAfter: '0.5', chatId: chat(0), times: 1 }]);
		await run(sending(gateway, { items: messages(5) }));
		const since = answeredAt(gateway.requests()[0]);
		expect(gateway.requests().map((request) => receivedAt(request) - since)).toEqual([
			...[0, 0, 0, 0, 0],
			500,
		]);
	});

	test('a gateway that accepts few messages at a time gets all of them, without a failed message', async () => {
		// Ten are in flight when the first 429 arrives.
		gateway.faults([{ status: 429, retryAfter: '0.1', times: 10 }]);
		const { error } = await run(sending(gateway, { items: messages(40) }));
		expect(error).toBeUndefined();
		expect(gateway.state().delivered).toHaveLength(40);
		expect(gateway.requests()).toHaveLength(50);
	});

	test('messages that waited until the run gave up were not attempted', async () => {
		gateway.faults([{ status: 429 }]);
		const options = { maxWait: 0.2 };
		await run(sending(gateway, { items: messages(1), options }));
		const { error } = await run(sending(gateway, { items: messages(9), options }));
		expect(error?.message).toContain('0 of 9 sent, 8 not attempted');
	});

	test('a waiting message is still sent if another one fails', async () => {
		gateway.faults([
			{ chatId: chat(0), status: 429, retryAfter: '0.3', times: 1 },
			{ chatId: chat(1), latencyMs: 100, status: 422, times: 1 },
		]);
		const { error } = await run(sending(gateway, { items: messages(2) }));
		expect(error?.message).toContain('1 of 2 sent, 0 not attempted [item 1]');
		expect(textsDelivered(gateway)).toEqual(['Message 0']);
	});
});
