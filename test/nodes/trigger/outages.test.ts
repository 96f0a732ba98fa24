import type { Fault } from '../../../dev/sandbox/sandbox';
import { useNewGateways } from '../../harness/sandboxAccount';
import { Polling, QUIET_RUN } from '../../harness/polling';

const gateway = useNewGateways({ token: 'tok/en+Geheim 123', secret: 'sEcReT-do-not-tell' });

const EVENTS = ['statusChanged', 'sessionOffline', 'deferredAdded', 'deferredSettled'];

const polling = (event: string) => new Polling(gateway.account, { event });

const body = (text: string, contentType = 'application/json') => ({ body: { contentType, text } });

test('immediately saves a baseline that is set after the start of n8n', async () => {
	const trigger = polling('deferredSettled');
	gateway.faults([{ status: 503 }]);
	expect(await trigger.start('init')).toBeNull();
	expect(await trigger.poll()).toBeNull();
	gateway.clearFaults();
	expect(await trigger.poll()).toEqual(QUIET_RUN);
	expect(trigger.saved).toBe(trigger.remembered);
	expect(await trigger.poll()).toBeNull();
});

test('a trigger without a baseline is not published if nothing responds, but waits if n8n starts it', async () => {
	const nowhere = () =>
		new Polling({ ...gateway.account, baseUrl: 'http://127.0.0.1:1' }, { event: 'sessionOffline' });
	const refused = "The connection to the gateway's address was refused";
	for (const activation of ['create', 'update', 'activate'] as const)
		await expect(nowhere().start(activation)).rejects.toThrow(refused);
	for (const activation of ['init', 'leadershipChange'] as const) {
		const trigger = nowhere();
		expect(await trigger.start(activation)).toBeNull();
		expect(await trigger.poll()).toBeNull();
		expect(trigger.warnings).toHaveLength(2);
	}
});

test.each<[Fault, string]>([
	[{ status: 401, code: 'invalid_token' }, 'The gateway does not know the token'],
	[{ status: 307, headers: { location: 'http://127.0.0.1:1/' } }, 'The gateway redirected the'],
	[body('{"status":"error","message":"No database"}'), 'The gateway rejected the request (200)'],
])('throws an error that the user has to fix: %j', async (fault, words) => {
	const message = expect.stringContaining(words) as string;
	const thrown = { name: 'NodeApiError', message, httpCode: String(fault.status ?? 200) };
	for (const event of EVENTS) {
		const trigger = polling(event);
		await trigger.start();
		const before = trigger.remembered;
		gateway.faults([fault]);
		await expect(trigger.start()).rejects.toMatchObject(thrown);
		await expect(trigger.poll()).rejects.toMatchObject(thrown);
		await expect(trigger.fetchTestEvent()).rejects.toMatchObject(thrown);
		expect(trigger.remembered).toBe(before);
		gateway.clearFaults();
	}
});

test('Fetch test event reports why the poll failed', async () => {
	const trigger = polling('deferredAdded');
	gateway.faults([{ status: 500 }]);
	const rejected = 'The gateway could not process the request (500)';
	await expect(trigger.fetchTestEvent()).rejects.toThrow(rejected);
	gateway.faults([body('')]);
	const unreadable = 'The response of the gateway contains no complete list';
	await expect(trigger.fetchTestEvent()).rejects.toThrow(unreadable);
});

test('leaks neither token nor secret in events, errors, logs and state', async () => {
	const { token, secret } = gateway;
	const echo = JSON.stringify({
		deliveryKey: `key-${token}`,
		status: 'ONLINE',
		text: `${gateway.baseUrl}/api/whatsapp/${encodeURIComponent(token)}/x`,
		[token]: secret,
	});
	const faults: Fault[] = [
		...[body(echo), body('{"deferred":[]}'), body(`<a href="${token}">`, 'text/html')],
		{ status: 404, ...body(`{"message":"Cannot GET ${token}"}`) },
		{ status: 500, ...body(`{"error":"${secret}"}`) },
	];
	const all: string[] = [];
	for (const event of EVENTS) {
		const trigger = polling(event);
		const record = async (polled: Promise<unknown>) => {
			const end = await polled.catch((thrown: Error) =>
				Object.getOwnPropertyNames(thrown).map((name) => thrown[name as 'name']),
			);
			all.push(JSON.stringify([end, trigger.remembered, trigger.saved, trigger.warnings]));
		};
		await record(trigger.start());
		for (const fault of faults) {
			gateway.faults([fault]);
			await record(trigger.poll());
			await record(trigger.fetchTestEvent());
		}
		gateway.clearFaults();
	}
	expect(all.join()).toContain('deliveryKey');
	for (const hidden of [token, encodeURIComponent(token), 'Geheim', secret]) {
		expect(all.join()).not.toContain(hidden);
	}
});
