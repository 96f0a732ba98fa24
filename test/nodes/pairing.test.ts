import type { INodeExecutionData } from 'n8n-workflow';

import type { Fault } from '../../sandbox/sandbox';
import { type Outcome, run, type RunOptions, start } from '../engine';
import { textOf } from '../qrReader';
import { useNewGateways } from '../sandboxAccount';
import { gapsMs, quiet, timed, until } from './sending/messages';

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

/** The text of the code in the picture. */
function scanned({ binary }: INodeExecutionData): string | undefined {
	const [picture] = Object.values(binary ?? {});
	return textOf(Buffer.from(picture!.data, 'base64'));
}

describe('Pair', () => {
	test('starts a session that is not running, and gives its code at once', async () => {
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

	test('starts nothing where a code waits to be scanned', async () => {
		gateway.setStatus('AWAITING_QR');
		expect(theItem(await run(pair())).json).toMatchObject({ online: false, status: 'AWAITING_QR' });
		expect(paths()).toEqual(['status', 'qr']);
	});

	test('starts nothing where the session is online, and says so', async () => {
		const item = theItem(await run(pair()));
		expect(item).toEqual({
			json: { online: true, status: 'ONLINE', qr: null, seenAt: ISO },
			pairedItem: { item: 0 },
		});
		expect(paths()).toEqual(['status']);
	});

	test.each<[string, Fault]>([
		['an empty code', saying({ qr: '' })],
		['no code', saying({ qr: null })],
		['a refusal that says so', { status: 404, code: 'qr_not_ready', message: 'No QR code yet' }],
		['409', { status: 409, code: 'qr_not_available' }],
		['a gateway that stumbles', { status: 502 }],
		['a cut connection', { cut: 'before' }],
		['a pace too fast', { status: 429, retryAfter: 1 }],
	])('waits where there is none yet: %s', async (_what, fault) => {
		gateway.setStatus('AWAITING_QR');
		gateway.faults([{ endpoint: 'qr', times: 2, ...fault }]);
		expect(theItem(await run(pair())).json.qr).toMatch(/^2@/);
		expect(paths().filter((path) => path === 'qr')).toHaveLength(3);
	});

	test('a session that the phone has logged out is started; if that is not enough, it is ended first', async () => {
		gateway.setStatus('AUTH_FAILURE');
		expect(theItem(await run(pair())).json.qr).toMatch(/^2@/);
		expect(paths()).toEqual(['status', 'start', 'status', 'qr']);

		gateway.setStatus('AUTH_FAILURE');
		gateway.clearRequests();
		gateway.faults([
			saying({ success: true }, { endpoint: 'start', times: 1 }),
			{ endpoint: 'qr', status: 409, code: 'auth_failure', times: 1 },
		]);
		expect(theItem(await run(pair())).json.qr).toMatch(/^2@/);
		expect(paths()).toEqual([
			...['status', 'start', 'status', 'qr'],
			...['status', 'terminate', 'start', 'status', 'qr'],
		]);
	});

	test('a status that nobody knows: the code is asked for, and the session started where there is none', async () => {
		gateway.setStatus('DISCONNECTED');
		gateway.faults([saying({ status: 'NAPPING' }, { endpoint: 'status', times: 1 })]);
		expect(theItem(await run(pair())).json).toMatchObject({ status: 'AWAITING_QR' });
		expect(paths()).toEqual(['status', 'qr', 'start', 'status', 'qr']);
	});

	test('a status that lags behind the phone: the gateway says "online already" in place of a code', async () => {
		gateway.faults([saying({ status: 'AWAITING_QR' }, { endpoint: 'status' })]);
		expect(theItem(await run(pair())).json).toMatchObject({ online: true, qr: null });
	});

	test('a session that is running already is as good as one that was started', async () => {
		gateway.setStatus('AWAITING_QR');
		gateway.faults([
			saying({ status: 'DISCONNECTED' }, { endpoint: 'status', times: 1 }),
			{ endpoint: 'start', status: 409, code: 'session_already_started' },
		]);
		expect(theItem(await run(pair())).json.qr).toMatch(/^2@/);
	});

	test.each(['WORKING', 'OPEN', 'CONNECTED'])(
		'%s is online: nothing is started',
		async (status) => {
			gateway.faults([saying({ status }, { endpoint: 'status' })]);
			expect(theItem(await run(pair())).json).toMatchObject({ online: true, status });
			expect(paths()).toEqual(['status']);
		},
	);

	test('nobody is told to end a session that may be online', async () => {
		gateway.faults([
			saying({ status: 'GRAZING' }, { endpoint: 'status' }),
			{ endpoint: 'qr', status: 404, code: 'qr_not_available' },
		]);
		const { error } = await run(pair({ timeout: 1 }));
		expect(error?.description).toMatch(/^If GRAZING is your gateway's word for being online/);
		expect(error?.description).not.toContain('Terminate');
	});

	test('a code that has run out is made anew', async () => {
		gateway.faults([saying({ status: 'QR_EXPIRED' }, { endpoint: 'status', times: 1 })]);
		gateway.setStatus('DISCONNECTED');
		expect(theItem(await run(pair())).json.qr).toMatch(/^2@/);
		expect(paths()).toEqual(['status', 'refresh', 'status', 'qr']);
	});

	test('several items wait together: none ends what another has begun', async () => {
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
		expect(paths().filter((path) => path === 'terminate')).toHaveLength(1);
	});

	test('what a start is refused for is said', async () => {
		gateway.setStatus('DISCONNECTED');
		gateway.faults([{ endpoint: 'start', status: 402, code: 'insufficient_balance' }]);
		const { error } = await run(pair());
		expect(error?.message).toBe(
			"The account's balance is used up (402, insufficient_balance) [item 0]",
		);
		expect(paths()).toEqual(['status', 'start']);
	});

	test('no code in time: it says how long, the status, and what to do', async () => {
		gateway.setStatus('AWAITING_QR');
		gateway.faults([{ endpoint: 'qr', status: 404, code: 'qr_not_ready' }]);
		const { error } = await run(pair({ timeout: 1 }));
		expect(error?.message).toBe(
			'There was no QR code within 1 s: its last status is AWAITING_QR [item 0]',
		);
		expect(error?.description).toMatch(/^Try once more with a longer 'Timeout'/);
	});

	test('a picture in place of the text is put out as it is', async () => {
		gateway.setStatus('AWAITING_QR');
		const jpeg = Buffer.concat([
			Buffer.from('ffd8ffe000104a46494600010100', 'hex'),
			Buffer.alloc(64),
		]);
		gateway.faults([
			{ endpoint: 'qr', body: { contentType: 'image/jpeg', base64: jpeg.toString('base64') } },
		]);
		const item = theItem(await run(pair()));
		expect(item.json).toMatchObject({ online: false, qr: null });
		expect(item.binary!.data).toMatchObject({
			mimeType: 'image/jpeg',
			data: jpeg.toString('base64'),
		});
	});

	test('as a tool of an agent it does the same', async () => {
		gateway.setStatus('DISCONNECTED');
		const item = theItem(await run(pair({}, { asTool: true })));
		expect(item.json).toMatchObject({ online: false, status: 'AWAITING_QR' });
		expect(scanned(item)).toBe(item.json.qr);
	});
});

describe('Wait Until Online', () => {
	test('comes back when somebody has scanned, with what happened until then', async () => {
		gateway.setStatus('AWAITING_QR');
		const execution = start(wait());
		await until('it has looked twice', () => gateway.requests().length >= 2);
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

	test('another word for it can be entered, and more than one', async () => {
		gateway.faults([saying({ state: 'grazing' }, { endpoint: 'status' })]);
		const { json } = theItem(await run(wait({ onlineStatuses: 'ready, Grazing' })));
		expect(json).toMatchObject({ online: true, status: 'GRAZING' });
		const { error } = await run(wait({}, { timeout: 1 }));
		expect(error?.message).toMatch(/within 1 s: its last status is GRAZING/);
		expect(error?.description).toMatch(/'Online Statuses'/);
	});

	test('not in time: it stops, or puts out an item', async () => {
		gateway.setStatus('AWAITING_QR');
		const { error } = await run(wait({}, { timeout: 1 }));
		expect(error?.message).toBe(
			'The session did not come online within 1 s: its last status is AWAITING_QR [item 0]',
		);
		expect(error?.description).toMatch(/scan it with the phone/);
		const { json } = theItem(await run(wait({ onTimeout: 'item' }, { timeout: 1 })));
		expect(json).toEqual({
			online: false,
			status: 'AWAITING_QR',
			timedOut: true,
			history: [{ status: 'AWAITING_QR', at: ISO }],
		});
	});

	test('a gateway that is down in the end: it says so, or puts out an item', async () => {
		gateway.faults([{ status: 503 }]);
		const { error } = await run(wait({}, { timeout: 1 }));
		expect(error?.message).toBe('The gateway is in trouble of its own (503) [item 0]');
		const { json } = theItem(await run(wait({ onTimeout: 'item' }, { timeout: 1 })));
		const reason = 'The gateway is in trouble of its own (503)';
		expect(json).toEqual({ online: false, status: null, timedOut: true, history: [], reason });
	});

	test('without the option, what other gateways call it is online as well', async () => {
		gateway.faults([saying({ status: 'CONNECTED' }, { endpoint: 'status' })]);
		expect(theItem(await run(wait())).json).toMatchObject({ online: true, status: 'CONNECTED' });
	});

	test('a status that comes with a denial is a status', async () => {
		gateway.faults([saying({ success: false, status: 'DISCONNECTED' }, { times: 1 })]);
		const { history } = theItem(await run(wait())).json;
		expect(history).toMatchObject([{ status: 'DISCONNECTED' }, { status: 'ONLINE' }]);
	});

	test('time that is up during a slow answer is no fault of the gateway', async () => {
		gateway.setStatus('AWAITING_QR');
		gateway.faults([{ endpoint: 'status', latencyMs: 1_500 }]);
		const { error } = await run(wait({}, { timeout: 3 }));
		expect(error?.message).toMatch(/within 3 s: its last status is AWAITING_QR/);
	});

	test('a page that a proxy puts in place of a gateway that restarts is survived', async () => {
		const notFound = { contentType: 'text/plain', text: '404 page not found' };
		gateway.faults([
			saying({ status: 'AWAITING_QR' }, { times: 1 }),
			{ status: 404, body: notFound, times: 1 },
		]);
		expect(theItem(await run(wait())).json).toMatchObject({ online: true });
	});

	test('a first answer from a stranger is a wrong address', async () => {
		gateway.faults([{ status: 404, body: { contentType: 'text/plain', text: 'no such page' } }]);
		expect((await run(wait())).error?.message).toMatch(/knows nothing at this address/);
		expect(gateway.requests()).toHaveLength(1);
	});

	test.each<[string, Fault]>([
		['cut connections', { cut: 'before' }],
		['503', { status: 503 }],
		['a web page', { body: { contentType: 'text/html', text: '<html>Restarting</html>' } }],
		['JSON without a status', saying({ success: true })],
		['half an answer', { body: { contentType: 'application/json', text: '{"status":"ONL' } }],
	])('survives a gateway that restarts: %s', async (_what, fault) => {
		gateway.faults([{ times: 4, ...fault }]);
		expect(theItem(await run(wait())).json).toMatchObject({ online: true });
		expect(gateway.requests()).toHaveLength(5);
	});

	test('gives up on a gateway that does not come back', async () => {
		gateway.faults([{ status: 500 }]);
		const { error } = await run(wait({}, { timeout: 60 }));
		expect(error?.message).toBe('The gateway is in trouble of its own (500) [item 0]');
		expect(error?.description).toMatch(/It was tried 10 times\.$/);
		expect(gateway.requests()).toHaveLength(10);
	});

	test('goes on with an item where the gateway does not come back, if that is wanted', async () => {
		gateway.faults([{ status: 502 }]);
		const { json } = theItem(await run(wait({ onTimeout: 'item' }, { timeout: 60 })));
		expect(json).toMatchObject({
			timedOut: true,
			reason: expect.stringContaining('(502)') as string,
		});
		expect(gateway.requests()).toHaveLength(10);
	});

	test('heeds the Retry-After of a 503, too', async () => {
		gateway.faults([{ status: 503, retryAfter: 2, times: 1 }]);
		await run(wait());
		expect(gapsMs(gateway)[0]).toBeGreaterThanOrEqual(1_990);
	});

	test('heeds Retry-After, however often it comes', async () => {
		gateway.faults([{ status: 429, retryAfter: 1, times: 2 }]);
		expect(theItem(await run(wait())).json).toMatchObject({ online: true });
		for (const gap of gapsMs(gateway)) expect(gap).toBeGreaterThanOrEqual(990);
	});

	test.each(['AUTH_FAILURE', 'LOGGED_OUT'])(
		'stops at once where waiting is no use: %s',
		async (status) => {
			gateway.faults([saying({ status }, { endpoint: 'status' })]);
			const { error } = await run(wait({ onTimeout: 'item' }));
			expect(error?.message).toBe(`The phone has logged the session out (${status}) [item 0]`);
			expect(error?.description).toMatch(/Session > Terminate, then Session > Pair/);
			expect(gateway.requests()).toHaveLength(1);
		},
	);

	test('stops at once where the gateway would refuse again', async () => {
		gateway.faults([{ status: 401, code: 'token_expired' }]);
		const { error } = await run(wait());
		expect(error?.message).toBe('The token has run out (401, token_expired) [item 0]');
		expect(gateway.requests()).toHaveLength(1);
	});

	test('leaves by the Error Output where there is one', async () => {
		gateway.setStatus('AUTH_FAILURE');
		const settings = { onError: 'continueErrorOutput' } as const;
		const { items, errorItems } = await run(wait({}, {}, { settings }));
		expect(items).toEqual([]);
		expect(errorItems[0]?.json.error).toMatch(/^The phone has logged the session out/);
	});

	test.each([
		['between two looks', {}],
		['while the gateway is silent', { latencyMs: 60_000 }],
		['while the gateway wants to be left alone', { status: 429, retryAfter: 60 }],
	])('ends within a second when the execution is cancelled %s', async (_when, fault: Fault) => {
		gateway.setStatus('AWAITING_QR');
		if (Object.keys(fault).length > 0) gateway.faults([fault]);
		const execution = start(wait({}, { timeout: 60, pollInterval: 30 }));
		await until('it has looked', () => gateway.requests().length >= 1);
		execution.cancel();
		const { value, ms } = await timed(execution.outcome);
		expect(ms).toBeLessThan(1000);
		expect(value.run.status).toBe('canceled');
		const asked = gateway.requests().length;
		await quiet(700);
		expect(gateway.requests()).toHaveLength(asked);
	});

	test('asks less often the longer it takes, down to half as often', async () => {
		gateway.setStatus('AWAITING_QR');
		await run(wait({ onTimeout: 'item' }, { timeout: 9 }));
		const gaps = gapsMs(gateway);
		expect(gaps[0]).toBeGreaterThanOrEqual(490);
		expect(gaps.at(-1)).toBeGreaterThanOrEqual(850);
		expect(Math.max(...gaps)).toBeLessThan(1_900);
	});

	describe('with Return on New QR Code', () => {
		const first = { contentType: 'application/json', text: '{"qr":"2@first,a,b"}' };

		beforeEach(() => gateway.setStatus('AWAITING_QR'));

		test('comes back as soon as there is another code than the first one it saw', async () => {
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

		test('the code of the input item is the one that is known', async () => {
			const items = [{ json: { qr: '2@first,a,b' } }];
			const item = theItem(await run(wait({ returnOnNewQr: true }, {}, { items })));
			expect(item.json.qr).toMatch(/^2@/);
			expect(paths()).toEqual(['status', 'qr']);
		});

		test('the same code, or none for a while, is no reason to come back', async () => {
			const { qr } = theItem(await run(pair())).json;
			gateway.faults([{ endpoint: 'qr', times: 1, status: 404, code: 'qr_not_ready' }]);
			const options = { returnOnNewQr: true, onTimeout: 'item' };
			const item = theItem(await run(wait(options, { timeout: 2 }, { items: [{ json: { qr } }] })));
			expect(item.json).toMatchObject({ timedOut: true });
			expect(item.json).not.toHaveProperty('qr');
		});

		test('without it, the codes are nobody’s business', async () => {
			await run(wait({ onTimeout: 'item' }, { timeout: 1 }));
			expect(new Set(paths())).toEqual(new Set(['status']));
		});
	});

	test('as a tool of an agent it does the same', async () => {
		expect(theItem(await run(wait({}, {}, { asTool: true }))).json).toMatchObject({ online: true });
	});
});

test.each([
	[{ timeout: 'soon' }, "'Timeout (Seconds)' is not a number from 1 to 3600"],
	[{ timeout: -1 }, "'Timeout (Seconds)' is not a number from 1 to 3600"],
	[{ pollInterval: 0 }, "'Poll Interval (Seconds)' is not a number from 0.5 to 300"],
	[{ options: { onlineStatuses: ' , ' } }, "'Online Statuses' is empty"],
	[{ options: { onTimeout: 'panic' } }, "'On Timeout' is not one of its choices"],
	[{ options: { returnOnNewQr: 'yes' } }, "'Return on New QR Code' is not one of its choices"],
])('%j is refused before anything is asked', async (parameters, message) => {
	const { error } = await run(wait({}, parameters));
	expect(error?.message).toBe(`${message} [item 0]`);
	expect(gateway.requests()).toEqual([]);
});

test('items that want something else are looked after on their own', async () => {
	gateway.faults([saying({ status: 'GRAZING' }, { endpoint: 'status' })]);
	const options = { onlineStatuses: '={{ $json.word }}', onTimeout: 'item' };
	const items = [{ json: { word: 'GRAZING' } }, { json: { word: 'ONLINE' } }];
	const outcome = await run(wait(options, { timeout: 1 }, { items }));
	expect(outcome.items).toMatchObject([
		{ json: { online: true }, pairedItem: { item: 0 } },
		{ json: { online: false }, pairedItem: { item: 1 } },
	]);
});

test('fifty items ask no more often than one', async () => {
	gateway.setStatus('AWAITING_QR');
	const items = Array.from({ length: 50 }, () => ({ json: {} }));
	await run(wait({ onTimeout: 'item' }, { timeout: 1 }, { items }));
	expect(paths().length).toBeLessThanOrEqual(3);
});

test.each([
	['pair', 'STARTING'],
	['waitUntilOnline', 'STARTING'],
	['waitUntilOnline', 'DISCONNECTED'],
] as const)(
	'%s while it is %s: a code that is refused for now is none yet',
	async (operation, status) => {
		const refusal = { status: 409, code: 'session_starting', message: 'Come back soon' };
		gateway.faults([
			saying({ status }, { endpoint: 'status', times: 2 }),
			{ endpoint: 'qr', ...refusal, times: 2 },
		]);
		const options = { returnOnNewQr: true };
		expect((await run(session(operation, { timeout: 10, options }))).error).toBeUndefined();
	},
);

test('a run that comes again waits anew', async () => {
	const outcome = await run(wait({}, {}, { passes: 2 }));
	expect(outcome.error).toBeUndefined();
	expect(paths()).toEqual(['status', 'status']);
});
