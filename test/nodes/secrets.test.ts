import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';

import { type Outcome, run, type RunOptions } from '../harness/engine';
import { OPERATIONS } from '../harness/operations';
import { useNewGateways } from '../harness/sandboxAccount';
import { useVirtualTime } from '../harness/virtualTime';

const token = 'tok/en+Geheim 123';
const secret = 'sEcReT-do-not-tell';
useVirtualTime();
const gateway = useNewGateways({ token, secret });

/** Everything that n8n keeps of a run: in memory, and as stored and shown. */
function recordedData({ run }: Outcome): string {
	const all = { maxStringLength: Infinity, maxArrayLength: Infinity, showHidden: true };
	const inMemory = inspect(run, { depth: Infinity, ...all });
	return [inMemory, JSON.stringify(run.data)].join('\n');
}

function expectNothingLeaked(outcome: Outcome) {
	const all = recordedData(outcome);
	const reversed = secret.split('').reverse().join('');
	for (const hidden of [token, encodeURIComponent(token), 'Geheim', secret, reversed])
		expect(all).not.toContain(hidden);
	expect(all).not.toMatch(/x-api-signature/i);
}

const message = (text: string) => ({ contentType: 'application/json', text });
const echo = `{"path":"/api/whatsapp/${encodeURIComponent(token)}/x","token":"${token}","nested":[{"${token}":1}],"qr":"2@${token}"}`;

type Change = Partial<RunOptions['account']> | void;
const path = `/api/whatsapp/${encodeURIComponent(token)}`;
const notFound = `{"error":"not_found","message":"Cannot GET ${echo.replaceAll('"', "'")}"}`;

const situations: Array<[string, () => Change]> = [
	['the request succeeds', () => {}],
	['the connection is reset', () => gateway.faults([{ cut: 'before' }])],
	[
		'the gateway returns an error that contains the URL',
		() => gateway.faults([{ status: 404, body: message(notFound) }]),
	],
	[
		'the gateway redirects to its own URL',
		() => gateway.faults([{ status: 307, headers: { location: `${gateway.baseUrl}${path}/y` } }]),
	],
	[
		'the gateway echoes the token in a successful response',
		() => gateway.answerWith(message(echo)),
	],
	[
		'the gateway returns garbage that contains the token',
		() => gateway.answerWith({ contentType: 'text/html', text: `<a href="${path}">${token}` }),
	],
];

const binary = { data: { data: 'QUJD', mimeType: 'text/plain' } };
const quick = OPERATIONS.filter(({ polls }) => !polls);

describe.each(situations)('leaks neither token nor secret if %s', (_when, prepare) => {
	test.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'with %s',
		async (onError) => {
			const change = prepare();
			for (const { parameters } of quick) {
				const outcome = await run({
					account: { ...gateway.account, ...change },
					parameters: parameters as RunOptions['parameters'],
					items: [{ json: {}, binary }],
					settings: { onError },
				});
				expectNothingLeaked(outcome);
			}
		},
	);
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
		requestOptions: { timeout: expression, batching: { batch: { batchSize: expression } } },
	});

	test.each(['send', 'sendMedia', 'sendJson', 'nope', '={{ "send" }}'])(
		'operation %j',
		async (operation) => {
			for (const expression of READS) {
				const given = { ...fields(expression), resource: 'message', operation };
				for (const parameters of [given, { ...given, chatId: '4915123456789', body: '{}' }]) {
					for (const onError of ['stopWorkflow', 'continueErrorOutput'] as const) {
						const shared = { account: gateway.account, isHostile: true, settings: { onError } };
						expectNothingLeaked(await run({ ...shared, parameters }));
					}
				}
			}
		},
	);

	test('a resource that is an expression does nothing', async () => {
		const resource = '={{ $credentials.gatewaySecret }}';
		const parameters = { ...fields(READS[0]!), resource, operation: 'send' };
		const outcome = await run({ account: gateway.account, isHostile: true, parameters });
		expectNothingLeaked(outcome);
		expect(outcome.error?.message).toContain("'Resource' and 'Operation' name no operation");
		expect(gateway.requests()).toEqual([]);
	});
});

test.each([200, 401])(
	'shows no signature if a gateway repeats the headers of a request, with status %i',
	async (status) => {
		const signatures: string[] = [];
		const server = createServer((request, response) => {
			const { headers } = request;
			const signature = headers['x-api-signature'] as string | undefined;
			if (signature) signatures.push(signature);
			request.resume().on('end', () => {
				response.writeHead(status, { 'Content-Type': 'application/json' });
				response.end(JSON.stringify({ message: `got ${signature}`, headers }));
			});
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		const limits = { sendTo: 'allowed', allowedRecipients: '+1*\n+4*' };
		for (const { parameters } of quick) {
			const outcome = await run({
				account: { ...gateway.account, ...limits, baseUrl },
				parameters: parameters as RunOptions['parameters'],
				items: [{ json: {}, binary }],
				isHostile: true,
			});
			const stored = inspect([outcome.run.data, outcome.error, outcome.items], { depth: 20 });
			expect(signatures.filter((signature) => stored.includes(signature))).toEqual([]);
		}
		server.close();
		expect(signatures.length).toBeGreaterThan(3);
	},
);
