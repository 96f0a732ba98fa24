import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import { inviteCode } from '../../../gateway/invites';
import { inviteInfoBody } from '../../../gateway/messageBody';
import { additionalFields, optionsCollection, written } from './bodyFields';
import { additionalFieldsOf, formOf, optionsOf, verbatimBodyOf } from './fieldValues';
import type { BodyBuilder } from './itemBody';

export const properties: INodeProperties[] = updateDisplayOptions(written('inviteInfo'), [
	{
		displayName: 'Invite Code',
		name: 'inviteCode',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. AbCdEf123456',
		description: 'The code of an invite to a group; a pasted invite link works, too',
	},
]);

export const options = optionsCollection('inviteInfo', [additionalFields]);

export const body: BodyBuilder = (item) =>
	formOf(item) === 'json'
		? verbatimBodyOf(item)
		: inviteInfoBody(inviteCode(item.field('inviteCode')), additionalFieldsOf(optionsOf(item)));

export const notFound = {
	message: 'There is nothing behind this invite',
	description:
		"The invite may have been withdrawn, or there is a typing slip in it. If the invite is right, check 'Base URL' of the credential.",
};
