import type { ErrorText } from '../replies/failure';

interface Row {
	happened: string;
	whatToDo: string;
	/** What to do in the dialog of the credential, which has no operations, options and messages. */
	inDialog?: string;
}

/** Checks the rows and keeps the names of their causes. */
const rows = <Cause extends string>(all: Record<Cause, Row>) => all;

/** Names what happened and what to do. In the dialog of the credential, the advice is about its fields only. */
export function errorText<Cause extends string>(
	rows: Record<Cause, Row>,
	cause: Cause,
	isInDialog = false,
): ErrorText {
	const { happened, whatToDo, inDialog = whatToDo } = rows[cause];
	const name = String(cause).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
	return { message: happened, description: isInDialog ? inDialog : whatToDo, cause: name };
}

export const START_OR_PAIR =
	'Use Session > Pair: it starts the session, and outputs a QR code if the phone has to be paired again.';
const UNKNOWN =
	"It is unknown whether the gateway processed the request: for a message, check whether it arrived before you send it again. With the option 'Idempotency Key' (Send Custom JSON: the field idempotencyKey), sending it again is safe.";
const CHECK_NETWORK = 'Check the URL and the network of the machine that runs n8n.';

const INVALID_VALUE = {
	happened: 'The gateway did not accept a value in the request',
	whatToDo:
		"Check the fields of this node, or with Send Custom JSON the text in 'Body'. Fields that the node does not have go into 'Additional Fields'.",
	inDialog: '',
};

/** One row per cause. Workflows branch on the names of the causes, so the names must not change. */
export const GATEWAY_ROWS = rows({
	// Codes of the API document.
	missing_auth_headers: {
		happened: 'The gateway found no signature on the request',
		whatToDo:
			'Something between n8n and the gateway, probably a proxy, removes the headers X-API-Timestamp and X-API-Signature. Configure it to pass them on.',
	},
	missing_signature: {
		happened: 'The gateway found no signature on the request',
		whatToDo:
			"Something between n8n and the gateway, probably a proxy, removes the header X-API-Signature. If 'Sign Deferred Requests' is off in the credential, turn it on.",
	},
	invalid_token: {
		happened: 'The gateway does not know the token',
		whatToDo:
			"Copy the token from the gateway's console into 'Token' of the credential, and check that 'Base URL' is the address the token belongs to.",
	},
	token_inactive: {
		happened: 'The token is not active',
		whatToDo: "Activate the token in the gateway's console, then try again.",
	},
	token_expired: {
		happened: 'The token has expired',
		whatToDo: "Renew the token in the gateway's console and enter the new one in the credential.",
	},
	token_deleted: {
		happened: 'The token was deleted',
		whatToDo: "Create a new token in the gateway's console and enter it in the credential.",
	},
	unauthorized: {
		happened: 'The gateway did not accept the credential',
		whatToDo:
			"Check 'Token' and 'Secret' of the credential against the gateway's console, and the clock of the machine that runs n8n.",
	},
	invalid_signature: {
		happened: 'The gateway did not accept the signature',
		whatToDo:
			"Most likely 'Secret' of the credential does not belong to this token: copy it from the gateway's console. If the secret is right, look for a proxy that changes the body. For a gateway that expects the legacy names, add the option 'Field Names'.",
		inDialog:
			"Most likely 'Secret' of the credential does not belong to this token: copy it from the gateway's console. If the secret is right, look for a proxy that changes the body.",
	},
	signature_expired: {
		happened: "The timestamp of the request is too far from the gateway's clock",
		whatToDo:
			'Set the clock of the machine that runs n8n (NTP). If the clock is right, something delays the request, probably a proxy.',
	},
	insufficient_balance: {
		happened: "The account's balance is used up",
		whatToDo: "Top up the account in the gateway's console, then try again.",
	},
	ip_not_allowed: {
		happened: 'The gateway does not accept requests from the address of this n8n',
		whatToDo:
			"Add the public IP address of the machine that runs n8n to the allow list in the gateway's console.",
	},
	no_api_access: {
		happened: "The account's plan has no access to the API",
		whatToDo: "Choose a plan with API access in the gateway's console.",
	},
	payg_confirm_required: {
		happened: 'The gateway requires you to confirm pay-as-you-go',
		whatToDo: "Confirm pay-as-you-go in the gateway's console, then try again.",
	},
	validation_error: INVALID_VALUE,
	already_exists: {
		happened: 'The gateway has this already',
		whatToDo: 'Nothing was created twice. Use the existing one.',
	},
	invalid_json: {
		happened: 'The gateway could not read the request as JSON',
		whatToDo:
			"With Send Custom JSON, check the text in 'Body'. Look for a proxy that changes the body.",
		inDialog: 'Look for a proxy that changes the body.',
	},
	invalid_amount_format: {
		happened: 'The gateway did not accept the format of an amount',
		whatToDo: 'Write amounts with digits and a dot, e.g. 12.50.',
	},
	test_message_failed: {
		happened: 'The gateway could not deliver its test message',
		whatToDo:
			"Check with Session > Get Status that the session is ONLINE, and check the recipient's number.",
		inDialog: '',
	},
	rate_limit_exceeded: {
		happened: "The gateway's rate limit was reached",
		whatToDo:
			"Wait before you try again. To send more slowly, add the option 'Pace' for messages, or Batching under 'Request Options' for other operations.",
		inDialog: 'Wait before you try again.',
	},
	// Statuses, and what else a response says.
	bad_request: {
		happened: 'The gateway did not understand the request',
		whatToDo: 'Check the values in the fields of this node.',
	},
	forbidden: {
		happened: 'The gateway does not allow this',
		whatToDo:
			"Check in the gateway's console whether the token has the permission, and whether the address of this n8n is on the allow list. If you use a proxy, check whether it allows connections to the gateway.",
	},
	not_found: {
		happened: 'The gateway found nothing at this address',
		whatToDo:
			"Check 'Base URL' of the credential: it ends before /api/whatsapp. If it is right, what you requested does not exist, or no longer exists.",
	},
	not_supported: {
		happened: 'The gateway does not support this operation',
		whatToDo: "Check 'Base URL' of the credential, and whether your gateway has this operation.",
	},
	request_timeout: {
		happened: 'The gateway waited too long for the request',
		whatToDo: 'Try again. Large files may need a faster connection.',
	},
	conflict: {
		happened: 'The gateway cannot do this in the current state of the session',
		whatToDo:
			"Check Session > Get Status. If the session is not online, use Session > Pair, which starts it and outputs a QR code if the phone has to be paired again. To wait before sending, add the option 'When Offline'. To let the gateway keep messages until the session is online, add 'Delivery Window' (Send Custom JSON: the field windowMs).",
		inDialog: '',
	},
	message_too_large: {
		happened: 'The message is too large for the gateway',
		whatToDo: 'Send a smaller file.',
	},
	unprocessable: INVALID_VALUE,
	offline: {
		happened: 'The session is not online',
		whatToDo: `${START_OR_PAIR} Send again after Session > Wait Until Online. To wait before sending, add the option 'When Offline'. To let the gateway keep messages, add 'Delivery Window' (Send Custom JSON: the field windowMs).`,
		inDialog: '',
	},
	serverError: {
		happened: 'The gateway could not process the request',
		whatToDo:
			"The cause is in the gateway, not in this workflow. Try again later. A message may have been sent: check before you send it again. With the option 'Idempotency Key' (Send Custom JSON: the field idempotencyKey), sending it again is safe.",
		inDialog: 'The cause is in the gateway, not in this workflow. Try again later.',
	},
	redirect: {
		happened: 'The gateway redirected the request to another address',
		whatToDo:
			"Signed requests do not follow redirects. Enter the gateway's final address in 'Base URL' of the credential.",
	},
	webPage: {
		happened: 'The response is a web page, not the response of a gateway',
		whatToDo:
			"Check 'Base URL' of the credential: it ends before /api/whatsapp. If it is right, something between n8n and the gateway responds instead, such as a firewall or the sign-in page of a network (captive portal).",
	},
	denied: {
		happened: 'The gateway rejected the request',
		whatToDo:
			"The status of the response means success, but its content says the opposite. Check Session > Get Status, and the gateway's console.",
		inDialog: 'The status of the response means success, but its content says the opposite.',
	},
	unknown: {
		happened: 'The gateway rejected the request',
		whatToDo: "Check the gateway's console or documentation for the meaning of status",
	},
	// The session.
	loggedOut: {
		happened: 'The phone has logged the session out',
		whatToDo:
			'Use Session > Terminate, then Session > Pair, and scan the new QR code with the phone.',
		inDialog: '',
	},
	banned: {
		happened: 'The account is blocked',
		whatToDo: "Check the phone and the gateway's console for the reason.",
	},
	noStatus: {
		happened: 'The response of the gateway contains no status',
		whatToDo: "Check 'Base URL' of the credential: it ends before /api/whatsapp.",
	},
	// Nothing was sent.
	refused: {
		happened: "The connection to the gateway's address was refused",
		whatToDo:
			"Check 'Base URL' of the credential (host and port), and that the gateway is running.",
	},
	hostName: {
		happened: "The gateway's host name was not found",
		whatToDo: "Check 'Base URL' of the credential for a typo.",
	},
	dns: {
		happened: "The gateway's host name could not be resolved",
		whatToDo: 'Check the network and DNS of the machine that runs n8n.',
	},
	certificate: {
		happened: "The gateway's certificate is not trusted",
		whatToDo:
			"Fix the certificate or, for your own gateway, turn on 'Ignore SSL Issues' under 'Request Options'.",
		inDialog:
			"Fix the certificate. For your own gateway, you can save the credential, and turn on 'Ignore SSL Issues' under 'Request Options' of the node.",
	},
	tls: {
		happened: 'No secure connection to the gateway could be established',
		whatToDo:
			"If the gateway does not use TLS at this port, 'Base URL' of the credential must not start with https://. Otherwise check its port, and which TLS versions and client certificates the gateway expects. If you use a proxy under 'Request Options', check its protocol.",
		inDialog:
			"If the gateway does not use TLS at this port, 'Base URL' of the credential must not start with https://. Otherwise check its port, and which TLS versions and client certificates the gateway expects.",
	},
	blocked: { happened: 'n8n blocked the request to the gateway', whatToDo: '' },
	paused: {
		happened: "The account's requests are paused",
		whatToDo:
			"The gateway's rate limit was reached, and it asked to wait. Send fewer requests per minute.",
	},
	late: {
		happened: 'The message was not sent in time',
		whatToDo: "'Send Within' was over before its turn came.",
		inDialog: '',
	},
	proxyUnreachable: {
		happened: 'The proxy cannot be reached',
		whatToDo:
			"Check the address of 'Proxy' under 'Request Options', and that the proxy is running.",
		inDialog: '',
	},
	proxyClosed: {
		happened: 'The proxy closed the connection',
		whatToDo:
			"Check the proxy under 'Request Options' (address and protocol), or n8n's default proxy.",
		inDialog: '',
	},
	proxySignIn: {
		happened: 'The proxy requires a user name and a password',
		whatToDo: "Add them to the address of 'Proxy' under 'Request Options'.",
		inDialog: '',
	},
	noConnection: {
		happened: 'No connection to the gateway could be established',
		whatToDo:
			"Check that the gateway is running, the network of the machine that runs n8n, and 'Base URL' of the credential.",
	},
	// No response, or none that says what happened.
	unclear: {
		happened: 'The response of the gateway does not say whether the request succeeded',
		whatToDo: `${UNKNOWN}`,
		inDialog: '',
	},
	timeout: {
		happened: 'The gateway did not respond within the timeout',
		whatToDo: `${UNKNOWN} You can set a longer timeout under 'Request Options'.`,
		inDialog: "Check 'Base URL' of the credential (host and port).",
	},
	tooLarge: {
		happened: 'The response of the gateway is too large',
		whatToDo: `Reading stopped at the 16 MB limit. ${UNKNOWN} Check 'Base URL' of the credential.`,
		inDialog: "Reading stopped at the 16 MB limit. Check 'Base URL' of the credential.",
	},
	unreachable: {
		happened: 'The gateway cannot be reached over the network',
		whatToDo: `Check the network of the machine that runs n8n, and 'Base URL' of the credential. ${UNKNOWN}`,
		inDialog: "Check the network of the machine that runs n8n, and 'Base URL' of the credential.",
	},
	canceled: {
		happened: 'The execution was stopped before the gateway responded',
		whatToDo: `${UNKNOWN}`,
		inDialog: '',
	},
	disconnected: {
		happened: 'The connection closed before a complete response arrived',
		whatToDo: `${UNKNOWN}`,
		inDialog:
			"Check 'Base URL' of the credential: whether it starts with http:// or https://, and its port.",
	},
});

/** The same for the file at a Media URL, whose server is not the gateway. */
export const FILE_ROWS = rows({
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
});
