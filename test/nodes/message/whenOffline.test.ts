import type { Fault } from '../../../dev/sandbox/sandbox';
import { type Account, run } from '../../harness/engine';
import { ITEM } from '../../harness/operations';
import { type Gateway, useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import {
	messages,
	pairs,
	receivedAt,
	type Sending,
	sending,
	textsDelivered,
	timed,
	whenOffline,
} from '../../harness/messages';

useVirtualTime();
const [gateway, other] = [useNewGateways(), useNewGateways()];

/** Method and last part of the path of each request. pair.test.ts has the polls. */
const requestsTo = (to: Gateway) =>
	to.requests().map(({ method, url }) => `${method} ${url.split('/').at(-1)}`);

const later = (ms: number, change: () => void) => setTimeout(change, ms);

const sent = (options: Record<string, unknown>, more: Sending = {}) =>
	run(sending(gateway, { options, ...more }));

test('Send sends without a status request', async () => {
	await sent(whenOffline('send', { onlineTimeout: 5 }));
	expect(requestsTo(gateway)).toEqual(['POST sendMessage']);
});

test('Send Media sends nothing either, and explains how to leave the status', async () => {
	gateway.setStatus('AUTH_FAILURE');
	const items = [{ ...ITEM, ...messages(1)[0]! }];
	const { error } = await sent(whenOffline('stop'), { items, fields: { operation: 'sendMedia' } });
	expect(error?.message).toBe('The session is not online: its status is AUTH_FAILURE [item 0]');
	expect(error?.description).toMatch(
		/^Nothing was sent\. .*Session > Terminate, then Session > Pair\..*Session > Wait Until Online/,
	);
	expect(requestsTo(gateway)).toEqual(['GET status']);
});

test('a status that the credential declares as online is online', async () => {
	gateway.setStatus('AWAITING_QR');
	const account = { ...gateway.account, responseMeanings: 'online: status = awaiting*' };
	await sent(whenOffline('stop'), { account });
	expect(requestsTo(gateway)).toEqual(['GET status', 'POST sendMessage']);
});

test('an option without an action is not ignored', async () => {
	const { error } = await sent({ whenOffline: { values: { onlineTimeout: 5 } } });
	expect(error?.message).toBe("'Action When Offline' of 'When Offline' is missing [item 0]");
	expect(requestsTo(gateway)).toEqual([]);
});

describe('wait', () => {
	test('asks again after 15 s if a status request gets no answer, whatever the timeout of a request', async () => {
		gateway.faults([{ endpoint: 'status', latencyMs: 90_000, times: 1 }]);
		const fields = { requestOptions: { timeout: 60_000 } };
		const { value, ms } = await timed(sent(whenOffline('wait'), { fields }));
		expect(value.items[0]?.json).toMatchObject({ outcome: 'sent' });
		expect(ms).toBeLessThan(30_000);
	});

	test('sends when the session comes online', async () => {
		gateway.setStatus('DISCONNECTED');
		const begun = Date.now();
		later(10_000, () => gateway.setStatus('ONLINE'));
		const { items } = await sent(whenOffline('wait'));
		expect(items[0]?.json).toMatchObject({ outcome: 'sent' });
		expect(requestsTo(gateway).slice(0, -1)).toEqual(Array(5).fill('GET status'));
		const sentAfter = receivedAt(gateway.requests().at(-1)) - begun;
		expect(sentAfter).toBeGreaterThanOrEqual(10_000);
		expect(sentAfter).toBeLessThan(16_000);
	});

	test('ends at the limit, with the last status', async () => {
		gateway.setStatus('AWAITING_QR');
		const { value, ms } = await timed(sent(whenOffline('wait', { onlineTimeout: 30 })));
		expect(ms).toBe(30_000);
		expect(value.error?.message).toBe(
			'The session did not come online within 30 s: its last status is AWAITING_QR [item 0]',
		);
		expect(value.error?.description).toMatch(/^Nothing was sent\. /);
		expect(new Set(requestsTo(gateway))).toEqual(new Set(['GET status']));
	});
});

describe.each(['stop', 'wait'])('%s', (action) => {
	const options = whenOffline(action);

	test('sends at once if the session is online', async () => {
		const begun = Date.now();
		await sent(options);
		expect(requestsTo(gateway)).toEqual(['GET status', 'POST sendMessage']);
		expect(receivedAt(gateway.requests()[1])).toBe(begun);
	});

	const UNREAD = 'The status of the session could not be read: The gateway';
	test.each<[Fault, string, RegExp]>([
		[{ status: 401, code: 'invalid_token' }, 'The gateway does not know the token', /'Token'/],
		[{ status: 500 }, `${UNREAD} could not process the request (500`, /^Nothing was sent\. /],
		[{ latencyMs: 3_600_000 }, `${UNREAD} did not respond`, /^Nothing was sent\. /],
		[{ status: 429, retryAfter: 300 }, "The gateway's rate limit was reached", /Retry-After 300/],
	])('after %j sends nothing', async (fault, message, description) => {
		gateway.faults([fault]);
		const { error } = await sent(options);
		expect(error?.message).toContain(message);
		expect(error?.description).toMatch(description);
		const all = `${error?.message} ${error?.description}`;
		expect(all).not.toMatch(/may have been sent|It is unknown|messages before/);
		expect(new Set(requestsTo(gateway))).toEqual(new Set(['GET status']));
	});
});

test('with Continue every item has the reason', async () => {
	gateway.setStatus('DISCONNECTED');
	const settings = { onError: 'continueErrorOutput' } as const;
	const items = messages(50);
	const { errorItems } = await sent(whenOffline('stop'), { items, settings });
	expect(errorItems).toHaveLength(50);
	expect(errorItems[7]?.json).toEqual({
		...items[7]!.json,
		error: 'The session is not online: its status is DISCONNECTED [item 7]',
		details: { cause: 'offline', retry: 'later' },
	});
	expect(requestsTo(gateway)).toEqual(['GET status']);
});

test('an item that cannot be sent does not wait', async () => {
	const items = [{ json: { to: 'nobody', text: 'x' } }, ...messages(1)];
	const { error } = await sent(whenOffline('wait'), { items });
	expect(error?.message).toMatch(/^'Chat ID' cannot be 'nobody'/);
	expect(gateway.requests()).toEqual([]);
});

describe('with several accounts', () => {
	test('each is checked once, and an offline one does not delay the other', async () => {
		const fields = ['baseUrl', 'token', 'secret'].map((name) => [name, `={{ $json.${name} }}`]);
		const account = Object.fromEntries(fields) as Account;
		/** The second account has every other item, from the first one on. */
		const items = messages(40).map(({ json }, index) => ({
			json: { ...json, ...[other, gateway][index % 2]!.account },
		}));
		other.setStatus('DISCONNECTED');
		const begun = Date.now();
		later(60_000, () => other.setStatus('ONLINE'));
		const options = { ...whenOffline('wait'), concurrency: 1 };
		const outcome = await sent(options, { account, items });
		expect(outcome.error).toBeUndefined();
		expect(pairs(outcome)).toEqual(Array.from({ length: 40 }, (_, index) => index));
		expect(receivedAt(gateway.requests().at(-1)) - begun).toBeLessThan(3_000);
		expect(requestsTo(gateway).filter((request) => request === 'GET status')).toHaveLength(1);
		expect(textsDelivered(other)).toHaveLength(20);
		const firstSent = other.requests().find(({ method }) => method === 'POST');
		expect(receivedAt(firstSent) - begun).toBeGreaterThanOrEqual(60_000);
	});
});
