import { isDocumentedCode, OFFLINE_CODE } from '../replies/errorResponse';
import type { ErrorText } from '../replies/failure';

const CODES = {
	missing_auth_headers: {
		message: 'The gateway found no signature on the request',
		description:
			'Something between n8n and the gateway, probably a proxy, removes the headers X-API-Timestamp and X-API-Signature. Configure it to pass them on.',
	},
	missing_signature: {
		message: 'The gateway found no signature on the request',
		description:
			"Something between n8n and the gateway, probably a proxy, removes the header X-API-Signature. If 'Sign Deferred Requests' is off in the credential, turn it on.",
	},
	invalid_token: {
		message: 'The gateway does not know the token',
		description:
			"Copy the token from the gateway's console into 'Token' of the credential, without spaces around it, and check that 'Base URL' is the address the token belongs to.",
	},
	token_inactive: {
		message: 'The token is not active',
		description: "Activate the token in the gateway's console, then try again.",
	},
	token_expired: {
		message: 'The token has expired',
		description:
			"Renew the token in the gateway's console and enter the new one in the credential.",
	},
	token_deleted: {
		message: 'The token was deleted',
		description: "Create a new token in the gateway's console and enter it in the credential.",
	},
	unauthorized: {
		message: 'The gateway did not accept the credential',
		description: "Check 'Token' and 'Secret' of the credential against the gateway's console.",
	},
	invalid_signature: {
		message: 'The gateway did not accept the signature',
		description:
			"Most likely 'Secret' of the credential does not belong to this token: copy it from the gateway's console, without spaces around it. If the secret is right, choose another 'Request Body', because some gateways expect the legacy names, and look for a proxy that changes the body.",
	},
	signature_expired: {
		message: "The timestamp of the request is too far from the gateway's clock",
		description:
			'Set the clock of the machine that runs n8n (NTP). If the clock is right, something delays the request, probably a proxy.',
	},
	insufficient_balance: {
		message: "The account's balance is used up",
		description: "Top up the account in the gateway's console, then try again.",
	},
	ip_not_allowed: {
		message: 'The gateway does not accept requests from the address of this n8n',
		description:
			"Add the public IP address of the machine that runs n8n to the allow list in the gateway's console.",
	},
	no_api_access: {
		message: "The account's plan has no access to the API",
		description: "Choose a plan with API access in the gateway's console.",
	},
	payg_confirm_required: {
		message: 'The gateway requires you to confirm pay-as-you-go',
		description: "Confirm pay-as-you-go in the gateway's console, then try again.",
	},
	validation_error: {
		message: 'The gateway did not accept a value in the request',
		description:
			"Check the fields of this node. Fields that the node does not have go into 'Additional Fields'.",
	},
	already_exists: {
		message: 'The gateway has this already',
		description: 'Nothing was created twice. Use the existing one.',
	},
	invalid_json: {
		message: 'The gateway could not read the request as JSON',
		description:
			"If 'Request Body' is Custom JSON, check the text in 'Body'. Otherwise look for a proxy that changes the body.",
	},
	invalid_amount_format: {
		message: 'The gateway did not accept the format of an amount',
		description: 'Write amounts with digits and a dot, e.g. 12.50.',
	},
	test_message_failed: {
		message: 'The gateway could not deliver its test message',
		description:
			"Check with Session > Get Status that the session is ONLINE, and check the recipient's number.",
	},
	rate_limit_exceeded: {
		message: "The gateway's rate limit was reached",
		description:
			"Wait before you try again, and send more slowly: set 'Messages per Minute' under Options for messages, or Batching under 'Request Options' for every operation.",
	},
};

export const START_OR_PAIR =
	'Use Session > Pair: it starts the session, and outputs a QR code if the phone has to be paired again.';

const OFFLINE: ErrorText = {
	message: 'The session is not online',
	description: `${START_OR_PAIR} Send again after Session > Wait Until Online. To check the status before sending, add the option 'When Offline'.`,
};

const STATUSES: Record<number, ErrorText> = {
	400: {
		message: 'The gateway did not understand the request',
		description: 'Check the values in the fields of this node.',
	},
	401: {
		message: 'The gateway did not accept the credential',
		description:
			"Check 'Token' and 'Secret' of the credential against the gateway's console, and the clock of the machine that runs n8n.",
	},
	402: CODES.insufficient_balance,
	403: {
		message: 'The gateway does not allow this',
		description:
			"Check in the gateway's console whether the token has the permission, and whether the address of this n8n is on the allow list. If you use a proxy, check whether it allows connections to the gateway.",
	},
	404: {
		message: 'The gateway found nothing at this address',
		description:
			"Check 'Base URL' of the credential: it ends before /api/whatsapp. If it is right, what you requested does not exist, or no longer exists.",
	},
	405: {
		message: 'The gateway does not support this operation',
		description: "Check 'Base URL' of the credential, and whether your gateway has this operation.",
	},
	408: {
		message: 'The gateway waited too long for the request',
		description: 'Try again. Large files may need a faster connection.',
	},
	409: {
		message: 'The gateway cannot do this in the current state of the session',
		description:
			'Check Session > Get Status. If the session is not online, use Session > Pair, which starts it and outputs a QR code if the phone has to be paired again. Try again after Session > Wait Until Online.',
	},
	413: {
		message: 'The message is too large for the gateway',
		description: 'Send a smaller file.',
	},
	422: CODES.validation_error,
	429: CODES.rate_limit_exceeded,
};

const SERVER_ERROR: ErrorText = {
	message: 'The gateway could not process the request',
	description:
		'The cause is in the gateway, not in this workflow. Try again later. A message may have been sent: check before you send it again.',
};

const REDIRECT: ErrorText = {
	message: 'The gateway redirected the request to another address',
	description:
		"Signed requests do not follow redirects. Enter the gateway's final address in 'Base URL' of the credential.",
};

/** A web page with a status of success. */
export const WEB_PAGE: ErrorText = {
	message: 'The response is a web page, not the response of a gateway',
	description:
		"Check 'Base URL' of the credential: it ends before /api/whatsapp. If it is right, something between n8n and the gateway responds instead, such as a firewall or the sign-in page of a network (captive portal).",
};

const DENIED: ErrorText = {
	message: 'The gateway rejected the request',
	description:
		"The status of the response means success, but its content says the opposite. Check Session > Get Status, and the gateway's console.",
};

/** Codes about the token, the signature or the access of the account. */
export const isCredentialCode = (code: string) =>
	/signature|token|unauthorized|auth_headers|ip_not_allowed|no_api_access/.test(code);

export function textForCode(code: string): ErrorText | undefined {
	if (isDocumentedCode(code)) return CODES[code as keyof typeof CODES];
	return OFFLINE_CODE.test(code) ? OFFLINE : undefined;
}

/** Whether to quote a code in a message. n8n replaces messages that contain a code like ECONNRESET. */
export function isQuotable(code: string, status: number): boolean {
	if (isDocumentedCode(code)) return true;
	const isFamiliar = OFFLINE_CODE.test(code) || (status === 429 && code.includes('limit'));
	return isFamiliar && /^\w{1,40}$/.test(code);
}

export function textForStatus(status: number): ErrorText {
	const known = STATUSES[status];
	if (known) return known;
	if ([301, 302, 303, 307, 308].includes(status)) return REDIRECT;
	if (status >= 500) return SERVER_ERROR;
	if (status >= 200 && status < 300) return DENIED;
	return {
		message: 'The gateway rejected the request',
		description: `Check the gateway's console or documentation for the meaning of status ${status}.`,
	};
}

const NOT_SENT: Record<string, ErrorText> = {
	refused: {
		message: "The connection to the gateway's address was refused",
		description:
			"Check 'Base URL' of the credential (host and port), and that the gateway is running. If you use a proxy under 'Request Options', check its address.",
	},
	hostName: {
		message: "The gateway's host name was not found",
		description:
			"Check 'Base URL' of the credential for a typo. If you use a proxy under 'Request Options', check its address.",
	},
	dns: {
		message: "The gateway's host name could not be resolved",
		description:
			"Check the network and DNS of the machine that runs n8n. If you use a proxy under 'Request Options', check its address.",
	},
	certificate: {
		message: "The gateway's certificate is not trusted",
		description:
			"Fix the certificate or, for your own gateway, turn on 'Ignore SSL Issues' under 'Request Options'.",
	},
	tls: {
		message: 'No secure connection to the gateway could be established',
		description:
			"If the gateway does not use TLS at this port, 'Base URL' of the credential must not start with https://. Otherwise check its port, and which TLS versions and client certificates the gateway expects. If you use a proxy under 'Request Options', check its protocol.",
	},
	blocked: {
		message: 'n8n blocked the request to the gateway',
		description: '',
	},
	paused: {
		message: "The account's requests are paused",
		description:
			"The gateway's rate limit was reached, and it asked to wait. Try again later, and send fewer requests per minute.",
	},
	proxyClosed: {
		message: 'The proxy closed the connection',
		description:
			"Check the proxy under 'Request Options' (address and protocol), or n8n's default proxy.",
	},
	proxySignIn: {
		message: 'The proxy requires a user name and a password',
		description: "Add them to the address of 'Proxy' under 'Request Options'.",
	},
	noConnection: {
		message: 'No connection to the gateway could be established',
		description:
			"Check that the gateway is running, the network of the machine that runs n8n, and 'Base URL' of the credential. If you use a proxy under 'Request Options', check its address.",
	},
};

/** `reason`: n8n's reason for a block, or the end of a pause. */
export function textForNotSent(cause: string, reason?: string): ErrorText {
	const { message, description } = NOT_SENT[cause]!;
	const isPause = cause === 'paused';
	const parts = ['Nothing was sent.', description, reason && !isPause && `n8n says: ${reason}`];
	return {
		message: reason && isPause ? `${message} until ${reason}` : message,
		description: parts.filter(Boolean).join(' '),
	};
}

const UNKNOWN =
	'It is unknown whether the gateway processed the request: for a message, check whether it arrived before you send it again. With an idempotency key, sending it again is safe.';

const NO_RESPONSE: Record<string, ErrorText> = {
	TIMEOUT: {
		message: 'The gateway did not respond within the timeout',
		description: `${UNKNOWN} You can set a longer timeout under 'Request Options'.`,
	},
	RESPONSE_TOO_LARGE: {
		message: 'The response of the gateway is too large',
		description: `Reading stopped at the 16 MB limit. ${UNKNOWN} Check 'Base URL' of the credential.`,
	},
	EHOSTUNREACH: {
		message: 'The gateway cannot be reached over the network',
		description: `Check the network of the machine that runs n8n, and 'Base URL' of the credential. ${UNKNOWN}`,
	},
	ERR_CANCELED: {
		message: 'The execution was stopped before the gateway responded',
		description: UNKNOWN,
	},
};

const DISCONNECTED: ErrorText = {
	message: 'The connection closed before a complete response arrived',
	description: UNKNOWN,
};

const SAME_AS: Record<string, string> = {
	ENETUNREACH: 'EHOSTUNREACH',
	ENETDOWN: 'EHOSTUNREACH',
	EADDRNOTAVAIL: 'EHOSTUNREACH',
	ECONNABORTED: 'TIMEOUT',
	ETIMEDOUT: 'TIMEOUT',
	ESOCKETTIMEDOUT: 'TIMEOUT',
};

export function textForNoResponse(code: string): ErrorText {
	const name = SAME_AS[code] ?? code;
	return Object.hasOwn(NO_RESPONSE, name) ? NO_RESPONSE[name]! : DISCONNECTED;
}

/** Workflows branch on this phrase: it must not change. */
export const MAY_HAVE_BEEN_SENT = 'unknown: it may have been sent';
