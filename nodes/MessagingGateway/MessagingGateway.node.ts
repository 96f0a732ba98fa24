import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

import * as deferred from './deferred';
import * as message from './message';
import { testConnection } from './request/credentialTest';
import { batchingField, requestOptionsField } from './request/requestOptions';
import * as session from './session';

export class MessagingGateway implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Gateway',
		name: 'messagingGateway',
		icon: { light: 'file:messagingGateway.svg', dark: 'file:messagingGateway.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Send WhatsApp-style messages, pair a phone by QR code, and manage deferred messages',
		documentationUrl:
			'https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway#operations',
		defaults: { name: 'Messaging Gateway' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingGatewayApi', required: true, testedBy: 'testConnection' }],
		webhooks: message.webhooks,
		waitingNodeTooltip:
			'={{ $parameter["operation"] === "sendAndWait" ? "Execution will continue after the user\'s response" : "" }}',
		requestDefaults: {
			// The request hook sets the URL. n8n needs this to recognise the credential's own host.
			baseURL: '={{ $credentials.baseUrl }}',
		},
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{
						name: 'Message',
						value: 'message',
						description: 'Send messages, or look up an invite or a channel',
					},
					{
						name: 'Session',
						value: 'session',
						description: 'The connection between the gateway and the phone',
					},
					{
						name: 'Deferred Delivery',
						value: 'deferred',
						description: 'A message that waits until the session is online',
					},
				],
				default: 'message',
			},
			...message.properties,
			...session.properties,
			...deferred.properties,
			requestOptionsField('Time in ms to wait for the response before aborting', batchingField),
		],
	};

	webhook = message.answerWebhook;

	methods = { credentialTest: { testConnection } };

	customOperations = {
		message: message.customOperations,
		session: session.customOperations,
		deferred: deferred.customOperations,
	};
}
