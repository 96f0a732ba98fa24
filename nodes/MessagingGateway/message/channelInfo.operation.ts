import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import { channel } from '../../../gateway/invites';
import { channelInfoBody } from '../../../gateway/messageBody';
import { additionalFields, optionsCollection, written } from './bodyFields';
import { additionalFieldsOf, formOf, optionsOf, verbatimBodyOf } from './fieldValues';
import type { BodyBuilder } from './itemBody';

export const properties: INodeProperties[] = updateDisplayOptions(written('channelInfo'), [
	{
		displayName: 'Channel',
		name: 'channel',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://example.com/channel/AbCdEf123456',
		description: 'The code of a channel, or its link',
	},
]);

export const options = optionsCollection('channelInfo', [additionalFields]);

export const body: BodyBuilder = (item) =>
	formOf(item) === 'json'
		? verbatimBodyOf(item)
		: channelInfoBody(channel(item.field('channel')), additionalFieldsOf(optionsOf(item)));

export const notFound = {
	message: 'There is no such channel',
	description:
		"The channel may have been withdrawn, or there is a typing slip in it. If the channel is right, check 'Base URL' of the credential.",
};
