import { accountKey } from '../../../gateway/clock';
import { Brake, brakeOf, type Ticket } from '../../../nodes/MessagingGateway/sending/brake';
import { run } from '../../engine';
import { useNewGateways } from '../../sandboxAccount';
import {
	answeredAt,
	chat,
	lookUp,
	messages,
	receivedAt,
	sending,
	textsDelivered,
	until,
} from './messages';

describe('after a refusal of the pace', () => {
	const gateway = useNewGateways();
	const HOLD_MS = 400;
	const slower = { status: 429, retryAfter: String(HOLD_MS / 1000), times: 1 };

	const theRefusal = () => gateway.requests().find(({ status }) => status === 429);
	/** Known to the node, that is, and not just sent to it. */
	const isRefused = () => brakeOf(accountKey(gateway.account)).isHeld;

	/** Nobody comes in meanwhile, but for those who had left before the refusal was read. */
	function expectHeld({ underWay = 0 } = {}) {
		const since = answeredAt(theRefusal());
		const others = gateway.requests().filter(({ status }) => status !== 429);
		const meanwhile = others
			.map((request) => receivedAt(request) - since)
			.filter((ms) => ms >= 0 && ms < HOLD_MS - 5);
		expect(meanwhile.length).toBeLessThanOrEqual(underWay);
		expect(others.length).toBeGreaterThan(underWay);
	}

	test('of one chat, all chats of the run are held', async () => {
		gateway.faults([{ ...slower, chatId: chat(0) }, { latencyMs: 5 }]);
		const items = messages(60, (index) => index % 6);
		const { error } = await run(sending(gateway, { items, options: { concurrency: 3 } }));
		expect(error).toBeUndefined();
		expectHeld({ underWay: 6 });
		expect(gateway.state().delivered).toHaveLength(60);
	});

	test('a second execution with the same credential is held, too', async () => {
		gateway.faults([{ ...slower, chatId: chat(0) }]);
		const first = run(sending(gateway));
		await until('the first one is refused', isRefused);
		const [{ error }] = await Promise.all([
			run(sending(gateway, { items: messages(3, () => 7) })),
			first,
		]);
		expect(error).toBeUndefined();
		expectHeld();
		expect(gateway.state().delivered).toHaveLength(4);
	});

	test('an execution that is already running is held in its midst', async () => {
		gateway.faults([{ ...slower, chatId: chat(0) }, { latencyMs: 10 }]);
		const long = run(sending(gateway, { items: messages(80, () => 7) }));
		await until('the long one is under way', () => gateway.requests().length > 5);
		await Promise.all([run(sending(gateway)), long]);
		expectHeld({ underWay: 3 });
		expect(textsDelivered(gateway)).toHaveLength(81);
	});

	test('another token is not held', async () => {
		gateway.faults([slower]);
		const first = run(sending(gateway));
		await until('the first one is refused', isRefused);
		const account = { ...gateway.account, token: 'another' };
		const { error } = await run(sending(gateway, { account }));
		expect(error?.message).toContain('invalid_token');
		expect(receivedAt(gateway.requests().at(-1)) - answeredAt(theRefusal())).toBeLessThan(
			HOLD_MS / 2,
		);
		await first;
	});

	test.each([
		['a look-up', false],
		['a look-up as a tool', true],
	])('%s is held', async (_what, asTool) => {
		gateway.faults([{ ...slower, endpoint: 'sendMessage' }]);
		const first = run(sending(gateway));
		await until('the first one is refused', isRefused);
		const { error } = await run(lookUp(gateway, { asTool }));
		expect(error).toBeUndefined();
		expectHeld();
		await first;
	});

	test('of a look-up, messages are held', async () => {
		gateway.faults([{ ...slower, endpoint: 'inviteInfo' }]);
		const { error } = await run(lookUp(gateway));
		expect(error?.message).toContain('429');
		await run(sending(gateway));
		expectHeld();
		expect(gateway.state().delivered).toHaveLength(1);
	});

	test('of a message sent by a tool, a workflow is held', async () => {
		gateway.faults([slower]);
		const first = run(sending(gateway, { asTool: true }));
		await until('the first one is refused', isRefused);
		await run(sending(gateway, { items: messages(2) }));
		expectHeld();
		await first;
		expect(gateway.state().delivered).toHaveLength(3);
	});

	test('a 503 is about one message: others go on', async () => {
		gateway.faults([{ status: 503, retryAfter: '0.5', chatId: chat(0), times: 1 }]);
		await run(sending(gateway, { items: messages(5) }));
		const others = gateway.requests().slice(1, -1);
		const since = answeredAt(gateway.requests()[0]);
		expect(others.map((request) => receivedAt(request) - since < 450)).toEqual(
			Array<boolean>(4).fill(true),
		);
	});

	test('a gateway that takes few at a time gets them all, and nobody uses up the tries', async () => {
		// Ten are on their way when the first refusal comes.
		gateway.faults([{ status: 429, retryAfter: '0.1', times: 10 }]);
		const { error } = await run(sending(gateway, { items: messages(40) }));
		expect(error).toBeUndefined();
		expect(gateway.state().delivered).toHaveLength(40);
		expect(gateway.requests()).toHaveLength(50);
	});

	test('with Stop of another message, one that the brake holds is still brought to its end', async () => {
		gateway.faults([
			{ chatId: chat(0), status: 429, retryAfter: '0.3', times: 1 },
			{ chatId: chat(1), latencyMs: 100, status: 422, times: 1 },
		]);
		const { error } = await run(sending(gateway, { items: messages(2) }));
		expect(error?.message).toContain('1 of 2 went out, 0 not tried [item 1]');
		expect(textsDelivered(gateway)).toEqual(['Message 0']);
	});
});

describe('the brake', () => {
	let brake: Brake;

	beforeEach(() => {
		jest.useFakeTimers();
		brake = new Brake();
	});
	afterEach(() => jest.useRealTimers());

	/** Undefined where one would have to wait. */
	async function entered(): Promise<Ticket | undefined> {
		let isOver = false;
		let ticket: Ticket | undefined;
		void brake.enter(() => isOver).then((given) => (ticket = given));
		for (let turns = 0; turns < 10; turns++) await Promise.resolve();
		isOver = true;
		return ticket;
	}

	/** How many may be on their way at once, from none. */
	async function room(): Promise<number> {
		const tickets: Ticket[] = [];
		for (let next = await entered(); next !== undefined; next = await entered()) {
			tickets.push(next);
			if (tickets.length === 200) break;
		}
		for (const ticket of tickets) brake.leave(ticket, undefined);
		return tickets.length;
	}

	const refused = async (holdMs: number) => brake.leave((await entered())!, holdMs);
	const isHeld = async () => (await entered()) === undefined;

	test('lets everybody through until somebody is refused', async () => {
		expect(await room()).toBe(200);
	});

	test('lets nobody through for as long as the gateway asked for', async () => {
		await refused(5_000);
		jest.advanceTimersByTime(4_999);
		expect(await isHeld()).toBe(true);
		jest.advanceTimersByTime(1);
		expect(await isHeld()).toBe(false);
	});

	test('a shorter refusal does not shorten a longer one', async () => {
		const [long, short] = [(await entered())!, (await entered())!];
		brake.leave(long, 5_000);
		brake.leave(short, 100);
		jest.advanceTimersByTime(4_999);
		expect(await isHeld()).toBe(true);
	});

	test('then one at a time, and one more after five that went well', async () => {
		await refused(100);
		jest.advanceTimersByTime(100);
		for (let good = 0; good < 5; good++) {
			const ticket = (await entered())!;
			expect(await isHeld()).toBe(true);
			brake.leave(ticket);
		}
		expect(await room()).toBe(2);
	});

	test('after a minute nothing of the refusal is left', async () => {
		await refused(100);
		jest.advanceTimersByTime(60_100);
		expect(await isHeld()).toBe(false);
		expect(await isHeld()).toBe(true);
		jest.advanceTimersByTime(1);
		expect(await room()).toBe(200);
	});

	test('what was on its way before the refusal keeps nobody waiting, and eases nothing', async () => {
		const older = (await entered())!;
		await refused(100);
		jest.advanceTimersByTime(100);
		const probe = (await entered())!;
		expect(probe).toBeDefined();
		for (let good = 0; good < 10; good++) brake.leave(older);
		expect(await isHeld()).toBe(true);
		brake.leave(probe);
		expect(await isHeld()).toBe(false);
	});

	test('an answer that does not come keeps nobody waiting for more than five seconds', async () => {
		await refused(0);
		expect(await isHeld()).toBe(false);
		jest.advanceTimersByTime(5_000);
		expect(await isHeld()).toBe(true);
		jest.advanceTimersByTime(1);
		expect(await isHeld()).toBe(false);
		expect(await isHeld()).toBe(true);
	});

	test('who waits is let go when the time has come', async () => {
		await refused(5_000);
		let ticket: Ticket | undefined;
		void brake.enter(() => false).then((given) => (ticket = given));
		await jest.advanceTimersByTimeAsync(4_999);
		expect(ticket).toBeUndefined();
		await jest.advanceTimersByTimeAsync(30);
		expect(ticket).toBeDefined();
	});

	test('who waits for another one is let go once that one has left', async () => {
		await refused(0);
		const first = (await entered())!;
		let ticket: Ticket | undefined;
		void brake.enter(() => false).then((given) => (ticket = given));
		await jest.advanceTimersByTimeAsync(1_000);
		expect(ticket).toBeUndefined();
		brake.leave(first);
		await jest.advanceTimersByTimeAsync(30);
		expect(ticket).toBeDefined();
	});

	test('nobody waits once it is over', async () => {
		await refused(3_600_000);
		let isOver = false;
		const waiting = brake.enter(() => isOver);
		await jest.advanceTimersByTimeAsync(5_000);
		isOver = true;
		await jest.advanceTimersByTimeAsync(1_000);
		expect(await waiting).toBeUndefined();
	});

	test('is one for an account, and another one for another account', () => {
		expect(brakeOf('a')).toBe(brakeOf('a'));
		expect(brakeOf('a')).not.toBe(brakeOf('b'));
	});
});
