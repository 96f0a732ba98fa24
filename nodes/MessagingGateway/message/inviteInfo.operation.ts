import { endpoints } from '../../../gateway/wire/endpoints';
import { inviteCode } from '../../../gateway/text/invites';
import type { Operation } from '../request/operation';
import { additionalFields, body, bodyOptions, builtByNode, lookupBodyForm } from './fields';
import { lookupOperation } from './lookup';

export const inviteInfo: Operation = {
	option: {
		name: 'Get Invite Info',
		value: 'inviteInfo',
		action: 'Get invite info',
		description: 'Look up the group of an invite code or link',
	},
	...lookupOperation(
		endpoints.inviteInfo,
		({ field }) => ({ inviteCode: inviteCode(field('inviteCode')) }),
		{
			message: 'The invite was not found',
			description:
				"It may have been withdrawn, or it contains a typo. If the invite is right, check 'Base URL' of the credential.",
		},
	),
	properties: [
		...builtByNode([
			{
				displayName: 'Invite Code',
				name: 'inviteCode',
				type: 'string',
				required: true,
				default: '',
				placeholder: 'e.g. AbCdEf123456',
				description: 'The code of a group invite, or its link',
			},
		]),
		lookupBodyForm,
		body,
		bodyOptions([additionalFields]),
	],
};
