import type { INodeExecutionData } from 'n8n-workflow';

import type { Fault } from '../../../dev/sandbox/sandbox';
import { type Outcome, run, type RunOptions, start } from '../../harness/engine';
import { textOf } from '../../harness/qrReader';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import { gapsMs, jsonBody, quiet, timed, until } from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways({ qrLifetimeMs: 3_600_000 });

type Parameters = RunOptions['parameters'];

const session = (parameters: Parameters, items: INodeExecutionData[] = [{ json: {} }]) => ({
	account: gateway.account,
	parameters: { resource: 'session', pollInterval: 0.5, timeout: 10, ...parameters },
	items,
});
const pair = (parameters: Parameters = {}, items?: INodeExecutionData[]) =>
	session({ operation: 'pair', ...parameters }, items);
const wait = (options = {}, parameters: Parameters = {}, items?: INodeExecutionData[]) =>
	session({ operation: 'waitUntilOnline', options, ...parameters }, items);

const paths = () => gateway.requests().map(({ url }) => url.split('/').slice(4).join('/'));
const saying = (data: unknown, rest: Fault = {}): Fault => ({ body: jsonBody(data), ...rest });
const theItem = ({ items, error }: Outcome) => {
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	return items[0]!;
};
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
const CODE = expect.stringMatching(/^2@/) as string;

/** The text of the QR code in the image. */
function scanned({ binary }: INodeExecutionData): string | undefined {
	const [image] = Object.values(binary ?? {});
	return textOf(Buffer.from(image!.data, 'base64'));
}

describe('Pair', () => {
	test('starts a session that is not running and returns its QR code at once', async () => {
		gateway.setStatus('DISCONNECTED');
		const item = theItem(await run(pair({ outputDataFieldName: 'code' })));
		expect(item.json).toEqual({ online: false, status: 'AWAITING_QR', qr: CODE, seenAt: ISO });
		expect(Object.keys(item.binary!)).toEqual(['code']);
		expect(item.binary!.code).toMatchObject({ mimeType: 'image/png', fileName: 'qr.png' });
		expect(scanned(item)).toBe(item.json.qr);
		expect(item.pairedItem).toEqual({ item: 0 });
		expect(paths()).toEqual(['status', 'start', 'status', 'qr']);
	});

	const reporting = (status: string) => saying({ status }, { endpoint: 'status', times: 1 });
	const running: Fault = { endpoint: 'start', status: 409, code: 'already_started', times: 1 };
	const online: Fault = { ...running, status: 400, code: 'already_online' };

	const notReady: Fault = { endpoint: 'qr', status: 404, code: 'qr_not_ready', times: 1 };

	test.each<[string, Fault[], string]>([
		['there is no code yet', [notReady], 'status qr status qr'],
		['the code has expired', [reporting('QR_EXPIRED')], 'status refresh status qr'],
		['it is already running', [reporting('DISCONNECTED'), running], 'status start status qr'],
		['it is already online', [reporting('DISCONNECTED'), online], 'status start status qr'],
	])('returns the QR code of a session if %s', async (_when, faults, requests) => {
		gateway.setStatus('AWAITING_QR');
		gateway.faults(faults);
		expect(theItem(await run(pair())).json).toMatchObject({ status: 'AWAITING_QR', qr: CODE });
		expect(paths().join(' ')).toBe(requests);
	});

	test('starts a session whose status is unknown only if it has no QR code', async () => {
		gateway.setStatus('DISCONNECTED');
		gateway.faults([reporting('NAPPING')]);
		expect(theItem(await run(pair())).json.qr).toEqual(CODE);
		expect(paths()).toEqual(['status', 'qr', 'start', 'status', 'qr']);
	});

	test('is online if the gateway returns "already online" instead of a QR code despite its status', async () => {
		gateway.faults([saying({ status: 'AWAITING_QR' }, { endpoint: 'status' })]);
		expect(theItem(await run(pair())).json).toMatchObject({ online: true, qr: null });
	});

	test('terminates a logged out session if a start is not enough, once for all items', async () => {
		gateway.setStatus('AUTH_FAILURE');
		gateway.faults([
			saying({ success: true }, { endpoint: 'start', times: 1 }),
			{ endpoint: 'qr', status: 409, code: 'auth_failure', times: 1 },
		]);
		const { items } = await run(pair({}, [{ json: {} }, { json: {} }]));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(items[1]!.json.qr).toBe(items[0]!.json.qr);
		// Or what one item is changed to would change the other.
		expect(items[1]!.json).not.toBe(items[0]!.json);
		expect(paths()).toEqual([
			...['status', 'start', 'status', 'qr'],
			...['status', 'terminate', 'start', 'status', 'qr'],
		]);
	});

	test.each([
		['AWAITING_QR', 'qr_not_ready', /^Try again with a longer 'Timeout'.*Terminate/],
		['GRAZING', 'qr_not_available', /^If GRAZING is your gateway's word for online((?!Termin).)*$/],
	])('without a QR code in the status %s says what to do', async (status, code, description) => {
		const ofQr: Fault = { endpoint: 'qr', status: 404, code };
		gateway.faults([saying({ status }, { endpoint: 'status' }), ofQr]);
		const { error } = await run(pair({ timeout: 1 }));
		expect(error?.message).toBe(
			`No QR code was available within 1 s: its last status is ${status} [item 0]`,
		);
		expect(error?.description).toMatch(description);
	});
});

describe('Wait Until Online', () => {
	const status = 'AWAITING_QR';
	const timedOut = async (timeout = 1) =>
		theItem(await run(wait({ onTimeout: 'item' }, { timeout }))).json;

	test('returns when the QR code has been scanned', async () => {
		gateway.setStatus(status);
		const execution = start(wait());
		await until('it has polled twice', () => gateway.requests().length >= 2);
		gateway.scan();
		expect(theItem(await execution.outcome)).toEqual({
			json: { online: true, status: 'ONLINE', timedOut: false },
			pairedItem: { item: 0 },
		});
	});

	test('on timeout stops, or outputs an item, after polls that become less frequent', async () => {
		gateway.setStatus(status);
		const { error } = await run(wait());
		expect(error?.message).toBe(
			'The session did not come online within 10 s: its last status is AWAITING_QR [item 0]',
		);
		expect(error?.description).toMatch(/scan it with the phone/);
		const gaps = gapsMs(gateway);
		expect(gaps.slice(0, 3)).toEqual([500, 550, 605]);
		expect(gaps).toEqual(gaps.toSorted((a, b) => a - b));
		expect(gaps.at(-1)).toBe(1_000);
		expect(await timedOut()).toEqual({ online: false, status, timedOut: true });
	});

	const unknown = { online: null, status: null };
	const offline = { online: false, status };
	const limited: Fault = { status: 429, retryAfter: 40 };
	test.each<[string, Fault[], object, RegExp]>([
		['an error', [{ status: 503 }], unknown, /\(503\)/],
		['no response', [{ latencyMs: 10_000 }], unknown, /within 2 s: no status could be read/],
		['a Retry-After', [saying({ status }, { times: 1 }), limited], offline, /rate limit/],
		['a slow response', [{ latencyMs: 1_500 }], offline, /^undefined$/],
	])('on timeout after %s, outputs what is known', async (_what, faults, known, reason) => {
		gateway.setStatus(status);
		gateway.faults(faults);
		const json = await timedOut(2);
		expect(json).toMatchObject({ ...known, timedOut: true });
		expect(`${json.reason as string}`).toMatch(reason);
	});

	const page = { contentType: 'text/plain', text: '404 page not found' };
	const proxyPage: Fault = { status: 404, body: page };

	test('reports a wrong address if the first response is not from a gateway', async () => {
		gateway.faults([proxyPage]);
		expect((await run(wait())).error?.message).toMatch(/found nothing at this address/);
		expect(gateway.requests()).toHaveLength(1);
	});

	test('tolerates lost connections, missing statuses and pages of a proxy while a gateway restarts', async () => {
		const statusless = saying({ success: true }, { times: 1 });
		gateway.faults([{ cut: 'before', times: 1 }, statusless, { ...proxyPage, times: 2 }]);
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
		expect(await timedOut(60)).toEqual({ ...unknown, timedOut: false, reason });
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

	test.each<[string, Fault[]]>([
		['between two polls', []],
		['while the gateway does not respond', [{ latencyMs: 60_000 }]],
	])('ends within a second when the execution is cancelled %s', async (_when, faults) => {
		gateway.setStatus(status);
		gateway.faults(faults);
		const execution = start(wait({}, { timeout: 60, pollInterval: 30 }));
		await until('it has polled', () => gateway.requests().length >= 1);
		execution.cancel();
		const { value, ms } = await timed(execution.outcome);
		expect(ms).toBeLessThan(1000);
		expect(value.run.status).toBe('canceled');
		await quiet(61_000);
		expect(gateway.requests()).toHaveLength(1);
	});

	describe('with Return on New QR Code', () => {
		const options = { returnOnNewQr: true, onTimeout: 'item' };

		beforeEach(() => gateway.setStatus(status));

		test('returns as soon as the QR code differs from the first one', async () => {
			gateway.faults([saying({ qr: '2@first,a,b' }, { endpoint: 'qr', times: 2 })]);
			const item = theItem(await run(wait(options)));
			expect(item.json).toMatchObject({ online: false, status, timedOut: false, qr: CODE });
			expect(item.json.qr).not.toBe('2@first,a,b');
			expect(scanned(item)).toBe(item.json.qr);
			expect(paths().filter((path) => path === 'qr')).toHaveLength(3);
		});

		test('compares with the QR code of the input item, and ignores a missing one', async () => {
			const { qr } = theItem(await run(pair())).json;
			const returned = async (qr: unknown) =>
				theItem(await run(wait(options, { timeout: 2 }, [{ json: { qr: qr as string } }]))).json;
			expect(await returned('2@other,a,b')).toMatchObject({ timedOut: false, qr });
			gateway.faults([{ endpoint: 'qr', times: 1, status: 404, code: 'qr_not_ready' }]);
			const unchanged = await returned(qr);
			expect(unchanged.timedOut).toBe(true);
			expect(unchanged).not.toHaveProperty('qr');
		});
	});
});

test('waits separately for items with different settings', async () => {
	gateway.faults([saying({ status: 'GRAZING' }, { endpoint: 'status' })]);
	const items = [{ json: { seconds: 1 } }, { json: { seconds: 9 } }];
	const outcome = await run(
		wait({ onTimeout: 'item' }, { timeout: '={{ $json.seconds }}' }, items),
	);
	const [first, second] = outcome.items.map(({ json }) => json);
	expect([first, second]).toMatchObject([{ timedOut: true }, { timedOut: true }]);
	const polls = paths().filter((path) => path === 'status').length;
	gateway.clearRequests();
	await run(wait({ onTimeout: 'item' }, { timeout: 9 }, items));
	expect(polls).toBeGreaterThan(paths().length);
});
