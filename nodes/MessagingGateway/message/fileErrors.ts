import { errorMessage } from '../../../gateway/failures/errorMessage';
import { retryPolicy } from '../../../gateway/failures/retryPolicy';
import { shownUrl } from '../../../gateway/files/downloadedFile';
import { InvalidInput } from '../../../gateway/inputValues';
import {
	causeName,
	type ErrorText,
	type RequestFailure,
	type Text,
	TIMEOUT,
} from '../../../gateway/responses/failure';
import table from './fileErrors.json';

type FileCause = keyof typeof table;

function textOf(cause: FileCause): ErrorText {
	const { happened: message, whatToDo: description }: Text = table[cause];
	return { message, description, cause: causeName(cause) };
}

/** By the status of the server, or the code of a failure. */
const FILE_CAUSES: Record<number | string, FileCause> = {
	401: 'signIn',
	403: 'signIn',
	404: 'notFound',
	410: 'notFound',
	429: 'rateLimit',
	[TIMEOUT]: 'timeout',
	ERR_FR_TOO_MANY_REDIRECTS: 'redirects',
};
const isFileCause = (cause: string): cause is FileCause => Object.hasOwn(table, cause);

function fileText(failure: RequestFailure): ErrorText {
	if (failure.kind === 'rejected') {
		const { status } = failure.response;
		const cause = FILE_CAUSES[status] ?? (status >= 500 ? 'serverError' : 'rejected');
		const text = textOf(cause);
		return { ...text, message: `${text.message} (status ${status})` };
	}
	if (failure.kind !== 'notSent') {
		const code = failure.kind === 'noResponse' ? failure.code : '';
		return textOf(FILE_CAUSES[code] ?? 'disconnected');
	}
	const { cause, reason } = failure;
	// The others are about the proxy.
	if (!isFileCause(cause)) return errorMessage(failure);
	const text = textOf(cause);
	return reason ? { ...text, description: `n8n says: ${reason}` } : text;
}

/** Why a file could not be downloaded. Its server is not the gateway, so the texts differ; the retry policy does not. */
export function downloadError(url: URL, failure: RequestFailure): InvalidInput {
	const { message, description } = fileText(failure);
	const { isTemporary, requestedWaitMs } = retryPolicy(failure);
	return new InvalidInput(
		`The file at ${shownUrl(url)} (Media URL) could not be downloaded: ${message}`,
		description,
		isTemporary ? { requestedWaitMs } : undefined,
	);
}
