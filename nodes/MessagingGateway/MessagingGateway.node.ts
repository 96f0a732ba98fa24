import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

import { deferred, searchDeliveries } from './deferred/deliveries.operation';
import { choice } from './fields/field';
import { hints } from './fields/hints';
import { message } from './message';
import { testConnection } from './request/credentialTest';
import { batchingField, requestOptionsField } from './request/requestOptions';
import { session } from './session';
import { answerWebhook, webhooks } from './waiting/answerPage';

const resource = choice(
	'resource',
	'Resource',
	'message',
	[
		['message', 'Message', 'Send messages, or look up an invite or a channel'],
		['session', 'Session', 'The connection between the gateway and the phone'],
		['deferred', 'Deferred Delivery', 'A message that waits until the session is online'],
	],
	{ noDataExpression: true },
)();

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
		// For n8n's assistant, which drafts workflows.
		builderHint: {
			searchHint:
				'Give the operation send all items at once instead of looping, because it keeps the order of each chat. Set onError to continueErrorOutput and connect that output: a message that may have been sent must not be sent again without a check.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-base.removeDuplicates',
					relationHint: 'After the operation check, on chatId, before messages to a list',
				},
				{
					nodeType: 'n8n-nodes-base.splitInBatches',
					relationHint: 'Around the operation sendAndWait, which takes one item',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingGatewayApi', required: true, testedBy: 'testConnection' }],
		webhooks,
		hints,
		waitingNodeTooltip:
			'={{ $parameter["operation"] === "sendAndWait" ? "Execution will continue after the user\'s response" : "" }}',
		requestDefaults: {
			// The request hook sets the URL. n8n needs this to recognise the credential's own host.
			baseURL: '={{ $credentials.baseUrl }}',
		},
		properties: [
			resource,
			...message.properties,
			...session.properties,
			...deferred.properties,
			requestOptionsField('Time in ms to wait for the response before aborting', batchingField),
		],
	};

	webhook = answerWebhook;

	methods = { credentialTest: { testConnection }, listSearch: { searchDeliveries } };

	customOperations = {
		message: message.customOperations,
		session: session.customOperations,
		deferred: deferred.customOperations,
	};
}
