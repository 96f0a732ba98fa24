import type { INode } from 'n8n-workflow';

import { type Account, storedAccount } from '../../test/harness/engine';
import { SEND } from '../measuring/n8nEngine';
import type { Gateway } from '../receiver/gateway';
import { CONCURRENCY, type Load } from '../workload';
import type { Sender } from './engine';

/** A node as a user sets it up in the editor. Parameters that are not given keep their defaults. */
export interface Step extends Pick<INode, 'type' | 'typeVersion' | 'parameters'> {
	credential?: { type: string; data: object };
}

export interface Workflow extends Omit<Sender, 'send'> {
	steps: Step[];
}

/** Empty if the load needs TLS and there is no certificate. */
export function workflowsFor({ account, telegramUrl, tls }: Gateway, load: Load): Workflow[] {
	const urls = load.tls ? tls : { gatewayUrl: account.baseUrl, telegramUrl };
	if (!urls) return [];
	const sameAccount = { ...account, baseUrl: urls.gatewayUrl };
	return [
		...load.concurrencies.map((concurrency): Workflow => {
			return { name: 'ours', concurrency, steps: [ours(sameAccount, concurrency)] };
		}),
		{ name: 'chain', concurrency: 'all', steps: chain(sameAccount) },
		{
			name: 'Telegram',
			concurrency: 1,
			steps: [telegram(`${urls.telegramUrl}/${load.latencyMs}`)],
		},
	];
}

function step(
	type: string,
	typeVersion: number,
	parameters: INode['parameters'],
	credential?: Step['credential'],
): Step {
	return { type, typeVersion, parameters, credential };
}

/** A webhook that responds when the execution has ended, and a node that turns the texts into items. */
export const inputSteps = (path: string): Step[] => [
	step('n8n-nodes-base.webhook', 2.1, {
		httpMethod: 'POST',
		path,
		responseMode: 'lastNode',
		responseData: 'noData',
	}),
	step('n8n-nodes-base.code', 2, {
		jsCode: 'return $input.first().json.body.map((json) => ({ json }));',
	}),
];

const ours = (account: Account, concurrency: number): Step =>
	step(
		'n8n-nodes-messaging-gateway.messagingGateway',
		1,
		{ ...SEND, options: concurrency === CONCURRENCY ? {} : { concurrency } },
		{ type: 'messagingGatewayApi', data: storedAccount(account) },
	);

/** What users build without this package. */
const chain = ({ baseUrl, token, secret }: Account): Step[] => [
	step('n8n-nodes-base.code', 2, {
		jsCode: `return $input.all().map(({ json: { chat, text } }) => ({
	json: {
		timestamp: Date.now(),
		body: JSON.stringify({ chatId: chat, type: 'text', text }),
	},
}));`,
	}),
	step(
		'n8n-nodes-base.crypto',
		2,
		{
			action: 'hmac',
			type: 'SHA256',
			value: `={{ $json.timestamp }}${token}{{ $json.body }}`,
			dataPropertyName: 'signature',
			encoding: 'hex',
		},
		{ type: 'crypto', data: { hmacSecret: secret } },
	),
	step('n8n-nodes-base.httpRequest', 4.5, {
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
	}),
];

const telegram = (baseUrl: string): Step =>
	step(
		'n8n-nodes-base.telegram',
		1.2,
		{
			resource: 'message',
			operation: 'sendMessage',
			chatId: SEND.chatId,
			text: SEND.text,
			// Otherwise n8n appends a line about itself to every text.
			additionalFields: { appendAttribution: false },
		},
		{ type: 'telegramApi', data: { accessToken: 'token', baseUrl } },
	);
