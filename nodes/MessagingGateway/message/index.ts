import type { INodeProperties, INodeType } from 'n8n-workflow';

import { endpoints } from '../../../gateway/endpoints';
import { plainItems, reading, sentItems } from '../items';
import { operationPicker, route } from '../routes';
import { bodyFields } from './bodyFields';
import * as channelInfo from './channelInfo.operation';
import * as inviteInfo from './inviteInfo.operation';
import * as send from './send.operation';
import * as sendMedia from './sendMedia.operation';
import { deliver } from './deliver';
import { putBody, putMessage } from './itemBody';

export const properties: INodeProperties[] = [
	operationPicker(
		'message',
		[
			{
				name: 'Get Channel Info',
				value: 'channelInfo',
				action: 'Get channel info',
				description: 'Look up a channel by its code or link',
				routing: route(endpoints.channelInfo, {
					before: putBody(channelInfo.body),
					after: reading(plainItems, { notFound: channelInfo.notFound }),
				}),
			},
			{
				name: 'Get Invite Info',
				value: 'inviteInfo',
				action: 'Get invite info',
				description: 'Look up the group behind an invite code or link',
				routing: route(endpoints.inviteInfo, {
					before: putBody(inviteInfo.body),
					after: reading(plainItems, { notFound: inviteInfo.notFound }),
				}),
			},
			{
				name: 'Send',
				value: 'send',
				action: 'Send text message',
				description: 'Send a text message to a person, a group or a channel',
				routing: route(endpoints.sendMessage, {
					before: putMessage(send.open),
					after: reading(sentItems),
				}),
			},
			{
				name: 'Send Media',
				value: 'sendMedia',
				action: 'Send media message',
				description: 'Send a picture, a video, a document or another file',
				routing: route(endpoints.sendMedia, {
					before: putMessage(sendMedia.open),
					after: reading(sentItems),
				}),
			},
		],
		'send',
	),
	...send.properties,
	...sendMedia.properties,
	...inviteInfo.properties,
	...channelInfo.properties,
	...bodyFields,
	...send.options,
	...sendMedia.options,
	inviteInfo.options,
	channelInfo.options,
];

export const customOperations: NonNullable<INodeType['customOperations']>[string] = {
	send: deliver(endpoints.sendMessage, send.open),
	sendMedia: deliver(endpoints.sendMedia, sendMedia.open),
};
