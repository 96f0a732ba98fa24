import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

import { testConnection } from './request/credentialTest';
import { poll, properties } from './trigger';

export class MessagingGatewayTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Gateway Trigger',
		name: 'messagingGatewayTrigger',
		icon: { light: 'file:messagingGateway.svg', dark: 'file:messagingGateway.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["event"] }}',
		description:
			'Send WhatsApp-style messages, pair a phone, and start workflows when the phone goes offline or a message is deferred',
		documentationUrl:
			'https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway/blob/main/docs/trigger.md',
		defaults: { name: 'Messaging Gateway Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingGatewayApi', required: true, testedBy: 'testConnection' }],
		// A copy, because n8n adds Poll Times to it.
		properties: [...properties],
	};

	methods = { credentialTest: { testConnection } };

	poll = poll;
}
