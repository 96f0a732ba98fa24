import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { oneOf } from '../../../gateway/inputValues';

export const withDeletion: INodeProperties = {
	displayName: 'With Deletion',
	name: 'withDeletion',
	type: 'boolean',
	default: false,
	description:
		'Whether to also delete the pairing, so that the phone must be linked again with a new QR code',
};

/** No body by default, because a gateway may know only the documented call. */
export function deletionBody(context: IExecuteSingleFunctions): { body?: object } {
	const entered = context.getNodeParameter('withDeletion', false);
	return oneOf<unknown>(entered, [true, false], 'With Deletion')
		? { body: { withDeletion: true } }
		: {};
}
