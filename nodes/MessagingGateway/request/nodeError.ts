import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { MAY_HAVE_BEEN_SENT } from '../../../gateway/errors/errorCatalog';
import { errorMessage } from '../../../gateway/errors/errorMessage';
import type { ErrorText, Failed } from '../../../gateway/replies/failure';

const NOT_TRIED =
	'This message was not sent: the gateway had rejected the messages before it for too long.';

const REST_NOT_SENT =
	'The parts after it were not sent. If you send the message again, only an idempotency key keeps parts from arriving twice.';

const partsSent = ({ sent, of }: NonNullable<Failed['parts']>) =>
	`part ${sent + 1} failed, ${sent} of ${of} parts were sent`;

/** Built from texts only: the original error contains the URL, and with it the token. */
export function toNodeError(
	node: INode,
	{ failure, attempts = 1, isUncertain, parts }: Failed,
	itemIndex?: number,
	/** The results of the other messages of the run. */
	summary?: ErrorText,
): NodeApiError | NodeOperationError {
	// The clocks are compared at the time of the response, not at the end of the run.
	const now = failure.kind === 'rejected' ? failure.receivedAt : Date.now();
	const text = errorMessage(failure, now);
	const messages = [
		text.message,
		isUncertain && MAY_HAVE_BEEN_SENT,
		parts && partsSent(parts),
		summary?.message,
	];
	// n8n's editor recognises this suffix and does not add another one.
	const item = itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
	const message = messages.filter(Boolean).join('; ') + item;
	const description = [
		text.description,
		attempts === 0 && !parts?.sent && NOT_TRIED,
		attempts > 1 && `The node made ${attempts} attempts.`,
		parts && (parts.sent > 0 || isUncertain) && REST_NOT_SENT,
		summary?.description,
	]
		.filter(Boolean)
		.join(' ');
	if (failure.kind === 'invalidInput') {
		return new NodeOperationError(node, message, { description, itemIndex });
	}
	// Without the code of a connection failure, which would make n8n replace the message.
	const httpCode = failure.kind === 'rejected' ? String(failure.response.status) : undefined;
	return new NodeApiError(node, {}, { message, description, httpCode, itemIndex });
}
