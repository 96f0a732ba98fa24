import { inspect } from 'node:util';

import { ON_ERROR, secret, token, useAccounts } from '../fuzz/cases';
import { type Outcome, run } from '../harness/engine';
import { jsonBody } from '../harness/messages';
import { ITEM, QUICK_OPERATIONS } from '../harness/operations';
import { useNewGateways } from '../harness/sandboxAccount';
import { useVirtualTime } from '../harness/virtualTime';

useVirtualTime();
const gateway = useNewGateways({ token, secret });

/** In everything that n8n keeps of a run: in memory, and as stored and shown. */
function expectNothingLeaked({ run }: Outcome) {
	const unlimited = { maxStringLength: Infinity, maxArrayLength: Infinity, depth: Infinity };
	const all = inspect(run, { ...unlimited, showHidden: true }) + JSON.stringify(run.data);
	const reversed = secret.split('').reverse().join('');
	for (const hidden of [token, encodeURIComponent(token), 'Geheim', secret, reversed])
		expect(all).not.toContain(hidden);
	expect(all).not.toMatch(/x-api-signature/i);
}

const path = `/api/whatsapp/${encodeURIComponent(token)}`;
const echo = `{"path":"${path}/x","token":"${token}","nested":[{"${token}":1}],"qr":"2@${token}"}`;
const notFound = `{"error":"not_found","message":"Cannot GET ${echo.replaceAll('"', "'")}"}`;

const situations: Array<[string, () => unknown]> = [
	['the request succeeds', () => {}],
	['the connection is reset', () => gateway.faults([{ cut: 'before' }])],
	[
		'the gateway returns an error that contains the URL',
		() => gateway.answerWith(jsonBody(notFound), { status: 404 }),
	],
	[
		'the gateway redirects to its own URL',
		() => gateway.faults([{ status: 307, headers: { location: `${gateway.baseUrl}${path}/y` } }]),
	],
	['the gateway echoes the token in a success', () => gateway.answerWith(jsonBody(echo))],
	[
		'the gateway returns garbage that contains the token',
		() => gateway.answerWith({ contentType: 'text/html', text: `<a href="${path}">${token}` }),
	],
];

describe.each(situations)('leaks neither token nor secret if %s', (_when, prepare) => {
	test.each(ON_ERROR)('with %s', async (onError) => {
		prepare();
		for (const { parameters } of QUICK_OPERATIONS) {
			const given = { account: gateway.account, parameters, items: [ITEM], settings: { onError } };
			expectNothingLeaked(await run(given));
		}
	});
});

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

describe('a gateway that repeats the headers of a request', () => {
	const signatures: string[] = [];
	let status = 200;
	const newAccount = useAccounts((request, response) => {
		const signature = request.headers['x-api-signature'] as string | undefined;
		if (signature) signatures.push(signature);
		request.resume().on('end', () => {
			response.writeHead(status, { 'Content-Type': 'application/json' });
			response.end(JSON.stringify({ message: `got ${signature}`, headers: request.headers }));
		});
	});

	test.each([200, 401])('shows no signature, with status %i', async (given) => {
		status = given;
		signatures.length = 0;
		for (const { parameters } of QUICK_OPERATIONS) {
			const account = { ...newAccount(), sendTo: 'allowed', allowedRecipients: '+1*\n+4*' };
			const outcome = await run({ account, parameters, items: [ITEM], isHostile: true });
			const stored = inspect([outcome.run.data, outcome.error, outcome.items], { depth: 20 });
			expect(signatures.filter((signature) => stored.includes(signature))).toEqual([]);
		}
		expect(signatures.length).toBeGreaterThan(3);
	});
});
