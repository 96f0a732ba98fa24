import { inspect } from 'node:util';

import { type Outcome, run, type RunOptions } from '../engine';
import { OPERATIONS } from '../operations';
import { useGateway } from '../sandboxAccount';

const token = 'tok/en+Geheim 123';
const secret = 'sEcReT-do-not-tell';
const gateway = useGateway({ token, secret });

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
			for (const parameters of OPERATIONS) {
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
