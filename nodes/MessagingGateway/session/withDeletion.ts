import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { InvalidInput } from '../../../gateway/invalidInput';

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
	const entered = context.getNodeParameter('withDeletion', false) as unknown;
	if (typeof entered !== 'boolean') {
		throw new InvalidInput(
			"'With Deletion' is neither true nor false",
			'Use an expression that returns true or false, without quotes.',
		);
	}
	return entered ? { body: { withDeletion: true } } : {};
}
