import type { Account } from '../../test/harness/engine';
import type { Gateway, Receiver } from '../gateway';
import { CONCURRENCY, type Load } from '../workload';
import type { Step } from './publish';

export interface SendWorkflow {
	name: 'ours' | 'chain' | 'Telegram';
	concurrency: number | 'all';
	steps: Step[];
	receiver: Receiver;
}

/** Empty if the load needs TLS and there is no certificate. */
export function sendWorkflows(gateway: Gateway, load: Load): SendWorkflow[] {
	const { account, telegram, tls } = gateway;
	const gatewayUrl = load.tls ? tls?.gatewayUrl : account.baseUrl;
	const telegramUrl = load.tls ? tls?.telegramUrl : telegram.baseUrl;
	if (!gatewayUrl || !telegramUrl) return [];
	const sameAccount = { ...account, baseUrl: gatewayUrl };
	return [
		...load.concurrencies.map((concurrency) => ({
			name: 'ours' as const,
			concurrency,
			steps: ours(sameAccount, concurrency),
			receiver: gateway,
		})),
		{ name: 'chain', concurrency: 'all', steps: chain(sameAccount), receiver: gateway },
		{
			name: 'Telegram',
			concurrency: 1,
			steps: telegramSteps(telegramUrl),
			receiver: telegram,
		},
	];
}

function ours(account: Account, concurrency: number): Step[] {
	return [
		{
			name: 'Send',
			type: 'n8n-nodes-messaging-gateway.messagingGateway',
			typeVersion: 1,
			parameters: {
				resource: 'message',
				operation: 'send',
				chatId: '={{ $json.chat }}',
				text: '={{ $json.text }}',
				options: concurrency === CONCURRENCY ? {} : { concurrency },
			},
			credential: { type: 'messagingGatewayApi', data: account },
		},
	];
}

/** What users build without this package. */
function chain({ baseUrl, token, secret }: Account): Step[] {
	return [
		{
			name: 'Body',
			type: 'n8n-nodes-base.code',
			typeVersion: 2,
			parameters: {
				jsCode: `return $input.all().map(({ json: { chat, text } }) => ({
	json: {
		timestamp: Date.now(),
		body: JSON.stringify({ chatId: chat, type: 'text', text }),
	},
}));`,
			},
		},
		{
			name: 'Signature',
			type: 'n8n-nodes-base.crypto',
			typeVersion: 2,
			parameters: {
				action: 'hmac',
				type: 'SHA256',
				value: `={{ $json.timestamp }}${token}{{ $json.body }}`,
				dataPropertyName: 'signature',
				encoding: 'hex',
			},
			credential: { type: 'crypto', data: { hmacSecret: secret } },
		},
		{
			name: 'Request',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.5,
			parameters: {
				method: 'POST',
				url: `${baseUrl}/api/whatsapp/${token}/sendMessage`,
				sendHeaders: true,
				headerParameters: {
					parameters: [
						{ name: 'X-API-Timestamp', value: '={{ $json.timestamp }}' },
						{ name: 'X-API-Signature', value: '={{ $json.signature }}' },
					],
				},
				sendBody: true,
				contentType: 'raw',
				rawContentType: 'application/json',
				body: '={{ $json.body }}',
			},
		},
	];
}

function telegramSteps(baseUrl: string): Step[] {
	return [
		{
			name: 'Telegram',
			type: 'n8n-nodes-base.telegram',
			typeVersion: 1.2,
			parameters: {
				resource: 'message',
				operation: 'sendMessage',
				chatId: '={{ $json.chat }}',
				text: '={{ $json.text }}',
				// Otherwise n8n appends a line about itself to every text.
				additionalFields: { appendAttribution: false },
			},
			credential: { type: 'telegramApi', data: { accessToken: 'token', baseUrl } },
		},
	];
}
