import { textForNotSent } from './errorCatalog';
import { notSentCause, type RequestFailure, TIMEOUT } from '../replies/failure';
import { shownUrl } from '../files/fileSource';
import { InvalidInput } from '../invalidInput';
import { retryPolicy } from './retryPolicy';

interface Reason {
	reason: string;
	whatToDo: string;
}

const CHECK_NETWORK =
	"Check the URL and the network of the machine that runs n8n. If you use a proxy under 'Request Options', check its address.";

const NOT_CONNECTED: Record<string, Reason> = {
	refused: {
		reason: 'the connection was refused',
		whatToDo: `${CHECK_NETWORK} Check also that the server is running.`,
	},
	hostName: { reason: 'the host name was not found', whatToDo: CHECK_NETWORK },
	dns: { reason: 'the host name could not be resolved', whatToDo: CHECK_NETWORK },
	certificate: {
		reason: 'the certificate of the server is not trusted',
		whatToDo:
			"Fix the certificate or, for your own server, turn on 'Ignore SSL Issues' under 'Request Options'.",
	},
	tls: {
		reason: 'no secure connection could be established',
		whatToDo: 'If the server does not use TLS at this port, the URL must not start with https://.',
	},
	blocked: { reason: 'n8n blocked the request', whatToDo: '' },
	noConnection: { reason: 'no connection could be established', whatToDo: CHECK_NETWORK },
};

const INTERRUPTED: Record<string, Reason> = {
	[TIMEOUT]: {
		reason: 'it took longer than the timeout',
		whatToDo: "Try again later, or set a longer timeout under 'Request Options'.",
	},
	ERR_FR_TOO_MANY_REDIRECTS: {
		reason: 'the server redirects too often',
		whatToDo: 'Open the URL in a private window of a browser: it may need a sign-in.',
	},
};

const DISCONNECTED: Reason = {
	reason: 'the connection closed before the file was complete',
	whatToDo: 'Try again later.',
};

const SIGN_IN: Reason = {
	reason: 'the server requires a sign-in',
	whatToDo:
		"The node downloads without any credential. Use a public or signed URL, or download the file with an HTTP Request node and choose Binary File as 'Media Source'.",
};

const NOT_FOUND: Reason = {
	reason: 'the server does not have it',
	whatToDo: 'Check the URL for a typo, and whether the link has expired.',
};

const STATUSES: Record<number, Reason> = {
	401: SIGN_IN,
	403: SIGN_IN,
	404: NOT_FOUND,
	410: NOT_FOUND,
	429: {
		reason: 'the server of the file limits the requests',
		whatToDo: "Try again later, or lower 'Concurrency' under Options.",
	},
};

function textForStatus(status: number): Reason {
	const { reason, whatToDo } = STATUSES[status] ?? {
		reason: 'the server did not send it',
		whatToDo:
			status >= 500
				? 'Try again later.'
				: 'Open the URL in a private window of a browser to see why.',
	};
	return { reason: `${reason} (status ${status})`, whatToDo };
}

function reasonOf(failure: RequestFailure): Reason {
	if (failure.kind === 'rejected') return textForStatus(failure.response.status);
	if (failure.kind === 'noResponse') return INTERRUPTED[failure.code] ?? DISCONNECTED;
	if (failure.kind !== 'notSent') return DISCONNECTED;
	const cause = notSentCause(failure.code);
	const known = NOT_CONNECTED[cause];
	if (!known) {
		// About the proxy.
		const { message, description } = textForNotSent(cause);
		return { reason: message, whatToDo: description };
	}
	return failure.reason ? { ...known, whatToDo: `n8n says: ${failure.reason}` } : known;
}

/** Why a file could not be downloaded. Its server is not the gateway, so the texts differ; the retry policy does not. */
export function downloadError(url: URL, failure: RequestFailure, now: number): InvalidInput {
	const { reason, whatToDo } = reasonOf(failure);
	const { isTemporary, waitMs } = retryPolicy(failure, now);
	return new InvalidInput(
		`The file at ${shownUrl(url)} (Media URL) could not be downloaded: ${reason}`,
		whatToDo,
		isTemporary ? { waitMs } : undefined,
	);
}
