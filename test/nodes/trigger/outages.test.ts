import type { Fault } from '../../../sandbox/sandbox';
import { useNewGateways } from '../../sandboxAccount';
import { post, textTo } from '../../sandbox/client';
import { json, Polling, QUIET_RUN, useWallClock } from './polling';

const gateway = useNewGateways({ token: 'tok/en+Geheim 123', secret: 'sEcReT-do-not-tell' });
const clock = useWallClock();

const EVENTS = ['statusChanged', 'offlineFor', 'deferredAdded', 'deferredSettled'];

const polling = (event: string) => new Polling(gateway.account, { event });

/** Something that each of the four tells of, sooner or later. */
async function makeNews() {
	gateway.setStatus('DISCONNECTED');
	await post(gateway.account, 'sendMessage', { ...textTo('4915123456789'), windowMs: 6e7 });
}

/** What is told of that, each event in its own time. */
async function toldOfTheNews(trigger: Polling) {
	const atOnce = json(await trigger.poll());
	clock.pass(15);
	const later = json(await trigger.poll());
	gateway.setStatus('ONLINE');
	const atTheEnd = json(await trigger.poll());
	return [...atOnce, ...later, ...atTheEnd].filter(({ status }) => status !== 'ONLINE');
}

const body = (text: string, contentType = 'application/json') => ({ body: { contentType, text } });

const outages: Array<[string, Fault]> = [
	['the connection is cut', { cut: 'before' }],
	['it answers 500', { status: 500 }],
	['it answers 503', { status: 503, code: 'maintenance' }],
	['it asks for a slower pace', { status: 429, retryAfter: '0.005' }],
	['it answers with nothing', body('')],
	['it answers with a web page', body('<!doctype html><p>ONLINE</p>', 'text/html')],
	['it answers with JSON of something else', body('{"success":true,"message":"starting"}')],
	['it answers with half of its answer', body('{"status":"DISC')],
	['it answers with half a list', body('{"deferred":[{"deliveryKey":"a"},{"deliv')],
	['it answers with a list of who knows what', body('{"deferred":[{"deliveryKey":"a"},{}]}')],
	['it answers with null', body('{"data":null}')],
];

describe.each(outages)('when %s', (_how, fault) => {
	test.each(EVENTS)('%s takes nothing for changed, and loses nothing', async (event) => {
		const trigger = polling(event);
		await trigger.start();
		const before = trigger.remembered;
		await makeNews();
		for (const poll of [() => trigger.poll(), () => trigger.start()]) {
			gateway.faults([fault]);
			expect(await poll()).toBeNull();
		}
		expect(trigger.remembered).toBe(before);
		expect(trigger.warnings).toHaveLength(2);
		gateway.clearFaults();
		expect(await toldOfTheNews(trigger)).toMatchObject([{ event }]);
	});
});

test('nobody at the address at all is an outage, and is told in the log', async () => {
	const trigger = polling('statusChanged');
	await trigger.start();
	await gateway.close();
	expect(await trigger.poll()).toBeNull();
	expect(trigger.warnings).toEqual([
		JSON.stringify([
			'Messaging Gateway Trigger: Nothing answers at the address of the gateway. This is no event.',
			{ nodeName: 'Messaging Gateway Trigger', workflowId: 'workflow' },
		]),
	]);
});

test.each(EVENTS)(
	'%s: a baseline that comes after the start of n8n is saved at once',
	async (event) => {
		const trigger = polling(event);
		gateway.faults([{ status: 503 }]);
		expect(await trigger.start('init')).toBeNull();
		expect(await trigger.poll()).toBeNull();
		gateway.clearFaults();
		await post(gateway.account, 'sendMessage', textTo('4915123456789'));
		expect(await trigger.poll()).toEqual(QUIET_RUN);
		expect(trigger.saved).toBe(trigger.remembered);
		expect(await trigger.poll()).toBeNull();
	},
);

describe('a trigger that has never seen anything', () => {
	const nowhere = () =>
		new Polling({ ...gateway.account, baseUrl: 'http://127.0.0.1:1' }, { event: 'offlineFor' });

	test.each(['create', 'update', 'activate'] as const)(
		'is not published in silence where nobody answers (%s)',
		async (activation) => {
			await expect(nowhere().start(activation)).rejects.toMatchObject({
				message: 'Nothing answers at the address of the gateway',
			});
		},
	);

	test.each(['init', 'leadershipChange'] as const)(
		'waits for the gateway where n8n starts it (%s)',
		async (activation) => {
			const trigger = nowhere();
			expect(await trigger.start(activation)).toBeNull();
			expect(await trigger.poll()).toBeNull();
			expect(trigger.warnings).toHaveLength(2);
		},
	);
});

describe('what does not pass by itself is thrown, so that a person sees it', () => {
	const refusals: Array<[string, Fault, { message: string; httpCode?: string }]> = [
		[
			'an unknown token',
			{ status: 401, code: 'invalid_token' },
			{ message: 'The gateway does not know the token (401, invalid_token)', httpCode: '401' },
		],
		[
			'an unknown address',
			{ status: 404 },
			{ message: 'The gateway knows nothing at this address (404)', httpCode: '404' },
		],
		[
			'a redirect',
			{ status: 307, headers: { location: 'http://127.0.0.1:1/' } },
			{
				message:
					'The gateway sent the request on to another address, and it was not followed (307)',
				httpCode: '307',
			},
		],
	];

	test.each(refusals)('%s', async (_what, fault, expected) => {
		for (const event of EVENTS) {
			const trigger = polling(event);
			await trigger.start();
			const before = trigger.remembered;
			gateway.faults([fault]);
			for (const poll of [() => trigger.start(), () => trigger.poll()]) {
				await expect(poll()).rejects.toMatchObject({ name: 'NodeApiError', ...expected });
			}
			await expect(trigger.fetchTestEvent()).rejects.toMatchObject(expected);
			expect(trigger.remembered).toBe(before);
			gateway.clearFaults();
		}
	});

	test('a credential that is not filled in', async () => {
		const trigger = polling('statusChanged');
		trigger.account = { ...gateway.account, baseUrl: '' };
		await expect(trigger.start()).rejects.toMatchObject({
			name: 'NodeOperationError',
			message: "'Base URL' of the credential is empty",
			description: expect.stringContaining('e.g. https://'),
		});
	});
});

test('Fetch test event explains why the gateway cannot be asked', async () => {
	const trigger = polling('deferredAdded');
	gateway.faults([{ status: 500 }]);
	await expect(trigger.fetchTestEvent()).rejects.toMatchObject({
		message: 'The gateway is in trouble of its own (500)',
	});
	gateway.faults([body('')]);
	await expect(trigger.fetchTestEvent()).rejects.toMatchObject({
		message: 'The answer of the gateway holds no whole list of deferred deliveries',
		description: expect.stringContaining("check 'Base URL' of the credential") as string,
	});
});

describe('a look has an end', () => {
	afterEach(() => jest.restoreAllMocks());

	test('where the gateway does not answer', async () => {
		const trigger = polling('statusChanged');
		await trigger.start();
		const timeout = AbortSignal.timeout.bind(AbortSignal);
		const end = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(200));
		gateway.faults([{ latencyMs: 20_000 }]);
		expect(await trigger.poll()).toBeNull();
		const [ms] = end.mock.calls[0]!;
		expect(ms).toBeGreaterThan(14_000);
		expect(ms).toBeLessThanOrEqual(15_000);
		expect(trigger.warnings[0]).toContain('did not answer, within 15 s');
		await expect(trigger.fetchTestEvent()).rejects.toMatchObject({
			message: 'The gateway could not be asked, or did not answer, within 15 s',
		});
	});

	test('where the gateway asked for a longer pause', async () => {
		const trigger = polling('statusChanged');
		await trigger.start();
		gateway.faults([{ status: 429, retryAfter: 50, times: 1 }]);
		expect(await trigger.poll()).toBeNull();
		gateway.clearRequests();
		const realNow = performance.now.bind(performance);
		let ahead = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => realNow() + ahead);
		const polled = trigger.poll();
		await pause(100);
		ahead = 14_000;
		expect(await Promise.race([polled, pause(600)])).toBe('still waiting');
		ahead = 15_000;
		expect(await polled).toBeNull();
		expect(gateway.requests()).toEqual([]);
		expect(trigger.warnings).toHaveLength(2);
	});

	test('what the brake has taken of the time is not left for the answer', async () => {
		const trigger = polling('statusChanged');
		gateway.faults([{ status: 429, retryAfter: 1, times: 1 }]);
		await trigger.start('init');
		const end = jest.spyOn(AbortSignal, 'timeout');
		await trigger.poll();
		expect(end.mock.calls[0]![0]).toBeLessThan(14_200);
	});
});

const pause = async (ms: number) =>
	await new Promise((resolve) => setTimeout(resolve, ms, 'still waiting'));

test('neither token nor secret is in what is told, thrown, logged or remembered', async () => {
	const { token, secret } = gateway;
	const echo = JSON.stringify({
		deliveryKey: `key-${token}`,
		status: 'ONLINE',
		text: `${gateway.baseUrl}/api/whatsapp/${encodeURIComponent(token)}/x`,
		[token]: secret,
	});
	const all: string[] = [];
	for (const event of EVENTS) {
		const trigger = polling(event);
		const heard = async (polled: Promise<unknown>) => {
			const end: unknown = await polled.catch((thrown: unknown) => ({
				thrown: Object.getOwnPropertyNames(thrown).map(
					(name) => (thrown as Record<string, unknown>)[name],
				),
			}));
			all.push(JSON.stringify([end, trigger.remembered, trigger.saved, trigger.warnings]));
		};
		await heard(trigger.start());
		for (const fault of [
			body(echo),
			body('{"deferred":[]}'),
			body(`<a href="${token}">`, 'text/html'),
			{ status: 404, ...body(`{"message":"Cannot GET ${token}"}`) },
			{ status: 500, ...body(`{"error":"${secret}"}`) },
			{ cut: 'before' },
		] satisfies Fault[]) {
			gateway.faults([fault]);
			await heard(trigger.poll());
			await heard(trigger.fetchTestEvent());
		}
		gateway.clearFaults();
	}
	expect(all.join()).toContain('deliveryKey');
	for (const hidden of [token, encodeURIComponent(token), 'Geheim', secret]) {
		expect(all.join()).not.toContain(hidden);
	}
});
