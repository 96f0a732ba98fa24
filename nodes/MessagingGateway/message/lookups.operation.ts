import type { INodeProperties } from 'n8n-workflow';

import type { JsonObject } from '../../../gateway/json';
import { channel, inviteCode } from '../../../gateway/text/invites';
import { endpoints } from '../../../gateway/wire/endpoints';
import { jsonBody } from '../../../gateway/wire/messageBody';
import { options, text } from '../fields/field';
import type { Item } from '../operation/item';
import { requestOperation } from '../operation/operation';
import { additionalFields, additionalFieldsOf } from './commonFields';

const lookup = (looked: INodeProperties, fieldsOf: (entered: unknown) => JsonObject) => ({
	request: (item: Item) => ({
		body: jsonBody(fieldsOf(item.field(looked.name)), additionalFieldsOf(item)),
	}),
	properties: [looked, ...options([additionalFields])],
});

const channelField = text('channel', 'Channel', {
	required: true,
	example: 'https://example.com/channel/AbCdEf123456',
})('The code of a channel, or its link');

export const channelInfo = requestOperation({
	option: ['channelInfo', 'Get Channel Info', 'Get channel info'],
	description: 'Look up a channel by its code or link',
	endpoint: endpoints.channelInfo,
	...lookup(channelField, channel),
	notFound: {
		message: 'The channel was not found',
		description:
			"It may have been withdrawn, or its code contains a typo. If the channel is right, check 'Base URL' of the credential.",
	},
});

const inviteField = text('inviteCode', 'Invite Code', { required: true, example: 'AbCdEf123456' })(
	'The code of a group invite, or its link',
);

export const inviteInfo = requestOperation({
	option: ['inviteInfo', 'Get Invite Info', 'Get invite info'],
	description: 'Look up the group of an invite code or link',
	endpoint: endpoints.inviteInfo,
	...lookup(inviteField, (entered) => ({ inviteCode: inviteCode(entered) })),
	notFound: {
		message: 'The invite was not found',
		description:
			"It may have been withdrawn, or it contains a typo. If the invite is right, check 'Base URL' of the credential.",
	},
});
