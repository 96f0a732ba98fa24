import { endpoints } from '../../../gateway/wire/endpoints';
import { channel } from '../../../gateway/text/invites';
import type { Operation } from '../request/operation';
import { additionalFields, body, bodyOptions, builtByNode, lookupBodyForm } from './fields';
import { lookupOperation } from './lookup';

export const channelInfo: Operation = {
	option: {
		name: 'Get Channel Info',
		value: 'channelInfo',
		action: 'Get channel info',
		description: 'Look up a channel by its code or link',
	},
	...lookupOperation(endpoints.channelInfo, ({ field }) => channel(field('channel')), {
		message: 'The channel was not found',
		description:
			"It may have been withdrawn, or its code contains a typo. If the channel is right, check 'Base URL' of the credential.",
	}),
	properties: [
		...builtByNode([
			{
				displayName: 'Channel',
				name: 'channel',
				type: 'string',
				required: true,
				default: '',
				placeholder: 'e.g. https://example.com/channel/AbCdEf123456',
				description: 'The code of a channel, or its link',
			},
		]),
		lookupBodyForm,
		body,
		bodyOptions([additionalFields]),
	],
};
