import type { IncomingMessage, ServerResponse } from 'node:http';
import { inspect } from 'node:util';

import type { IRun } from 'n8n-workflow';

import { ON_ERROR, secret, token, useAccounts } from '../fuzz/cases';
import { type Outcome, run } from '../harness/engine';
import { ITEM, QUICK_OPERATIONS } from '../harness/operations';
import { useNewGateways } from '../harness/sandboxAccount';
import { useVirtualTime } from '../harness/virtualTime';

useVirtualTime();
const gateway = useNewGateways({ token, secret });

const HIDDEN = [token, encodeURIComponent(token), 'Geheim', secret, [...secret].reverse().join('')];

/** What n8n keeps of a run: in memory, and as stored and shown. */
const everythingIn = (result: IRun) => {
	const unlimited = { maxStringLength: Infinity, maxArrayLength: Infinity, depth: Infinity };
	return inspect(result, { ...unlimited, showHidden: true }) + JSON.stringify(result.data);
};

function expectNothingLeaked({ run }: Outcome) {
	const kept = everythingIn(run);
	for (const hidden of HIDDEN) expect(kept).not.toContain(hidden);
	expect(kept).not.toMatch(/x-api-signature/i);
}

test('a delivery key with asterisks is no place for the token', async () => {
	const parameters = { resource: 'deferred', operation: 'get', deliveryKey: 'k-***-1' };
	await run({ account: gateway.account, parameters });
	expect(decodeURIComponent(gateway.theRequest().url.split('/').at(-1)!)).toBe('k-***-1');
});

// n8n's routing of declarative nodes lets the expressions of every field read the credential.
describe('no expression of a field reads the credential', () => {
	const READS = [
		'={{ $credentials.gatewaySecret }}',
		"={{ $($credentials.gatewaySecret + '|' + $credentials.gatewayToken).first().json.x }}",
		"={{ $($credentials.gatewaySecret.split('').reverse().join('')).first() }}",
		"={{ $execution.customData.set('read', $credentials.gatewaySecret.split('').reverse().join('')) }}",
		'={{ ({}).x[$credentials.gatewaySecret] }}',
	];
	const fields = (expression: string) => ({
		...{ chatId: expression, text: expression, caption: expression, body: expression },
		...{ options: { idempotencyKey: expression, maxWait: expression } },
		requestOptions: { timeout: expression },
	});

	const OPERATIONS = ['send', 'sendMedia', 'sendJson', 'nope', '={{ "send" }}'];
	test.each(OPERATIONS)('operation %j', async (operation) => {
		for (const expression of READS) {
			const given = { ...fields(expression), resource: 'message', operation };
			for (const parameters of [given, { ...given, chatId: '4915123456789', body: '{}' }]) {
				for (const onError of ON_ERROR) {
					const shared = { account: gateway.account, isHostile: true, settings: { onError } };
					expectNothingLeaked(await run({ ...shared, parameters }));
				}
			}
		}
	});

	test('a resource that is an expression does nothing', async () => {
		const resource = '={{ $credentials.gatewaySecret }}';
		const parameters = { ...fields(READS[0]!), resource, operation: 'send' };
		const outcome = await run({ account: gateway.account, isHostile: true, parameters });
		expectNothingLeaked(outcome);
		expect(outcome.error?.message).toContain("'Resource' and 'Operation' name no operation");
		expect(gateway.requests()).toEqual([]);
	});
});

// test/fuzz/responses.test.ts has tokens in random responses.
describe('a gateway that repeats the request', () => {
	const signatures: string[] = [];
	let answer: (response: ServerResponse, request: IncomingMessage) => void;
	const newAccount = useAccounts((request, response) => {
		const signature = request.headers['x-api-signature'] as string | undefined;
		if (signature) signatures.push(signature);
		request.resume().on('end', () => answer(response, request));
	});
	const repeatWith = (status: number) => (response: ServerResponse, request: IncomingMessage) => {
		const { headers, url } = request;
		const message = `got ${url} with ${headers['x-api-signature'] as string}, not ${token}`;
		response.writeHead(status, { 'Content-Type': 'application/json' });
		response.end(JSON.stringify({ message, headers, url, nested: [{ [token]: 1 }] }));
	};

	test.each<[string, typeof answer]>([
		['in a success', repeatWith(200)],
		['in an error', repeatWith(401)],
		['in a redirect', (response, { url }) => response.writeHead(307, { location: url }).end()],
		['in a page', (response, { url }) => response.end(`<a href="${url}">${token}`)],
		['never', (response) => response.destroy()],
	])('%s: shows neither token, secret nor signature', async (_where, given) => {
		answer = given;
		signatures.length = 0;
		for (const { parameters } of QUICK_OPERATIONS) {
			for (const onError of ON_ERROR) {
				const account = { ...newAccount(), sendTo: 'allowed', allowedRecipients: '+1*\n+4*' };
				const shared = { account, isHostile: true, settings: { onError } };
				const { run: result } = await run({ ...shared, parameters, items: [ITEM] });
				const kept = everythingIn(result);
				for (const hidden of [...HIDDEN, ...signatures]) expect(kept).not.toContain(hidden);
			}
		}
		expect(signatures.length).toBeGreaterThan(3);
	});
});
