import type { INodeExecutionData } from 'n8n-workflow';

import type { Fault, SessionStatus } from '../../../sandbox/sandbox';
import { type Outcome, run, type RunOptions, start } from '../../harness/engine';
import { textOf } from '../../harness/qrReader';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import { gapsMs, quiet, timed, until } from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways({ qrLifetimeMs: 3_600_000 });

const session = (
	operation: 'pair' | 'waitUntilOnline',
	parameters: RunOptions['parameters'] = {},
	more: Partial<RunOptions> = {},
): RunOptions => ({
	account: gateway.account,
	parameters: { resource: 'session', operation, pollInterval: 0.5, ...parameters },
	...more,
});

const pair = (parameters = {}, more: Partial<RunOptions> = {}) =>
	session('pair', { timeout: 10, ...parameters }, more);
const wait = (options = {}, parameters = {}, more: Partial<RunOptions> = {}) =>
	session('waitUntilOnline', { timeout: 10, options, ...parameters }, more);

const paths = () => gateway.requests().map(({ url }) => url.split('/').slice(4).join('/'));
const saying = (data: unknown, rest: Fault = {}): Fault => ({
	body: { contentType: 'application/json', text: JSON.stringify(data) },
	...rest,
});
const theItem = ({ items, error }: Outcome) => {
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	return items[0]!;
};
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;

/** The text of the QR code in the image. */
function scanned({ binary }: INodeExecutionData): string | undefined {
	const [image] = Object.values(binary ?? {});
	return textOf(Buffer.from(image!.data, 'base64'));
}

/** Of an item without a status. */
const NOTHING = { online: null, status: null, history: [] };

describe('Pair', () => {
	test('starts a session that is not running and returns its QR code at once', async () => {
		gateway.setStatus('DISCONNECTED');
		const item = theItem(await run(pair({ outputDataFieldName: 'code' })));
		expect(item.json).toEqual({
			online: false,
			status: 'AWAITING_QR',
			qr: expect.stringMatching(/^2@/) as string,
			seenAt: ISO,
		});
		expect(Object.keys(item.binary!)).toEqual(['code']);
		expect(item.binary!.code).toMatchObject({ mimeType: 'image/png', fileName: 'qr.png' });
		expect(scanned(item)).toBe(item.json.qr);
		expect(item.pairedItem).toEqual({ item: 0 });
		expect(paths()).toEqual(['status', 'start', 'status', 'qr']);
	});

	test('starts nothing if the session is online, and reports that', async () => {
		const item = theItem(await run(pair()));
		expect(item).toEqual({
			json: { online: true, status: 'ONLINE', qr: null, seenAt: ISO },
			pairedItem: { item: 0 },
		});
		expect(paths()).toEqual(['status']);
	});

	const once = { times: 1 };
	const reporting = (status: string) => saying({ status }, { endpoint: 'status', ...once });
	const noCode = saying({ qr: null }, { endpoint: 'qr', ...once });
	const notYet: Fault = { endpoint: 'qr', status: 404, code: 'qr_not_ready', ...once };

	test.each<[string, SessionStatus, Fault[], string]>([
		['there is no code yet', 'AWAITING_QR', [noCode], 'status qr status qr'],
		['a 404 says that there is no code yet', 'AWAITING_QR', [notYet], 'status qr status qr'],
		['the phone has logged it out', 'AUTH_FAILURE', [], 'status start status qr'],
		['the status is unknown', 'DISCONNECTED', [reporting('NAPPING')], 'status qr start status qr'],
		['the code has expired', 'DISCONNECTED', [reporting('QR_EXPIRED')], 'status refresh status qr'],
		[
			'it is already running',
			'AWAITING_QR',
			[reporting('DISCONNECTED'), { endpoint: 'start', status: 409, code: 'already_started' }],
			'status start status qr',
		],
	])('returns the QR code of a session if %s', async (_when, status, faults, requests) => {
		gateway.setStatus(status);
		gateway.faults(faults);
		expect(theItem(await run(pair())).json).toMatchObject({
			status: 'AWAITING_QR',
			qr: expect.stringMatching(/^2@/) as string,
		});
		expect(paths().join(' ')).toBe(requests);
	});

	test('is online if the gateway returns "already online" instead of a QR code despite its status', async () => {
		gateway.faults([saying({ status: 'AWAITING_QR' }, { endpoint: 'status' })]);
		expect(theItem(await run(pair())).json).toMatchObject({ online: true, qr: null });
	});

	test('does not suggest Terminate for a session that may be online', async () => {
		gateway.faults([
			saying({ status: 'GRAZING' }, { endpoint: 'status' }),
			{ endpoint: 'qr', status: 404, code: 'qr_not_available' },
		]);
		const { error } = await run(pair({ timeout: 1 }));
		expect(error?.description).toMatch(/^If GRAZING is your gateway's word for online/);
		expect(error?.description).not.toContain('Terminate');
	});

	test('terminates a logged out session if a start is not enough, once for all items', async () => {
		gateway.setStatus('AUTH_FAILURE');
		gateway.faults([
			saying({ success: true }, { endpoint: 'start', times: 1 }),
			{ endpoint: 'qr', status: 409, code: 'auth_failure', times: 1 },
		]);
		const items = [{ json: {} }, { json: {} }, { json: {} }];
		const outcome = await run(pair({}, { items }));
		expect(outcome.items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].map((item) => ({ item })),
		);
		expect(new Set(outcome.items.map(({ json }) => json.qr)).size).toBe(1);
		// Or what one item is changed to would change the others.
		expect(new Set(outcome.items.map(({ json }) => json)).size).toBe(3);
		expect(paths()).toEqual([
			...['status', 'start', 'status', 'qr'],
			...['status', 'terminate', 'start', 'status', 'qr'],
		]);
	});

	test('without a QR code within the timeout, reports the time, the last status and what to do', async () => {
		gateway.setStatus('AWAITING_QR');
		gateway.faults([{ endpoint: 'qr', status: 404, code: 'qr_not_ready' }]);
		const { error } = await run(pair({ timeout: 1 }));
		expect(error?.message).toBe(
			'No QR code was available within 1 s: its last status is AWAITING_QR [item 0]',
		);
		expect(error?.description).toMatch(/^Try again with a longer 'Timeout'/);
	});

	test('outputs an image in place of the text unchanged', async () => {
		gateway.setStatus('AWAITING_QR');
		const data = Buffer.from('ffd8ffe000104a46494600010100', 'hex').toString('base64');
		gateway.faults([{ endpoint: 'qr', body: { contentType: 'image/jpeg', base64: data } }]);
		const item = theItem(await run(pair()));
		expect(item.json).toMatchObject({ online: false, qr: null });
		expect(item.binary!.data).toMatchObject({ mimeType: 'image/jpeg', data });
	});
});

describe('Wait Until Online', () => {
	const timedOut = async (timeout = 1) =>
		theItem(await run(wait({ onTimeout: 'item' }, { timeout }))).json;

	test('returns the history of statuses when the QR code has been scanned', async () => {
		gateway.setStatus('AWAITING_QR');
		const execution = start(wait());
		await until('it has polled twice', () => gateway.requests().length >= 2);
		gateway.scan();
		expect(theItem(await execution.outcome)).toEqual({
			json: {
				online: true,
				status: 'ONLINE',
				timedOut: false,
				history: [
					{ status: 'AWAITING_QR', at: ISO },
					{ status: 'ONLINE', at: ISO },
				],
			},
			pairedItem: { item: 0 },
		});
	});

	test.each([
		['ready, Grazing', 'grazing'],
		['1', 1],
	])('accepts the online statuses %j', async (onlineStatuses, state) => {
		gateway.faults([saying({ state }, { endpoint: 'status' })]);
		const status = String(state).toUpperCase();
		const { json } = theItem(await run(wait({ onlineStatuses })));
		expect(json).toMatchObject({ online: true, status });
	});

	test('on timeout, stops or outputs an item', async () => {
		gateway.setStatus('AWAITING_QR');
		const { error } = await run(wait({}, { timeout: 1 }));
		expect(error?.message).toBe(
			'The session did not come online within 1 s: its last status is AWAITING_QR [item 0]',
		);
		expect(error?.description).toMatch(/scan it with the phone/);
		const status = 'AWAITING_QR';
		expect(await timedOut()).toEqual({
			...{ online: false, status, timedOut: true, history: [{ status, at: ISO }] },
		});
	});

	test.each<[string, Fault, string]>([
		['the gateway down', { status: 503 }, 'The gateway could not process the request (503)'],
		[
			'no response',
			{ latencyMs: 10_000 },
			'The session did not come online within 1 s: no status could be read',
		],
	])('on timeout with %s, outputs an item without a status', async (_what, fault, reason) => {
		gateway.faults([fault]);
		expect(await timedOut()).toEqual({ ...NOTHING, timedOut: true, reason });
	});

	test('on timeout during a Retry-After, keeps the last status', async () => {
		gateway.setStatus('AWAITING_QR');
		const status = 'AWAITING_QR';
		gateway.faults([saying({ status }, { times: 1 }), { status: 429, retryAfter: 40 }]);
		const reason = expect.stringMatching(/rate limit/) as string;
		expect(await timedOut(2)).toMatchObject({ online: false, status, reason });
	});

	test('reports the last status if the timeout is reached during a slow response', async () => {
		gateway.setStatus('AWAITING_QR');
		gateway.faults([{ endpoint: 'status', latencyMs: 1_500 }]);
		const { error } = await run(wait({}, { timeout: 3 }));
		expect(error?.message).toMatch(/within 3 s: its last status is AWAITING_QR/);
	});

	test('reports a wrong address if the first response is not from a gateway', async () => {
		gateway.faults([{ status: 404, body: proxyPage }]);
		expect((await run(wait())).error?.message).toMatch(/found nothing at this address/);
		expect(gateway.requests()).toHaveLength(1);
	});

	const proxyPage = { contentType: 'text/plain', text: '404 page not found' };
	test.each<[string, Fault[]]>([
		['resets connections', [{ cut: 'before', times: 4 }]],
		['sends JSON without a status', [saying({ success: true }, { times: 4 })]],
		[
			'is behind a proxy that sends a page meanwhile',
			[saying({ status: 'AWAITING_QR' }, { times: 1 }), { status: 404, body: proxyPage, times: 3 }],
		],
	])('tolerates that a gateway %s while it restarts', async (_what, faults) => {
		gateway.faults(faults);
		expect(theItem(await run(wait())).json).toMatchObject({ online: true });
		expect(gateway.requests()).toHaveLength(5);
	});

	test('gives up after ten failures in a row, and outputs an item if the option says so', async () => {
		const failures = { status: 502, times: 6 };
		gateway.faults([failures, saying({ status: 'DISCONNECTED' }, { times: 1 }), failures]);
		expect(theItem(await run(wait({}, { timeout: 60 }))).json).toMatchObject({ online: true });
		expect(gateway.requests()).toHaveLength(14);
		gateway.faults([{ status: 500 }]);
		gateway.clearRequests();
		const { error } = await run(wait({}, { timeout: 60 }));
		const reason = 'The gateway could not process the request (500)';
		expect(error?.message).toBe(`${reason} [item 0]`);
		expect(error?.description).toMatch(/The node made 10 attempts\.$/);
		expect(gateway.requests()).toHaveLength(10);
		// No time ran out.
		expect(await timedOut(60)).toEqual({ ...NOTHING, timedOut: false, reason });
	});

	test('waits for every Retry-After', async () => {
		gateway.faults([{ status: 429, retryAfter: 2, times: 2 }]);
		expect(theItem(await run(wait())).json).toMatchObject({ online: true });
		expect(gapsMs(gateway)).toEqual([2_000, 2_000]);
	});

	test('stops at once if waiting does not help, or the gateway would reject every request', async () => {
		gateway.setStatus('AUTH_FAILURE');
		const { error } = await run(wait({ onTimeout: 'item' }));
		expect(error?.message).toBe('The phone has logged the session out (AUTH_FAILURE) [item 0]');
		gateway.faults([{ status: 401, code: 'token_expired' }]);
		const { error: rejected } = await run(wait({ onTimeout: 'item' }));
		expect(rejected?.message).toBe('The token has expired (401, token_expired) [item 0]');
		expect(gateway.requests()).toHaveLength(2);
	});

	test.each([
		['between two polls', {}],
		['while the gateway does not respond', { latencyMs: 60_000 }],
	])('ends within a second when the execution is cancelled %s', async (_when, fault: Fault) => {
		gateway.setStatus('AWAITING_QR');
		if (Object.keys(fault).length > 0) gateway.faults([fault]);
		const execution = start(wait({}, { timeout: 60, pollInterval: 30 }));
		await until('it has polled', () => gateway.requests().length >= 1);
		execution.cancel();
		const { value, ms } = await timed(execution.outcome);
		expect(ms).toBeLessThan(1000);
		expect(value.run.status).toBe('canceled');
		const requestCount = gateway.requests().length;
		await quiet(61_000);
		expect(gateway.requests()).toHaveLength(requestCount);
	});

	test('polls less often over time, down to half as often', async () => {
		gateway.setStatus('AWAITING_QR');
		await run(wait({ onTimeout: 'item' }, { timeout: 9 }));
		const gaps = gapsMs(gateway);
		expect(gaps.slice(0, 3)).toEqual([500, 550, 605]);
		expect(gaps).toEqual(gaps.toSorted((a, b) => a - b));
		expect(gaps.at(-1)).toBe(1_000);
	});

	describe('with Return on New QR Code', () => {
		const first = { contentType: 'application/json', text: '{"qr":"2@first,a,b"}' };

		beforeEach(() => gateway.setStatus('AWAITING_QR'));

		test('returns as soon as the QR code differs from the first one', async () => {
			gateway.faults([{ endpoint: 'qr', times: 2, body: first }]);
			const item = theItem(await run(wait({ returnOnNewQr: true })));
			expect(item.json).toMatchObject({
				online: false,
				status: 'AWAITING_QR',
				timedOut: false,
				qr: expect.stringMatching(/^2@/) as string,
			});
			expect(item.json.qr).not.toBe('2@first,a,b');
			expect(scanned(item)).toBe(item.json.qr);
			expect(paths().filter((path) => path === 'qr')).toHaveLength(3);
		});

		test('compares with the QR code of the input item', async () => {
			const items = [{ json: { qr: '2@first,a,b' } }];
			const item = theItem(await run(wait({ returnOnNewQr: true }, {}, { items })));
			expect(item.json.qr).toMatch(/^2@/);
			expect(paths()).toEqual(['status', 'qr']);
		});

		test('does not return for the same QR code, or a temporarily missing one', async () => {
			const { qr } = theItem(await run(pair())).json;
			gateway.faults([{ endpoint: 'qr', times: 1, status: 404, code: 'qr_not_ready' }]);
			const options = { returnOnNewQr: true, onTimeout: 'item' };
			const item = theItem(await run(wait(options, { timeout: 2 }, { items: [{ json: { qr } }] })));
			expect(item.json).toMatchObject({ timedOut: true });
			expect(item.json).not.toHaveProperty('qr');
		});
	});
});

test('waits separately for items with different settings', async () => {
	gateway.faults([saying({ status: 'GRAZING' }, { endpoint: 'status' })]);
	const options = { onlineStatuses: '={{ $json.word }}', onTimeout: 'item' };
	const items = [{ json: { word: 'GRAZING' } }, { json: { word: 'ONLINE' } }];
	const outcome = await run(wait(options, { timeout: 1 }, { items }));
	expect(outcome.items).toMatchObject([
		{ json: { online: true }, pairedItem: { item: 0 } },
		{ json: { online: false }, pairedItem: { item: 1 } },
	]);
});

test('treats a temporarily rejected QR code as not yet available', async () => {
	gateway.faults([
		saying({ status: 'DISCONNECTED' }, { endpoint: 'status', times: 2 }),
		{ endpoint: 'qr', status: 409, code: 'session_starting', message: 'Come back soon', times: 2 },
	]);
	expect((await run(wait({ returnOnNewQr: true }))).error).toBeUndefined();
});

test('reports that the rate limiter of the account holds back all requests', async () => {
	gateway.faults([{ status: 429, retryAfter: 40, times: 1 }]);
	const parameters = { resource: 'session', operation: 'ping' };
	await run({ account: gateway.account, parameters });
	gateway.clearRequests();
	const { value, ms } = await timed(run(pair({ timeout: 1 })));
	expect(ms).toBe(1_000);
	const paused = `The account's requests are paused until ${new Date(Date.now() + 39_000).toISOString().replace('.000', '')}`;
	expect(value.error?.message).toContain(paused);
	expect(value.error?.description).toMatch(/^Nothing was sent\. .*rate limit/);
	expect(value.error?.description).not.toContain('Base URL');
	const { json } = theItem(await run(wait({ onTimeout: 'item' }, { timeout: 1 })));
	const reason = expect.stringContaining(paused) as string;
	expect(json).toEqual({ ...NOTHING, timedOut: true, reason });
	expect(gateway.requests()).toEqual([]);
});
