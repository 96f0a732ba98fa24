import type {
	IAuthenticate,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { connectionTest, letThrough } from './connectionTest';
import { readyToSend } from './requestHook';

export class MessagingGatewayApi implements ICredentialType {
	name = 'messagingGatewayApi';

	displayName = 'Messaging Gateway API';

	documentationUrl =
		'https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway#credential';

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
			description: "The gateway's address, up to but without /api/whatsapp",
		},
		{
			displayName: 'Token',
			name: 'token',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'The API token of your account. In the URL of an HTTP Request node write {token} instead of it.',
		},
		{
			displayName: 'Secret',
			name: 'secret',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'The API secret that belongs to the token. It signs requests and is never sent.',
		},
		{
			displayName: 'Sign Deferred Requests',
			name: 'signDeferred',
			type: 'boolean',
			default: true,
			description:
				'Whether requests about deferred deliveries carry a signature, too. Gateways that ask for none ignore it.',
		},
	];

	authenticate: IAuthenticate = async (credentials, request) =>
		readyToSend(credentials, letThrough(request));

	test: ICredentialTestRequest = connectionTest;
}
