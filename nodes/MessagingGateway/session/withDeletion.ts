import {
	type IExecuteSingleFunctions,
	type IHttpRequestOptions,
	type INodeProperties,
	updateDisplayOptions,
} from 'n8n-workflow';

import { InvalidInput } from '../../../gateway/invalidInput';

export const properties: INodeProperties[] = updateDisplayOptions(
	{ show: { resource: ['session'], operation: ['refresh', 'terminate'] } },
	[
		{
			displayName: 'With Deletion',
			name: 'withDeletion',
			type: 'boolean',
			default: false,
			description:
				'Whether to delete the pairing as well, so that the phone must be linked again with a new QR code',
		},
	],
);

/** A gateway that knows only the documented calls gets an empty body, unless somebody asked for more. */
export async function send(
	this: IExecuteSingleFunctions,
	request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const withDeletion = this.getNodeParameter('withDeletion', false) as unknown;
	if (typeof withDeletion !== 'boolean') {
		throw new InvalidInput(
			"'With Deletion' is neither true nor false",
			'Let the expression give true or false, without quotes.',
		);
	}
	return withDeletion ? { ...request, body: { withDeletion } } : request;
}
