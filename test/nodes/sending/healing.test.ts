import type { Fault } from '../../../sandbox/sandbox';
import { run, type RunOptions, start } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import { BOTH_WAYS, chat, lookUp, messages, quiet, sending } from '../../harness/messages';

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

	test.each(BOTH_WAYS)(
		'signs again with the time of the gateway, which is no attempt, and remembers it: %s',
		async (_name, asTool) => {
			for (const expected of [[401, 200], [200]]) {
				gateway.clearRequests();
				const options = { maxTries: 1 };
				const { error, hints, items } = await run(sending(gateway, { asTool, options }));
				expect(error).toBeUndefined();
				expect(statuses()).toEqual(expected);
				expect(items[0]?.json).toMatchObject({ outcome: 'sent' });
				expect(hints).toHaveLength(1);
				expect(hints[0]?.message).toMatch(
					new RegExp(`^The clock of this n8n is (599|600|601) s ${word} the gateway's`),
				);
			}
		},
	);

	test('delivers concurrent messages, each once', async () => {
		const { error, hints } = await run(sending(gateway, { items: messages(30) }));
		expect(error).toBeUndefined();
		expect(gateway.state().delivered).toHaveLength(30);
		// Ten were signed before the first response arrived.
		expect(gateway.requests().length).toBeLessThanOrEqual(40);
		expect(hints).toHaveLength(1);
	});

	test.each(BOTH_WAYS)('signs a lookup again, also for messages: %s', async (_name, asTool) => {
		const { error } = await run(lookUp(gateway, { asTool }));
		expect(error).toBeUndefined();
		await run(sending(gateway));
		expect(statuses()).toEqual([401, 200, 200]);
	});

	test('drops the clock skew and the hint once the clock is correct', async () => {
		await run(sending(gateway));
		gateway.clearFaults();
		gateway.clearRequests();
		const { error, hints } = await run(sending(gateway));
		expect(error).toBeUndefined();
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
		const baseUrl = gateway.baseUrl.replace('127.0.0.1', 'localhost');
		await run(sending(gateway, { account: { ...gateway.account, baseUrl } }));
		expect(statuses()).toEqual([200]);
	});
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

// test/gateway/errors/signingClock.test.ts has more codes and times.
test.each<[string, number, number[], Fault?]>([
	['token_expired', TEN_MINUTES, [401]],
	['missing_signature', TEN_MINUTES, [401]],
	['invalid_signature', 25_000, [401]],
	['signature_expired', TEN_MINUTES, [422], { status: 422 }],
	['signature_expired', -2_500, [401, 200]],
	['signature_expired', 35_000, [401, 200]],
	['invalid_signature', 35_000, [401, 200]],
	['invalid_signature', -35_000, [401, 200]],
])('after %s and %i ms, the statuses are %j', async (code, aheadMs, expected, rest = {}) => {
	gateway.faults([rejection(code, aheadMs, { times: 1, ...rest })]);
	const { hints } = await run(sending(gateway));
	expect(statuses()).toEqual(expected);
	if (expected.length === 1) return expect(hints).toEqual([]);
	const [first, second] = gateway
		.requests()
		.map(({ headers }) => Number(headers['x-api-timestamp']));
	// HTTP dates have whole seconds.
	expect(Math.abs(second! - first! - aheadMs)).toBeLessThan(1_500);
});

test.each([
	['its own time', {}],
	['no time', { headers: { Date: 'unknown' } }],
])(
	'recovers when the gateway answers a stale timestamp with invalid_signature and %s',
	async (_time, rest) => {
		gateway.faults([{ clockOffsetMs: TEN_MINUTES }]);
		await run(sending(gateway));
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
	gateway.faults([
		{ clockOffsetMs: TEN_MINUTES, chatId: chat(3), status: 401, code: 'invalid_signature' },
		{ clockOffsetMs: TEN_MINUTES, chatId: chat(20), status: 401, code: 'invalid_signature' },
		{ clockOffsetMs: TEN_MINUTES, latencyMs: 2 },
	]);
	const settings = { onError: 'continueRegularOutput' } as const;
	await run(sending(gateway, { items: messages(40), settings }));
	expect(gateway.state().delivered).toHaveLength(38);
});

test.each<[string, () => RunOptions]>([
	['messages of a workflow', () => sending(gateway)],
	['messages of a tool', () => sending(gateway, { asTool: true })],
	['lookups', () => lookUp(gateway)],
])('after the local clock is set back by ten minutes, %s are still sent', async (_what, job) => {
	const rightTime = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => rightTime() + TEN_MINUTES);
	await run(job());
	expect(statuses()).toEqual([401, 200]);
	jest.restoreAllMocks();
	const execution = start(job());
	const done = execution.outcome.then(() => true);
	const isInTime = await Promise.race([done, quiet(1_500).then(() => false)]);
	execution.cancel();
	await execution.outcome;
	expect(isInTime).toBe(true);
	expect(statuses()).toEqual([401, 200, 200]);
});
