import type { Fault } from '../../../sandbox/sandbox';
import { run, type RunOptions, start } from '../../engine';
import { useNewGateways } from '../../sandboxAccount';
import { lookUp, messages, quiet, sending } from './messages';

const TEN_MINUTES = 600_000;

const gateway = useNewGateways();

const statuses = () => gateway.requests().map(({ status }) => status);

/** An answer of a gateway whose clock is not ours, whatever it thinks of our signature. */
const refusal = (code: string | undefined, aheadMs: number, rest: Fault = {}): Fault => ({
	status: 401,
	code,
	headers: { Date: new Date(Date.now() + aheadMs).toUTCString() },
	...rest,
});

describe.each([
	['behind', TEN_MINUTES],
	['ahead of', -TEN_MINUTES],
])('where our clock is %s that of the gateway', (word, clockOffsetMs) => {
	beforeEach(() => gateway.faults([{ clockOffsetMs }]));

	test('a message is signed once more with its time, and a hint says so', async () => {
		const { error, hints, items } = await run(sending(gateway));
		expect(error).toBeUndefined();
		expect(statuses()).toEqual([401, 200]);
		expect(items[0]?.json).toMatchObject({ outcome: 'sent' });
		expect(hints).toHaveLength(1);
		expect(hints[0]?.message).toMatch(
			new RegExp(`^The clock of this n8n is (599|600|601) s ${word} the gateway's`),
		);
	});

	test('the offset is remembered for the next run, which hints at it, too', async () => {
		await run(sending(gateway));
		gateway.clearRequests();
		const { hints, error } = await run(sending(gateway));
		expect(error).toBeUndefined();
		expect(statuses()).toEqual([200]);
		expect(hints).toHaveLength(1);
	});

	test('the message needs no second try for it', async () => {
		const { error } = await run(sending(gateway, { options: { maxTries: 1 } }));
		expect(error).toBeUndefined();
		expect(statuses()).toEqual([401, 200]);
	});

	test('all messages on their way at once arrive, each once', async () => {
		const items = messages(30);
		const { error, hints } = await run(sending(gateway, { items }));
		expect(error).toBeUndefined();
		expect(gateway.state().delivered).toHaveLength(30);
		// Ten were signed before the first of them was told.
		expect(gateway.requests().length).toBeLessThanOrEqual(40);
		expect(hints).toHaveLength(1);
	});

	test('a tool sends all the same, and remembers it', async () => {
		const { error } = await run(sending(gateway, { asTool: true }));
		expect(error).toBeUndefined();
		expect(statuses()).toEqual([401, 200]);
		await run(sending(gateway, { asTool: true }));
		expect(statuses()).toEqual([401, 200, 200]);
		expect(gateway.state().delivered).toHaveLength(2);
	});

	test.each([
		['in a workflow', false],
		['as a tool', true],
	])('a look-up %s is healed, and a message profits', async (_name, asTool) => {
		const { error } = await run(lookUp(gateway, { asTool }));
		expect(error).toBeUndefined();
		expect(statuses()).toEqual([401, 200]);
		await run(sending(gateway));
		expect(statuses()).toEqual([401, 200, 200]);
	});

	test('once it is set right, messages go out as before, and the hint goes', async () => {
		await run(sending(gateway));
		gateway.clearFaults();
		gateway.clearRequests();
		const { error, hints } = await run(sending(gateway));
		expect(error).toBeUndefined();
		expect(statuses()).toEqual([401, 200]);
		expect(hints).toEqual([]);
		await run(sending(gateway));
		expect(statuses()).toEqual([401, 200, 200]);
	});

	test('what is refused for another reason once the time is right says only that', async () => {
		gateway.faults([{ clockOffsetMs, status: 422 }]);
		const { error } = await run(sending(gateway));
		expect(statuses()).toEqual([401, 422]);
		expect(error?.message).toContain('(422, validation_error)');
	});

	test('a second account is not taken for the first one', async () => {
		await run(sending(gateway));
		gateway.clearFaults();
		gateway.clearRequests();
		const account = {
			...gateway.account,
			baseUrl: gateway.baseUrl.replace('127.0.0.1', 'localhost'),
		};
		await run(sending(gateway, { account }));
		expect(statuses()).toEqual([200]);
	});
});

test('no hint is given where the clock is right', async () => {
	const { hints } = await run(sending(gateway));
	expect(hints).toEqual([]);
});

test('a clock that stays wrong is asked about once, not for ever', async () => {
	// However it is signed, this gateway is ten minutes further on.
	gateway.faults([
		refusal('signature_expired', TEN_MINUTES, { times: 1 }),
		refusal('signature_expired', 2 * TEN_MINUTES),
	]);
	const { error } = await run(sending(gateway));
	expect(statuses()).toEqual([401, 401]);
	expect(error?.message).toContain('signature_expired');
});

test.each([
	'invalid_signature',
	'invalid_token',
	'missing_signature',
	'missing_auth_headers',
	'token_expired',
	'token_inactive',
])('a 401 of the code %s is not a matter of the clock', async (code) => {
	gateway.faults([refusal(code, TEN_MINUTES)]);
	const { error, hints } = await run(sending(gateway));
	expect(error?.message).toContain(`(401, ${code})`);
	expect(statuses()).toEqual([401]);
	expect(hints).toEqual([]);
});

test.each([25_000, -25_000, 0])('%i ms are no reason to sign again', async (aheadMs) => {
	gateway.faults([refusal('signature_expired', aheadMs)]);
	await run(sending(gateway));
	expect(statuses()).toEqual([401]);
});

test.each([35_000, -35_000])('%i ms are one', async (aheadMs) => {
	gateway.faults([refusal('signature_expired', aheadMs, { times: 1 })]);
	const { error } = await run(sending(gateway));
	expect(error).toBeUndefined();
	expect(statuses()).toEqual([401, 200]);
	const [first, second] = gateway
		.requests()
		.map(({ headers }) => Number(headers['x-api-timestamp']));
	// Dates are in whole seconds.
	expect(Math.abs(second! - first! - aheadMs)).toBeLessThan(1_500);
});

test.each([403, 422, 500])('a %i is none, whatever its Date says', async (status) => {
	gateway.faults([refusal('signature_expired', TEN_MINUTES, { status })]);
	await run(sending(gateway));
	expect(statuses()).toEqual([status]);
});

describe('when our own clock is set back by ten minutes', () => {
	beforeEach(() => {
		const rightTime = Date.now.bind(Date);
		jest.spyOn(Date, 'now').mockImplementation(() => rightTime() + TEN_MINUTES);
	});
	afterEach(() => jest.restoreAllMocks());

	/** Whether it is answered before somebody would think that it hangs. */
	async function isDone(options: RunOptions): Promise<boolean> {
		const execution = start(options);
		const done = execution.outcome.then(() => true);
		const inTime = await Promise.race([done, quiet(1_500).then(() => false)]);
		execution.cancel();
		await execution.outcome;
		return inTime;
	}

	test('messages of a workflow go on', async () => {
		await run(sending(gateway));
		jest.restoreAllMocks();
		expect(await isDone(sending(gateway))).toBe(true);
		expect(statuses()).toEqual([401, 200, 200]);
	});

	test.each<[string, () => RunOptions]>([
		['messages of a tool', () => sending(gateway, { asTool: true })],
		['look-ups', () => lookUp(gateway)],
	])('%s go on', async (_what, options) => {
		await run(options());
		expect(statuses()).toEqual([401, 200]);
		jest.restoreAllMocks();
		expect(await isDone(options())).toBe(true);
	});
});
