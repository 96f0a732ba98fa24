import {
	type IExecuteSingleFunctions,
	type IHttpRequestOptions,
	type INodeProperties,
	updateDisplayOptions,
} from 'n8n-workflow';

import { deliveryPath } from '../../../gateway/endpoints';
import { InvalidInput } from '../../../gateway/invalidInput';

export const properties: INodeProperties[] = updateDisplayOptions(
	{ show: { resource: ['deferred'], operation: ['get', 'delete'] } },
	[
		{
			displayName: 'Delivery Key',
			name: 'deliveryKey',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 7f9c2ba4e88f827d',
			description: 'The key that the gateway gave the delivery when it deferred the message',
		},
	],
);

export async function fillIn(
	this: IExecuteSingleFunctions,
	request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	const deliveryKey = checked(this.getNodeParameter('deliveryKey'));
	return { ...request, url: deliveryPath(request.url, deliveryKey) };
}

/** As parts of a path, nothing means the whole list, and dots mean another place. */
function checked(entered: unknown): string {
	const isText = typeof entered === 'string' || Number.isFinite(entered);
	const key = isText ? String(entered).trim() : '';
	if (key !== '' && key !== '.' && key !== '..' && key.isWellFormed()) return key;
	throw new InvalidInput(
		key === '' ? "'Delivery Key' is empty" : "'Delivery Key' is not the key of a delivery",
		"Enter the 'deliveryKey' of a deferred delivery; Deferred Delivery > Get Many lists them.",
	);
}
