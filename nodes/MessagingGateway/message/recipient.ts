import type { ILoadOptionsFunctions, INodeListSearchResult, INodeProperties } from 'n8n-workflow';

import { chatId, country } from '../../../gateway/text/chatId';
import { COUNTRIES } from '../../../gateway/text/countries';
import { namedRecipient, namesOf } from '../../../gateway/wire/guard';
import { comparableName } from '../../../gateway/wire/recipientNames';
import { choice, searchable } from '../fields/field';
import { isModelCall } from '../n8n/toolCalls';
import type { Item } from '../operation/item';
import { toNodeError } from '../operation/outputItems';
import { readAccount } from '../request/account';
import { failureInInput } from '../request/inputErrors';

export const recipient = searchable('chatId', 'Chat ID', 'id', 'searchRecipients', {
	...{ displayName: 'By Number, ID or Name', type: 'string' },
	placeholder: 'e.g. +49 151 23456789',
	hint: 'A phone number with country code, or the ID of a group or channel, from the console of your gateway',
})(
	'The recipient: a phone number with its country code, an ID that ends in @c.us (person), @g.us (group) or @newsletter (channel), or a name on the list of the credential. For numbers without a country code, add the option Default Country.',
);

export const defaultCountry = choice(
	'defaultCountry',
	'Default Country',
	'',
	[...COUNTRIES],
	// This lets expressions return the code in upper or lower case.
	{ allowArbitraryValues: true },
)(
	'The country of numbers without a country code, e.g. 0151 23456789. Numbers with + or 00 keep their own. An expression must return a code of two letters such as DE.',
	'messages.md#recipients',
);

/** Returns the ID of a recipient, and its name if that was entered. */
export function recipientOf(
	{ context, credentials = {}, field, option }: Item,
	{ name, displayName }: Pick<INodeProperties, 'name' | 'displayName'> = recipient,
): { id: string; name?: string } {
	const entered = field(name);
	const named = namedRecipient(credentials, entered, isModelCall(context));
	return named ?? { id: chatId(entered, country(option(defaultCountry.name)), displayName) };
}

/** Lists the names of the credential. Whoever may only use it sees no numbers. */
export async function searchRecipients(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	try {
		const { all = [] } = namesOf((await readAccount(this)).credentials) ?? {};
		const found = all.filter((name) => comparableName(name).includes(comparableName(filter)));
		return { results: found.map((name) => ({ name, value: name })) };
	} catch (thrown) {
		throw toNodeError(this.getNode(), failureInInput(thrown));
	}
}
