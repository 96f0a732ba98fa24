import { inspect } from 'node:util';

import { type Outcome, run, type RunOptions } from '../engine';
import { useGateway } from '../sandboxAccount';

const token = 'tok/en+Geheim 123';
const secret = 'sEcReT-do-not-tell';
const gateway = useGateway({ token, secret });

const operations: Array<Record<string, unknown>> = [
	{ resource: 'session', operation: 'ping' },
	{ resource: 'session', operation: 'start' },
	{ resource: 'session', operation: 'status' },
	{ resource: 'session', operation: 'qr', qrOutput: 'png' },
	{ resource: 'session', operation: 'qrImage' },
	{ resource: 'session', operation: 'refresh', withDeletion: true },
	{ resource: 'session', operation: 'terminate' },
	{ resource: 'message', operation: 'send', chatId: '4915123456789', text: 'x' },
	{ resource: 'message', operation: 'sendMedia', chatId: '4915123456789' },
	{ resource: 'message', operation: 'inviteInfo', inviteCode: 'x' },
	{ resource: 'message', operation: 'channelInfo', channel: 'x' },
	{ resource: 'deferred', operation: 'getAll' },
	{ resource: 'deferred', operation: 'get', deliveryKey: 'x' },
	{ resource: 'deferred', operation: 'delete', deliveryKey: 'x' },
];

/** All that n8n keeps of a run: as it is in memory, and as it is stored and shown. */
function everything({ run }: Outcome): string {
	const inMemory = inspect(run, {
		depth: Infinity,
		showHidden: true,
		maxStringLength: Infinity,
		maxArrayLength: Infinity,
	});
	return [inMemory, JSON.stringify(run.data)].join('\n');
}

function expectNothingTold(outcome: Outcome) {
	const all = everything(outcome);
	for (const hidden of [token, encodeURIComponent(token), 'Geheim', secret])
		expect(all).not.toContain(hidden);
	expect(all).not.toMatch(/x-api-signature/i);
}

const message = (text: string) => ({ contentType: 'application/json', text });
const echo = `{"path":"/api/whatsapp/${encodeURIComponent(token)}/x","token":"${token}","nested":[{"${token}":1}],"qr":"2@${token}"}`;

const situations: Array<[string, () => Partial<RunOptions['account']>]> = [
	['all is well', () => ({})],
	['the connection is refused', () => ({ baseUrl: 'http://127.0.0.1:1' })],
	[
		'the connection is cut',
		() => {
			gateway.faults([{ cut: 'before' }]);
			return {};
		},
	],
	[
		'the gateway refuses and repeats the URL',
		() => {
			gateway.faults([
				{
					status: 404,
					body: message(
						`{"error":"not_found","message":"Cannot GET ${echo.replaceAll('"', "'")}"}`,
					),
				},
			]);
			return {};
		},
	],
	[
		'the gateway redirects to its own URL',
		() => {
			gateway.faults([
				{
					status: 307,
					headers: { location: `${gateway.baseUrl}/api/whatsapp/${encodeURIComponent(token)}/y` },
				},
			]);
			return {};
		},
	],
	[
		'the gateway echoes the token in a good answer',
		() => {
			gateway.answerWith(message(echo));
			return {};
		},
	],
	[
		'the gateway answers with garbage that holds the token',
		() => {
			gateway.answerWith({
				contentType: 'text/html',
				text: `<a href="/api/whatsapp/${encodeURIComponent(token)}">${token}`,
			});
			return {};
		},
	],
];

describe.each(situations)('neither token nor secret is told when %s', (_when, prepare) => {
	test.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'with %s',
		async (onError) => {
			const change = prepare();
			for (const parameters of operations) {
				for (const asTool of [false, true]) {
					const outcome = await run({
						account: { ...gateway.account, ...change },
						parameters: parameters as RunOptions['parameters'],
						items: [{ json: {}, binary: { data: { data: 'QUJD', mimeType: 'text/plain' } } }],
						settings: { onError },
						asTool,
					});
					expectNothingTold(outcome);
				}
			}
		},
	);
});
