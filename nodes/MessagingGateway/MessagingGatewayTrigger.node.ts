import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

import { choice, shownFor } from './fields/field';
import { withStoredValues } from './n8n/storedValues';
import { testConnection } from './request/credentialTest';
import { requestOptionsField } from './request/requestOptions';
import type { TriggerEvent } from './trigger/event';
import { EVENTS, pollTrigger } from './trigger/poll';

const events = Object.entries<Pick<TriggerEvent, 'label' | 'description' | 'properties'>>(EVENTS);

const event = choice(
	'event',
	'Trigger On',
	'statusChanged',
	events.map(([value, { label, description }]) => [value, label, description]),
	{
		noDataExpression: true,
		hint: 'The node polls at the Poll Times, at most once a minute. Changes that revert between two polls are missed. The gateway does not report incoming messages.',
	},
)('The event that starts the workflow');

export class MessagingGatewayTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Gateway Trigger',
		name: 'messagingGatewayTrigger',
		icon: { light: 'file:messagingGateway.svg', dark: 'file:messagingGateway.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["event"] }}',
		description:
			'Starts the workflow when the phone goes offline or comes back, and when a message is deferred or settled',
		documentationUrl:
			'https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway/blob/main/docs/trigger.md',
		defaults: { name: 'Messaging Gateway Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingGatewayApi', required: true, testedBy: 'testConnection' }],
		properties: withStoredValues([
			event,
			...events.flatMap(([value, { properties }]) => shownFor({ event: [value] }, ...properties)),
			requestOptionsField('Time in ms to wait for the response before aborting, at most 15000'),
		]),
	};

	methods = { credentialTest: { testConnection } };

	poll = pollTrigger;
}
