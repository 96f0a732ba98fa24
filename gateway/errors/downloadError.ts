import { type ErrorText, notSentCause, type RequestFailure, TIMEOUT } from '../replies/failure';
import { shownUrl } from '../files/fileSource';
import { InvalidInput } from '../invalidInput';
import { type FileCause, fileText, isFileCause, textForNotSent } from './errorCatalog';
import { retryPolicy } from './retryPolicy';

const STATUSES: Record<number, FileCause> = {
	401: 'signIn',
	403: 'signIn',
	404: 'notFound',
	410: 'notFound',
	429: 'rateLimit',
};
const INTERRUPTED: Record<string, FileCause> = {
	[TIMEOUT]: 'timeout',
	ERR_FR_TOO_MANY_REDIRECTS: 'redirects',
};

function textOf(failure: RequestFailure): ErrorText {
	if (failure.kind === 'rejected') {
		const { status } = failure.response;
		const text = fileText(STATUSES[status] ?? (status >= 500 ? 'serverError' : 'rejected'));
		return { ...text, message: `${text.message} (status ${status})` };
	}
	if (failure.kind === 'noResponse') return fileText(INTERRUPTED[failure.code] ?? 'disconnected');
	if (failure.kind !== 'notSent') return fileText('disconnected');
	const cause = notSentCause(failure.code);
	// The others are about the proxy.
	if (!isFileCause(cause)) return textForNotSent(cause);
	const text = fileText(cause);
	return failure.reason ? { ...text, description: `n8n says: ${failure.reason}` } : text;
}

/** Why a file could not be downloaded. Its server is not the gateway, so the texts differ; the retry policy does not. */
export function downloadError(url: URL, failure: RequestFailure, now: number): InvalidInput {
	const { message, description } = textOf(failure);
	const { isTemporary, waitMs } = retryPolicy(failure, now);
	return new InvalidInput(
		`The file at ${shownUrl(url)} (Media URL) could not be downloaded: ${message}`,
		description,
		isTemporary ? { waitMs } : undefined,
	);
}
