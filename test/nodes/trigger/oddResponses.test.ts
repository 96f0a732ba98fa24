import { json, Polling } from '../../harness/polling';
import { useNewGateways } from '../../harness/sandboxAccount';

const gateway = useNewGateways();

const says = (text: string) => ({ body: { contentType: 'application/json', text } });
/** A missing delivery counts as settled after a second poll. */
const reported = async (trigger: Polling) => [
	...json(await trigger.poll()),
	...json(await trigger.poll()),
];

// test/gateway/replies/ has more responses without a status or a list.
test.each([
	['statusChanged', '{"status":"UP"}'],
	['deferredSettled', '{"success":true,"services":[{"id":"database","up":false}]}'],
])('%s reports nothing for the response %s', async (event, text) => {
	const trigger = new Polling(gateway.account, { event });
	if (event === 'deferredSettled') gateway.faults([says('{"deferred":[{"deliveryKey":"a"}]}')]);
	await trigger.start();
	gateway.faults([says(text)]);
	expect(await reported(trigger)).toEqual([]);
});

test('an error with status 200 fails the poll', async () => {
	const trigger = new Polling(gateway.account, { event: 'statusChanged' });
	await trigger.start();
	gateway.faults([says('{"status":"error","message":"No database"}')]);
	await expect(trigger.poll()).rejects.toThrow('The gateway rejected the request');
});

test('an error response with a status is not an empty list of deliveries', async () => {
	const trigger = new Polling(gateway.account, { event: 'deferredSettled' });
	gateway.faults([says('{"deferred":[{"deliveryKey":"a"}]}')]);
	await trigger.start();
	const text = '{"error":"session_not_online","status":"DISCONNECTED","data":[]}';
	gateway.faults([{ status: 409, ...says(text) }]);
	await expect(trigger.poll()).rejects.toMatchObject({
		message: 'The session is not online (409, session_not_online)',
	});
	gateway.faults([says('{"deferred":[]}')]);
	expect(await reported(trigger)).toMatchObject([{ deliveryKey: 'a' }]);
});

test('a page that announces another one settles nothing on that', async () => {
	const trigger = new Polling(gateway.account, { event: 'deferredSettled' });
	gateway.faults([says('{"deferred":[{"deliveryKey":"b"},{"deliveryKey":"a"}]}')]);
	await trigger.start();
	gateway.faults([says('{"deferred":[{"deliveryKey":"b"}],"hasMore":true}')]);
	expect(await reported(trigger)).toEqual([]);
});

test('throws if the list is too large to be read', async () => {
	const trigger = new Polling(gateway.account, { event: 'deferredAdded' });
	await trigger.start();
	const file = 'A'.repeat(17 * 1024 * 1024);
	gateway.faults([says(JSON.stringify([{ deliveryKey: 'a', media: { base64: file } }]))]);
	await expect(trigger.poll()).rejects.toMatchObject({ message: /too large/ });
});
