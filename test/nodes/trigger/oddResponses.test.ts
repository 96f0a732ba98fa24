import { post, textTo } from '../../harness/client';
import { json, Polling } from '../../harness/polling';
import { useNewGateways } from '../../harness/sandboxAccount';

const gateway = useNewGateways();

const says = (text: string, contentType = 'application/json') => ({ body: { contentType, text } });
/** A missing delivery counts as settled after a second poll. */
const reported = async (trigger: Polling) => [
	...json(await trigger.poll()),
	...json(await trigger.poll()),
];

describe('a response without a status is not a status change', () => {
	test.each([
		['a health check', 'application/json', '{"status":"UP"}'],
		['the name of a session', 'application/json', '{"success":true,"session":"my-session-1"}'],
		['text of a proxy', 'text/plain', 'Maintenance'],
	])('%s', async (_what, contentType, text) => {
		const trigger = new Polling(gateway.account, { event: 'statusChanged' });
		await trigger.start();
		gateway.faults([says(text, contentType)]);
		expect(await reported(trigger)).toEqual([]);
	});
});

test.each([
	'{"status":"error","message":"No database"}',
	'{"status":"fail","data":{"reason":"x"}}',
])('the error %s fails the poll', async (text) => {
	const trigger = new Polling(gateway.account, { event: 'statusChanged' });
	await trigger.start();
	gateway.faults([says(text)]);
	await expect(trigger.poll()).rejects.toThrow('The gateway rejected the request');
});

describe('a response without a list of deliveries settles none', () => {
	test.each([
		['no messages', '{"success":true,"messages":[]}'],
		['messages for the user', '{"success":true,"messages":["The gateway restarts"]}'],
		['a list of something else', '{"success":true,"services":[{"id":"database","up":false}]}'],
		['warnings', '{"success":true,"warnings":[{"id":7,"text":"slow"}]}'],
	])('%s', async (_what, text) => {
		const trigger = new Polling(gateway.account, { event: 'deferredSettled' });
		gateway.faults([says('{"deferred":[{"deliveryKey":"a"}]}')]);
		await trigger.start();
		gateway.faults([says(text)]);
		expect(await reported(trigger)).toEqual([]);
	});
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

test('a page of a longer list settles nothing on the next page', async () => {
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
	// Newest first, two per page.
	gateway.faults([page(['c', 'b'], 3)]);
	expect(await reported(trigger)).toEqual([]);
});

test.each<[string, object, object?]>([
	['totalPages', { totalPages: 2 }],
	['last_page', { meta: { last_page: 2 } }],
	['links.next', { links: { next: '/deferred?page=2' } }],
	['nextPageToken', { nextPageToken: 'x' }],
	['pageInfo.hasNextPage', { pageInfo: { hasNextPage: true } }],
	['totalItems', { totalItems: 2 }],
	['total_results', { total_results: 2 }],
	['Link', {}, { headers: { Link: '</deferred?page=2>; rel="next"' } }],
	['X-Total-Count', {}, { headers: { 'X-Total-Count': '2' } }],
	['Content-Range', {}, { headers: { 'Content-Range': 'items 0-0/2' } }],
	['206', {}, { status: 206 }],
])('a page with %s settles nothing on the next page', async (_hint, fields, rest = {}) => {
	const trigger = new Polling(gateway.account, { event: 'deferredSettled' });
	gateway.faults([says('{"deferred":[{"deliveryKey":"b"},{"deliveryKey":"a"}]}')]);
	await trigger.start();
	gateway.faults([
		{ ...says(JSON.stringify({ deferred: [{ deliveryKey: 'b' }], ...fields })), ...rest },
	]);
	expect(await reported(trigger)).toEqual([]);
});

test('reads the status of a response with success: false', async () => {
	const trigger = new Polling(gateway.account, { event: 'statusChanged' });
	await trigger.start();
	gateway.faults([says('{"success":false,"status":"DISCONNECTED","message":"not connected"}')]);
	expect(await reported(trigger)).toMatchObject([{ status: 'DISCONNECTED' }]);
});

test('a session with another known online status is not offline', async () => {
	const trigger = new Polling(gateway.account, { event: 'sessionOffline', minutes: 1 });
	gateway.faults([says('{"status":"CONNECTED"}')]);
	const now = Date.now();
	await trigger.start();
	const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 120_000);
	try {
		expect(await reported(trigger)).toEqual([]);
	} finally {
		clock.mockRestore();
	}
});

test('throws if the list is too large to be read', async () => {
	const trigger = new Polling(gateway.account, { event: 'deferredAdded' });
	await trigger.start();
	await post(gateway.account, 'sendMessage', textTo('4915123456789'));
	const file = 'A'.repeat(17 * 1024 * 1024);
	gateway.faults([says(JSON.stringify([{ deliveryKey: 'a', media: { base64: file } }]))]);
	await expect(trigger.poll()).rejects.toMatchObject({ message: /too large/ });
});
