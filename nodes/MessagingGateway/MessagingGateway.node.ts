import {
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
	type NodeHint,
} from 'n8n-workflow';

import {
	deleteDelivery,
	getDeliveries,
	getDelivery,
	searchDeliveries,
} from './deferred/deliveries.operation';
import { choice } from './fields/field';
import { withStoredValues } from './n8n/storedValues';
import { check } from './message/check.operation';
import { channelInfo, inviteInfo } from './message/lookups.operation';
import { send, sendJson } from './message/send.operation';
import { sendAndWait } from './ask/sendAndWait.operation';
import { searchRecipients } from './message/recipient';
import { sendMedia } from './message/sendMedia.operation';
import { testConnection } from './request/credentialTest';
import { resource, runOperation } from './operation/operation';
import { requestOptionsField } from './request/requestOptions';
import { ping, refresh, start, getStatus, terminate } from './session/commands.operation';
import { pair } from './session/pair.operation';
import { qr, getQrImage } from './session/qr.operation';
import { waitUntilOnline } from './session/waitUntilOnline.operation';
import { answerWebhook, webhooks } from './ask/questionWebhook';

const resourcePicker = choice(
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

// Each list starts with the most used operations. The others follow in alphabetical order.
const messageResource = resource(
	'message',
	[send, sendAndWait, sendMedia, check, channelInfo, inviteInfo, sendJson],
	'send',
);
const session = resource(
	'session',
	[pair, qr, getQrImage, getStatus, ping, refresh, start, terminate, waitUntilOnline],
	'status',
);
const deferred = resource('deferred', [deleteDelivery, getDelivery, getDeliveries], 'getAll');

/** Returns a warning that the editor shows before a run. Its condition can read parameters and input, but no settings of the node. */
const hint = (message: string, operations: string[], condition: string): NodeHint => ({
	message,
	type: 'warning',
	location: 'outputPane',
	whenToDisplay: 'always',
	displayCondition: `={{ ${JSON.stringify(operations)}.includes($parameter["operation"]) && ${condition} }}`,
});

const STORED_KEY = '$rawParameter["options"]?.idempotencyKey';

const hints = [
	hint(
		"More than 50 messages, sent as fast as the gateway allows, can look like spam. Add the option 'Pace', with 0 messages per minute if this is intended.",
		['send', 'sendMedia', 'sendJson'],
		'$input.all().length > 50 && !$parameter["options"]?.pace',
	),
	hint(
		"All items have the same 'Idempotency Key', so the gateway drops all messages but the first. Choose Automatic, or use an expression that differs per item, e.g. an order number.",
		['send', 'sendMedia'],
		`$input.all().length > 1 && ${STORED_KEY} && !["automatic", "off", "oncePerDay", "oncePerText"].includes(${STORED_KEY}) && !${STORED_KEY}.includes("{")`,
	),
];

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
		// n8n's assistant reads this when it drafts workflows.
		builderHint: {
			searchHint:
				'Give the operation send all items at once instead of looping, because it keeps the order of each chat. Set onError to continueErrorOutput and connect that output: details.retry of an item there says whether to send it again: safe, later, never, or check first.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-base.removeDuplicates',
					relationHint: 'After the operation check, on chatId, before messages to a list',
				},
				{
					nodeType: 'n8n-nodes-base.splitInBatches',
					relationHint: 'Around the operation sendAndWait, unless its responseType is eachItem',
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
		properties: withStoredValues([
			resourcePicker,
			...messageResource.properties,
			...session.properties,
			...deferred.properties,
			requestOptionsField('Time in ms to wait for the response before aborting'),
		]),
	};

	webhook = answerWebhook;

	methods = {
		credentialTest: { testConnection },
		listSearch: { searchDeliveries, searchRecipients },
	};

	/** Replaces n8n's routing, which lets the expressions of every field read the credential: `$credentials.secret`. */
	async execute(this: IExecuteFunctions) {
		const resources = {
			message: messageResource.operations,
			session: session.operations,
			deferred: deferred.operations,
		};
		return [await runOperation(this, resources)];
	}
}
