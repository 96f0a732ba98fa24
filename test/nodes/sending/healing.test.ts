import type { Fault } from '../../../sandbox/sandbox';
import { run, type RunOptions, start } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import { chat, lookUp, messages, quiet, sending } from '../../harness/messages';

const TEN_MINUTES = 600_000;

useVirtualTime();
const gateway = useNewGateways();

const statuses = () => gateway.requests().map(({ status }) => status);

/** An error response of a gateway with clock skew, whatever the signature. */
const rejection = (code: string | undefined, aheadMs: number, rest: Fault = {}): Fault => ({
	status: 401,
	code,
	headers: { Date: new Date(Date.now() + aheadMs).toUTCString() },
	...rest,
});

describe.each([
	['behind', TEN_MINUTES],
	['ahead of', -TEN_MINUTES],
])('with a local clock %s that of the gateway', (word, clockOffsetMs) => {
	beforeEach(() => gateway.faults([{ clockOffsetMs }]));

	test('signs a message again with the time of the gateway and adds a hint', async () => {
		const { error, hints, items } = await run(sending(gateway));
		expect(error).toBeUndefined();
		expect(statuses()).toEqual([401, 200]);
		expect(items[0]?.json).toMatchObject({ outcome: 'sent' });
		expect(hints).toHaveLength(1);
		expect(hints[0]?.message).toMatch(
			new RegExp(`^The clock of this n8n is (599|600|601) s ${word} the gateway's`),
		);
	});

	test('remembers the clock skew for the next run, which also has the hint', async () => {
		await run(sending(gateway));
		gateway.clearRequests();
		const { hints, error } = await run(sending(gateway));
		expect(error).toBeUndefined();
		expect(statuses()).toEqual([200]);
		expect(hints).toHaveLength(1);
	});

	test('does not count the second signature as an attempt', async () => {
		const { error } = await run(sending(gateway, { options: { maxTries: 1 } }));
		expect(error).toBeUndefined();
		expect(statuses()).toEqual([401, 200]);
	});

	test('delivers concurrent messages, each once', async () => {
		const items = messages(30);
		const { error, hints } = await run(sending(gateway, { items }));
		expect(error).toBeUndefined();
		expect(gateway.state().delivered).toHaveLength(30);
		// Ten were signed before the first response arrived.
		expect(gateway.requests().length).toBeLessThanOrEqual(40);
		expect(hints).toHaveLength(1);
	});

	test('does the same as a tool', async () => {
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
	])('signs a lookup %s again and remembers the clock skew for messages', async (_name, asTool) => {
		const { error } = await run(lookUp(gateway, { asTool }));
		expect(error).toBeUndefined();
		expect(statuses()).toEqual([401, 200]);
		await run(sending(gateway));
		expect(statuses()).toEqual([401, 200, 200]);
	});

	test('drops the clock skew and the hint once the clock is correct', async () => {
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

	test('reports only the final error if the second signature is accepted', async () => {
		gateway.faults([{ clockOffsetMs, status: 422 }]);
		const { error } = await run(sending(gateway));
		expect(statuses()).toEqual([401, 422]);
		expect(error?.message).toContain('(422, validation_error)');
	});

	test('does not use the clock skew of one account for another', async () => {
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

test('gives no hint if the clock is correct', async () => {
	const { hints } = await run(sending(gateway));
	expect(hints).toEqual([]);
});

test('signs again only once if the clock stays wrong', async () => {
	// This gateway is always ten minutes ahead of the signature.
	gateway.faults([
		rejection('signature_expired', TEN_MINUTES, { times: 1 }),
		rejection('signature_expired', 2 * TEN_MINUTES),
	]);
	const { error } = await run(sending(gateway));
	expect(statuses()).toEqual([401, 401]);
	expect(error?.message).toContain('signature_expired');
});

test.each([
	'invalid_token',
	'missing_signature',
	'missing_auth_headers',
	'token_expired',
	'token_inactive',
])('does not treat a 401 with the code %s as clock skew', async (code) => {
	gateway.faults([rejection(code, TEN_MINUTES)]);
	const { error, hints } = await run(sending(gateway));
	expect(error?.message).toContain(`(401, ${code})`);
	expect(statuses()).toEqual([401]);
	expect(hints).toEqual([]);
});

test.each(['invalid_signature', 'unauthorized'])(
	'tolerates a clock skew of 25 s after %s',
	async (code) => {
		gateway.faults([rejection(code, 25_000)]);
		await run(sending(gateway));
		expect(statuses()).toEqual([401]);
	},
);

test.each([
	['signature_expired', 2_500],
	['signature_expired', -2_500],
	['signature_expired', 35_000],
	['invalid_signature', 35_000],
	['invalid_signature', -35_000],
])('after %s, signs again for %i ms', async (code, aheadMs) => {
	gateway.faults([rejection(code, aheadMs, { times: 1 })]);
	const { error } = await run(sending(gateway));
	expect(error).toBeUndefined();
	expect(statuses()).toEqual([401, 200]);
	const [first, second] = gateway
		.requests()
		.map(({ headers }) => Number(headers['x-api-timestamp']));
	// HTTP dates have whole seconds.
	expect(Math.abs(second! - first! - aheadMs)).toBeLessThan(1_500);
});

test('retries a wrong signature only once', async () => {
	gateway.faults([rejection('invalid_signature', TEN_MINUTES)]);
	const { error } = await run(sending(gateway));
	expect(statuses()).toEqual([401, 401]);
	expect(error?.message).toContain('(401, invalid_signature)');
});

test.each([
	['its own time', {}],
	['no time', { headers: { Date: 'unknown' } }],
])(
	'recovers when the gateway answers a stale timestamp with invalid_signature and %s',
	async (_time, rest) => {
		gateway.faults([{ clockOffsetMs: TEN_MINUTES }]);
		await run(sending(gateway));
		expect(statuses()).toEqual([401, 200]);
		// The gateway's clock is corrected.
		gateway.faults([{ status: 401, code: 'invalid_signature', times: 1, ...rest }]);
		await run(sending(gateway));
		gateway.clearFaults();
		gateway.clearRequests();
		const { error, hints } = await run(sending(gateway));
		expect(error).toBeUndefined();
		expect(statuses()).toEqual([200]);
		expect(hints).toEqual([]);
	},
);

test('a message that is always rejected does not break the others while the clock is wrong', async () => {
	const items = messages(40);
	gateway.faults([
		{ clockOffsetMs: TEN_MINUTES, chatId: chat(3), status: 401, code: 'invalid_signature' },
		{ clockOffsetMs: TEN_MINUTES, chatId: chat(20), status: 401, code: 'invalid_signature' },
		{ clockOffsetMs: TEN_MINUTES, latencyMs: 2 },
	]);
	await run(sending(gateway, { items, settings: { onError: 'continueRegularOutput' } }));
	expect(gateway.state().delivered).toHaveLength(38);
});

test.each([403, 422, 500])('does not sign again after a %i', async (status) => {
	gateway.faults([rejection('signature_expired', TEN_MINUTES, { status })]);
	await run(sending(gateway));
	expect(statuses()).toEqual([status]);
});

describe('after the local clock is set back by ten minutes', () => {
	beforeEach(() => {
		const rightTime = Date.now.bind(Date);
		jest.spyOn(Date, 'now').mockImplementation(() => rightTime() + TEN_MINUTES);
	});
	afterEach(() => jest.restoreAllMocks());

	/** Whether the run ends within 1.5 seconds. */
	async function isDone(options: RunOptions): Promise<boolean> {
		const execution = start(options);
		const done = execution.outcome.then(() => true);
		const inTime = await Promise.race([done, quiet(1_500).then(() => false)]);
		execution.cancel();
		await execution.outcome;
		return inTime;
	}

	test('messages of a workflow are still sent', async () => {
		await run(sending(gateway));
		jest.restoreAllMocks();
		expect(await isDone(sending(gateway))).toBe(true);
		expect(statuses()).toEqual([401, 200, 200]);
	});

	test.each<[string, () => RunOptions]>([
		['messages of a tool', () => sending(gateway, { asTool: true })],
		['lookups', () => lookUp(gateway)],
	])('%s are still sent', async (_what, options) => {
		await run(options());
		expect(statuses()).toEqual([401, 200]);
		jest.restoreAllMocks();
		expect(await isDone(options())).toBe(true);
	});
});
