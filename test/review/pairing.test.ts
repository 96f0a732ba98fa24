import type { Fault } from '../../sandbox/sandbox';
import { call } from '../../nodes/MessagingGateway/call';
import { qrPicture } from '../../gateway/qrPicture';
import { run, type RunOptions } from '../engine';
import { useNewGateways } from '../sandboxAccount';

const gateway = useNewGateways({ qrLifetimeMs: 3_600_000 });

const session = (
	operation: 'pair' | 'waitUntilOnline',
	parameters: RunOptions['parameters'] = {},
	more: Partial<RunOptions> = {},
): RunOptions => ({
	account: gateway.account,
	parameters: { resource: 'session', operation, pollInterval: 0.5, timeout: 3, ...parameters },
	...more,
});
const paths = () => gateway.requests().map(({ url }) => url.split('/').slice(4).join('/'));
const saying = (data: unknown, rest: Fault = {}): Fault => ({
	body: { contentType: 'application/json', text: JSON.stringify(data) },
	...rest,
});

test.failing(
	'a session that is online by a word that Pair does not know is not started',
	async () => {
		// WAHA: WORKING. Evolution: open.
		gateway.faults([
			saying({ status: 'WORKING' }, { endpoint: 'status' }),
			{ endpoint: 'qr', status: 404, code: 'qr_not_available', message: 'There is no QR code' },
		]);
		await run(session('pair'));
		expect(paths()).not.toContain('start');
	},
);

test.failing('nobody is told to end a session that may be online', async () => {
	gateway.faults([
		saying({ status: 'WORKING' }, { endpoint: 'status' }),
		{ endpoint: 'qr', status: 404, code: 'qr_not_available', message: 'There is no QR code' },
		{ endpoint: 'start', status: 409, code: 'session_already_started' },
	]);
	const { error } = await run(session('pair'));
	expect(error?.description).not.toContain('Terminate');
});

test.failing('a code that has run out is made anew', async () => {
	gateway.faults([
		saying({ status: 'QR_EXPIRED' }, { endpoint: 'status' }),
		{ endpoint: 'qr', status: 404, code: 'qr_expired', message: 'The QR code has expired' },
	]);
	await run(session('pair'));
	expect(paths().some((path) => ['start', 'refresh'].includes(path))).toBe(true);
});

test.failing('Pair for two items: the second does not end what the first has begun', async () => {
	gateway.setStatus('AUTH_FAILURE');
	gateway.faults([
		saying({ success: true }, { endpoint: 'start', times: 2 }),
		{ endpoint: 'qr', status: 409, code: 'auth_failure', times: 2 },
	]);
	const { items } = await run(
		session('pair', { timeout: 10 }, { items: [{ json: {} }, { json: {} }] }),
	);
	expect(items).toHaveLength(2);
	expect(paths().filter((path) => path === 'terminate')).toHaveLength(1);
});

test.failing.each(['pair', 'waitUntilOnline'] as const)(
	'%s: a status that comes with a denial is a status',
	async (operation) => {
		gateway.setStatus('DISCONNECTED');
		gateway.faults([
			saying(
				{ success: false, status: 'DISCONNECTED', message: 'session_not_connected' },
				{ endpoint: 'status', times: 1 },
			),
		]);
		if (operation === 'waitUntilOnline') gateway.setStatus('ONLINE');
		expect((await run(session(operation))).error).toBeUndefined();
	},
);

test.failing('time is up during a slow answer: what was waited for is said', async () => {
	gateway.setStatus('AWAITING_QR');
	gateway.faults([{ endpoint: 'status', latencyMs: 1_500 }]);
	const { error } = await run(session('waitUntilOnline'));
	expect(error?.message).toContain('AWAITING_QR');
});

test.failing(
	'a reverse proxy that answers 404 while the gateway restarts is survived',
	async () => {
		gateway.faults([
			saying({ status: 'AWAITING_QR' }, { endpoint: 'status', times: 1 }),
			{ status: 404, body: { contentType: 'text/plain', text: '404 page not found\n' }, times: 1 },
		]);
		expect((await run(session('waitUntilOnline'))).error).toBeUndefined();
	},
);

test.failing('503 with Retry-After is heeded', async () => {
	gateway.faults([{ endpoint: 'status', status: 503, retryAfter: 2, times: 1 }]);
	await run(session('waitUntilOnline'));
	const [first, second] = gateway.requests().map(({ receivedAt }) => Date.parse(receivedAt));
	expect(second! - first!).toBeGreaterThan(1_900);
});

test.failing('nothing is sent for an execution that was cancelled before', async () => {
	let sent: AbortSignal | undefined;
	const context = {
		getExecutionCancelSignal: () => AbortSignal.abort(),
		helpers: {
			httpRequestWithAuthentication: async (
				_name: string,
				request: { abortSignal: AbortSignal },
			) => {
				sent = request.abortSignal;
				return { statusCode: 200, headers: {}, body: [] };
			},
		},
	};
	await call(context as never, { url: 'http://127.0.0.1:1/' }, (value) => value).catch(() => {});
	expect(sent === undefined || sent.aborted).toBe(true);
});

test.failing.each([
	['pair', 'STARTING'],
	['waitUntilOnline', 'STARTING'],
	['waitUntilOnline', 'DISCONNECTED'],
] as const)(
	'%s while it is %s: the code is refused for now, in whatever words',
	async (operation, status) => {
		gateway.faults([
			saying({ status }, { endpoint: 'status', times: 2 }),
			{
				endpoint: 'qr',
				status: 409,
				code: 'session_starting',
				message: 'Come back soon',
				times: 2,
			},
		]);
		expect(
			(await run(session(operation, { options: { returnOnNewQr: true } }))).error,
		).toBeUndefined();
	},
);

test.failing('Retry-After of more than a minute is heeded', async () => {
	const wait = jest.requireActual<typeof import('../../nodes/MessagingGateway/sending/brake')>(
		'../../nodes/MessagingGateway/sending/brake',
	);
	const { baseUrl, token } = gateway.account;
	gateway.faults([{ endpoint: 'status', status: 429, retryAfter: 600, times: 1 }]);
	await run(session('waitUntilOnline', { timeout: 1 }));
	const now = performance.now();
	const clock = jest.spyOn(performance, 'now').mockReturnValue(now + 120_000);
	try {
		expect(wait.brakeOf(`${token}@${baseUrl}`).isHeld).toBe(true);
	} finally {
		clock.mockRestore();
	}
});

test.failing(
	'a gateway that gives only pictures: the code that Pair has shown is known to Wait',
	async () => {
		const showing = (code: string) =>
			saying(
				{ qr: `data:image/png;base64,${qrPicture(code, 'png').bytes.toString('base64')}` },
				{ endpoint: 'qr' },
			);
		gateway.setStatus('AWAITING_QR');
		gateway.faults([showing('2@first')]);
		const { items } = await run(session('pair'));
		expect(items[0]!.binary).toBeDefined();
		gateway.faults([showing('2@second')]);
		const waited = await run(
			session(
				'waitUntilOnline',
				{ options: { returnOnNewQr: true, onTimeout: 'item' } },
				{ items },
			),
		);
		expect(waited.items[0]!.json.timedOut).toBe(false);
	},
);

test.failing('an item for a wait that saw nothing says why', async () => {
	gateway.faults([{ status: 502 }]);
	const { items } = await run(session('waitUntilOnline', { options: { onTimeout: 'item' } }));
	expect(JSON.stringify(items[0]!.json)).toContain('502');
});

test.failing('On Timeout = item also where the gateway does not come back', async () => {
	gateway.faults([{ status: 502 }]);
	const { error } = await run(
		session('waitUntilOnline', { timeout: 15, options: { onTimeout: 'item' } }),
	);
	expect(error).toBeUndefined();
});

test.failing(
	'Wait for many items asks for the status of the one session once at a time',
	async () => {
		gateway.setStatus('AWAITING_QR');
		const items = Array.from({ length: 50 }, () => ({ json: {} }));
		await run(
			session('waitUntilOnline', { timeout: 1, options: { onTimeout: 'item' } }, { items }),
		);
		expect(paths().length).toBeLessThan(10);
	},
);
