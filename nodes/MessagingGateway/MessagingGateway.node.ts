import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

import * as deferred from './deferred';
import { exchange } from './exchange';
import * as message from './message';
import * as session from './session';

export class MessagingGateway implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Gateway',
		name: 'messagingGateway',
		icon: { light: 'file:messagingGateway.svg', dark: 'file:messagingGateway.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Send chat messages, pair a phone by QR code, and manage deferred deliveries',
		defaults: { name: 'Messaging Gateway' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingGatewayApi', required: true }],
		requestDefaults: {
			// The hook would find it alone; n8n needs it to see that a host is the credential's own.
			baseURL: '={{ $credentials.baseUrl }}',
		},
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				// Once, for all operations: every request goes through our own hands.
				routing: { send: { paginate: true }, operations: { pagination: exchange } },
				options: [
					{
						name: 'Deferred Delivery',
						value: 'deferred',
						description: 'A message that waits until the session is online',
					},
					{
						name: 'Message',
						value: 'message',
						description: 'A message, or what is behind an invite',
					},
					{ name: 'Session', value: 'session', description: 'The link to the phone' },
				],
				default: 'message',
			},
			...message.properties,
			...session.properties,
			...deferred.properties,
		],
	};

	customOperations = { message: message.customOperations };
}
