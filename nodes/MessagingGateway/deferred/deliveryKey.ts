import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { deliveryPath, type Endpoint } from '../../../gateway/wire/endpoints';
import { checkLength } from '../../../gateway/inputValues';
import { InvalidInput } from '../../../gateway/invalidInput';
import { hasDotSegment } from '../../../gateway/percentDecoded';

export const deliveryKey: INodeProperties = {
	displayName: 'Delivery Key',
	name: 'deliveryKey',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 7f9c2ba4e88f827d',
	description: 'The key that the gateway assigned when it deferred the message',
};

/** The URL of the delivery whose key the user entered. */
export const deliveryUrl =
	({ path }: Endpoint) =>
	(context: IExecuteSingleFunctions) => ({
		url: deliveryPath(path, checkedKey(context.getNodeParameter('deliveryKey'))),
	});

/** An empty key would address the whole list; dot segments would address another path. */
function checkedKey(entered: unknown): string {
	const isText = typeof entered === 'string' || Number.isSafeInteger(entered);
	const key = isText ? String(entered).trim() : '';
	checkLength(key, "'Delivery Key'");
	if (key !== '' && !hasDotSegment(key) && key.isWellFormed()) return key;
	throw new InvalidInput(
		`'Delivery Key' is ${typeof entered === 'number' ? TOO_LARGE : key === '' ? 'empty' : 'not the key of a delivery'}`,
		"Enter the 'deliveryKey' of a deferred delivery. Deferred Delivery > Get Many lists them.",
	);
}

/** It has lost digits already, so it could be the key of another delivery. */
const TOO_LARGE = 'a number that is not exact: keys with this many digits must be text';

export const notFound = {
	message: 'There is no deferred delivery with this key',
	description:
		"It was sent or deleted, or its delivery window ended. Deferred Delivery > Get Many lists the current ones. If it should exist, check 'Base URL' and 'Token' of the credential.",
};
