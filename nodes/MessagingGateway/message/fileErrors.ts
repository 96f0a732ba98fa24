import { causeName, type Text } from '../../../gateway/failures/causes';
import { notSentText } from '../../../gateway/failures/errorMessage';
import { retryPolicy } from '../../../gateway/failures/retryPolicy';
import { shownUrl } from '../../../gateway/files/downloadedFile';
import { InvalidInput } from '../../../gateway/invalidInput';
import { type ErrorText, type RequestFailure, TIMEOUT } from '../../../gateway/responses/failure';

const CHECK_NETWORK = 'Check the URL and the network of the machine that runs n8n.';

/** Why a file at a Media URL could not be downloaded. Its server is not the gateway, so the texts differ. */
const FILE_ROWS = {
	refused: {
		happened: 'the connection was refused',
		whatToDo: `${CHECK_NETWORK} Check also that the server is running.`,
	},
	hostName: { happened: 'the host name was not found', whatToDo: `${CHECK_NETWORK}` },
	dns: { happened: 'the host name could not be resolved', whatToDo: `${CHECK_NETWORK}` },
	certificate: {
		happened: 'the certificate of the server is not trusted',
		whatToDo:
			"Fix the certificate or, for your own server, turn on 'Ignore SSL Issues' under 'Request Options'.",
	},
	tls: {
		happened: 'no secure connection could be established',
		whatToDo: 'If the server does not use TLS at this port, the URL must not start with https://.',
	},
	blocked: { happened: 'n8n blocked the request', whatToDo: '' },
	noConnection: { happened: 'no connection could be established', whatToDo: `${CHECK_NETWORK}` },
	timeout: {
		happened: 'it took longer than the timeout',
		whatToDo: "Try again later, or set a longer timeout under 'Request Options'.",
	},
	redirects: {
		happened: 'the server redirects too often',
		whatToDo: 'Open the URL in a private window of a browser: it may need a sign-in.',
	},
	disconnected: {
		happened: 'the connection closed before the file was complete',
		whatToDo: 'Try again later.',
	},
	signIn: {
		happened: 'the server requires a sign-in',
		whatToDo:
			"The node downloads without any credential. Use a public or signed URL, or download the file with an HTTP Request node and choose Binary File as 'Media Source'.",
	},
	notFound: {
		happened: 'the server does not have it',
		whatToDo: 'Check the URL for a typo, and whether the link has expired.',
	},
	rateLimit: {
		happened: 'the server of the file limits the requests',
		whatToDo: "Try again later, or lower 'Concurrency' under Options.",
	},
	serverError: { happened: 'the server did not send it', whatToDo: 'Try again later.' },
	rejected: {
		happened: 'the server did not send it',
		whatToDo: 'Open the URL in a private window of a browser to see why.',
	},
};

type FileCause = keyof typeof FILE_ROWS;

function textOf(cause: FileCause): ErrorText {
	const { happened: message, whatToDo: description }: Text = FILE_ROWS[cause];
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
const isFileCause = (cause: string): cause is FileCause => Object.hasOwn(FILE_ROWS, cause);

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
	if (!isFileCause(cause)) return notSentText(failure);
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
