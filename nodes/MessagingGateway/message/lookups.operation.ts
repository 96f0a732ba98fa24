import type { INodeProperties } from 'n8n-workflow';

import type { JsonObject } from '../../../gateway/json';
import type { ErrorText } from '../../../gateway/replies/failure';
import { channel, inviteCode } from '../../../gateway/text/invites';
import { type Endpoint, endpoints } from '../../../gateway/wire/endpoints';
import { jsonBody } from '../../../gateway/wire/messageBody';
import { options, text } from '../fields/field';
import { optionsIn, parametersOf } from '../fields/read';
import { plainItems } from '../request/items';
import type { Operation } from '../request/operation';
import { requestOperation } from '../request/routing';
import { additionalFields, additionalFieldsOf, JSON_HEADERS } from './fields';

/** A signed request that looks something up. */
const lookup = (
	endpoint: Endpoint,
	field: INodeProperties,
	fieldsOf: (entered: unknown) => JsonObject,
	notFound: ErrorText,
): Omit<Operation, 'option' | 'description'> => ({
	...requestOperation(endpoint, {
		request(context) {
			const read = parametersOf(context);
			const body = jsonBody(fieldsOf(read(field.name)), additionalFieldsOf(optionsIn(read)));
			return { headers: JSON_HEADERS, body };
		},
		read: plainItems,
		notFound,
	}),
	properties: [field, options([additionalFields])],
});

const channelField = text('channel', 'Channel', {
	required: true,
	example: 'https://example.com/channel/AbCdEf123456',
})('The code of a channel, or its link');

export const channelInfo: Operation = {
	option: ['channelInfo', 'Get Channel Info', 'Get channel info'],
	description: 'Look up a channel by its code or link',
	...lookup(endpoints.channelInfo, channelField, channel, {
		message: 'The channel was not found',
		description:
			"It may have been withdrawn, or its code contains a typo. If the channel is right, check 'Base URL' of the credential.",
	}),
};

const inviteField = text('inviteCode', 'Invite Code', { required: true, example: 'AbCdEf123456' })(
	'The code of a group invite, or its link',
);
const inviteFields = (entered: unknown) => ({ inviteCode: inviteCode(entered) });

export const inviteInfo: Operation = {
	option: ['inviteInfo', 'Get Invite Info', 'Get invite info'],
	description: 'Look up the group of an invite code or link',
	...lookup(endpoints.inviteInfo, inviteField, inviteFields, {
		message: 'The invite was not found',
		description:
			"It may have been withdrawn, or it contains a typo. If the invite is right, check 'Base URL' of the credential.",
	}),
};
