import {
	type IAuthenticate,
	type ICredentialType,
	type Icon,
	type INode,
	type INodeProperties,
	NodeApiError,
} from 'n8n-workflow';

import { InvalidInput } from '../gateway/inputValues';
import { authenticatedRequest, checkNode } from './requestHook';

/**
 * Returns an InvalidInput as an error of n8n. n8n before 2.36 wraps any other error and loses its cause, so a request that was not sent
 * would look like a lost connection.
 */
function asErrorOfN8n(thrown: unknown): unknown {
	if (!(thrown instanceof InvalidInput)) return thrown;
	const { message, description } = thrown;
	const error = new NodeApiError({} as INode, {}, { message, description });
	return Object.assign(error, { cause: thrown });
}

/**
 * Declares a hidden field that is in the decrypted credential only if `field` contains an expression, because n8n shows a field as soon as
 * one of its conditions depends on an expression. From it, the node knows whether the account can differ between items.
 */
const expressionMarker = (field: string): INodeProperties => ({
	displayName: `${field} Is Expression`,
	name: `${field}IsExpression`,
	type: 'hidden',
	default: true,
	displayOptions: { show: { [field]: ['\u0000'] } },
});

const choice = (name: string, value: string, description: string) => ({ name, value, description });

export class MessagingGatewayApi implements ICredentialType {
	name = 'messagingGatewayApi';

	displayName = 'Messaging Gateway API';

	documentationUrl =
		'https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway#credentials';

	icon: Icon = {
		light: 'file:../nodes/MessagingGateway/messagingGateway.svg',
		dark: 'file:../nodes/MessagingGateway/messagingGateway.dark.svg',
	};

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://gateway.example.com',
			hint: 'The address of the gateway, without /api/whatsapp',
		},
		{
			displayName: 'Token',
			name: 'gatewayToken',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'The API token of your account. Spaces around it are left out. In the URL of an HTTP Request node, write {token} instead.',
		},
		{
			displayName: 'Secret',
			name: 'gatewaySecret',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'The API secret of the token. Spaces around it are left out. It signs requests and is never sent.',
		},
		{
			displayName: 'Send Messages To',
			name: 'sendTo',
			type: 'options',
			options: [
				choice('Anyone', 'anyone', 'Each message goes to its recipient'),
				choice('Allowed Recipients Only', 'allowed', 'A message to anyone else fails'),
				choice('One Test Number', 'testNumber', 'It gets all messages instead of their recipients'),
				choice('Nobody (Rehearsal)', 'nobody', 'Nothing is sent, and workflows run as if it was'),
			],
			default: 'anyone',
			description:
				'Who gets messages with this credential, whoever sends them. Only those who can edit the credential can change it.',
		},
		{
			displayName: 'Allowed Recipients',
			name: 'allowedRecipients',
			type: 'string',
			typeOptions: { rows: 5 },
			default: '',
			placeholder: 'e.g. Ada = +49 151 23456789',
			displayOptions: { show: { sendTo: ['allowed', 'testNumber', 'nobody'] } },
			description:
				'One per line: a phone number with its country code, the beginning of numbers such as +49*, the ID of a group or channel, or the word groups or channels for all of them. A number or an ID can have a name: Ada = +49 151 23456789. Tools then take and return only names. A test needs the list only for its names.',
		},
		{
			displayName: 'Test Recipient',
			name: 'testRecipient',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. +49 151 23456789',
			displayOptions: { show: { sendTo: ['testNumber'] } },
			description: 'A phone number with its country code, or the ID of a group or channel',
		},
		{
			displayName: 'Messages per Minute',
			name: 'messagesPerMinute',
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 0 },
			default: 0,
			description:
				'The pace of the account: the most messages that it sends in any minute, whichever node, agent or person sends them. The option Pace of a node can only be slower. Use 0 for no pace.',
		},
		{
			displayName: 'n8n Processes That Send',
			name: 'processes',
			type: 'number',
			typeOptions: { minValue: 1, numberPrecision: 0 },
			default: 1,
			description:
				'How many n8n processes send with the account, e.g. the workers of queue mode. Each gets an equal share of Messages per Minute.',
		},
		{
			displayName: 'Sign Deferred Requests',
			name: 'signDeferred',
			type: 'boolean',
			default: true,
			description:
				'Whether to also sign requests that may not need it, such as those about deferred deliveries. Gateways ignore what they do not need.',
		},
		{
			displayName: 'Meaning of Responses',
			name: 'responseMeanings',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			placeholder: 'e.g. sent: message = Accepted*',
			description:
				'For a gateway whose responses the node does not understand, one line per rule: sent, deferred, duplicate, done, failed or online, then a field of the response and its value, in which * stands for any text. The error of such a response has the line to add. <a href="https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway/blob/main/docs/gateway-api.md#what-a-response-means">More</a>.',
		},
		// If this field is missing, n8n adds it with choices that do not apply, because the request hook allows only the base URL.
		{
			displayName: 'Allowed HTTP Request Domains',
			name: 'allowedHttpRequestDomains',
			type: 'options',
			options: [
				{
					name: 'Base URL Only',
					value: 'all',
					description:
						'HTTP Request nodes can send requests to the base URL if Send Messages To is Anyone and Messages per Minute is 0. Whoever may use the credential can then read its token.',
				},
				{
					name: 'None',
					value: 'none',
					description: 'HTTP Request nodes cannot use this credential',
				},
			],
			default: 'none',
			description:
				'Whether HTTP Request nodes can use this credential. Requests to any other address than the base URL are never signed or sent.',
		},
		...['baseUrl', 'gatewayToken', 'gatewaySecret', 'signDeferred'].map(expressionMarker),
		...['sendTo', 'allowedRecipients', 'testRecipient', 'responseMeanings'].map(expressionMarker),
		...['messagesPerMinute', 'processes'].map(expressionMarker),
	];

	// There is no `test`: the nodes test the credential (`testedBy`), because they can read both status and body of the response.
	authenticate: IAuthenticate = async (credentials, request) => {
		try {
			checkNode(credentials);
			return authenticatedRequest(credentials, request);
		} catch (thrown) {
			throw asErrorOfN8n(thrown);
		}
	};
}
