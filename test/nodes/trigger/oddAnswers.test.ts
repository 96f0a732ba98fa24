import { post, textTo } from '../../sandbox/client';
import { json, Polling } from './polling';
import { useNewGateways } from '../../sandboxAccount';

const gateway = useNewGateways();

const says = (text: string, contentType = 'application/json') => ({ body: { contentType, text } });
const told = async (trigger: Polling) => json(await trigger.poll());

describe('an answer that is none is not a change of the status', () => {
	test.each([
		['JSend: error', 'application/json', '{"status":"error","message":"No database"}'],
		['JSend: fail', 'application/json', '{"status":"fail","data":{"reason":"restarting"}}'],
		['a health check', 'application/json', '{"status":"UP"}'],
		['a name of the session', 'application/json', '{"success":true,"session":"my-session-1"}'],
		['text of a proxy', 'text/plain', 'Maintenance'],
	])('%s', async (_what, contentType, text) => {
		const trigger = new Polling(gateway.account, { event: 'statusChanged' });
		await trigger.start();
		gateway.faults([says(text, contentType)]);
		expect(await told(trigger)).toEqual([]);
	});
});

describe('an answer that is no list of deliveries settles none', () => {
	test.each([
		['no messages', '{"success":true,"messages":[]}'],
		['messages for people', '{"success":true,"messages":["The gateway restarts"]}'],
		['a list of something else', '{"success":true,"services":[{"id":"database","up":false}]}'],
		['warnings', '{"success":true,"warnings":[{"id":7,"text":"slow"}]}'],
	])('%s', async (_what, text) => {
		const trigger = new Polling(gateway.account, { event: 'deferredSettled' });
		gateway.faults([says('{"deferred":[{"deliveryKey":"a"}]}')]);
		await trigger.start();
		gateway.faults([says(text)]);
		expect(await told(trigger)).toEqual([]);
	});
});

test('a page of a longer list settles nothing that stands on the next page', async () => {
	const trigger = new Polling(gateway.account, { event: 'deferredSettled' });
	const page = (keys: string[], total: number) =>
		says(
			JSON.stringify({
				deferred: keys.map((deliveryKey) => ({ deliveryKey })),
				total,
				hasMore: total > keys.length,
			}),
		);
	gateway.faults([page(['b', 'a'], 2)]);
	await trigger.start();
	// The newest first, two to a page.
	gateway.faults([page(['c', 'b'], 3)]);
	expect(await told(trigger)).toEqual([]);
});

test('a status that comes with a denial is a status', async () => {
	const trigger = new Polling(gateway.account, { event: 'statusChanged' });
	await trigger.start();
	gateway.faults([says('{"success":false,"status":"DISCONNECTED","message":"not connected"}')]);
	expect(await told(trigger)).toMatchObject([{ status: 'DISCONNECTED' }]);
});

test('a session that is online by another word of the table is not offline', async () => {
	const trigger = new Polling(gateway.account, { event: 'offlineFor', minutes: 1 });
	gateway.faults([says('{"status":"CONNECTED"}')]);
	const now = Date.now();
	await trigger.start();
	const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 120_000);
	try {
		expect(await told(trigger)).toEqual([]);
	} finally {
		clock.mockRestore();
	}
});

test('what is too large to be read, for as long as it waits, is told to a person', async () => {
	const trigger = new Polling(gateway.account, { event: 'deferredAdded' });
	await trigger.start();
	await post(gateway.account, 'sendMessage', textTo('4915123456789'));
	const file = 'A'.repeat(17 * 1024 * 1024);
	gateway.faults([says(JSON.stringify([{ deliveryKey: 'a', media: { base64: file } }]))]);
	await expect(trigger.poll()).rejects.toMatchObject({ message: /too large/ });
});
