import {
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
	type NodeHint,
} from 'n8n-workflow';

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
		hint: 'Polls at most once a minute. Changes that revert between two polls are missed.',
	},
)('The event that starts the workflow');

const notice: INodeProperties = {
	displayName: 'This trigger does not receive messages, because the gateway does not report them',
	name: 'notice',
	type: 'notice',
	default: '',
};

const hints: NodeHint[] = [
	{
		message:
			'Several deliveries can change between two polls. The workflow then gets several items.',
		type: 'info',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: '={{ $parameter["event"].startsWith("deferred") }}',
	},
];

export class MessagingGatewayTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Gateway Trigger',
		name: 'messagingGatewayTrigger',
		icon: { light: 'file:messagingGateway.svg', dark: 'file:messagingGateway.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["event"] }}',
		// n8n's node panel shows this text for the trigger and the other node together.
		description:
			'Send messages, or start the workflow when the session or a deferred delivery changes',
		documentationUrl:
			'https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway/blob/main/docs/session.md#the-trigger',
		defaults: { name: 'Messaging Gateway Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingGatewayApi', required: true, testedBy: 'testConnection' }],
		hints,
		properties: withStoredValues([
			notice,
			event,
			...events.flatMap(([value, { properties }]) => shownFor({ event: [value] }, ...properties)),
			requestOptionsField('Time in ms to wait for the response before aborting, at most 15000'),
		]),
	};

	methods = { credentialTest: { testConnection } };

	poll = pollTrigger;
}
