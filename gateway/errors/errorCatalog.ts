import type { ErrorText } from '../replies/failure';
import { type Phase, phaseOf } from '../replies/sessionStatus';

const START_OR_PAIR =
	'Use Session > Pair: it starts the session, and outputs a QR code if the phone has to be paired again.';
const UNKNOWN =
	"It is unknown whether the gateway processed the request: for a message, check whether it arrived before you send it again. With the option 'Idempotency Key' (Send Custom JSON: the field idempotencyKey), sending it again is safe.";
const CHECK_NETWORK = 'Check the URL and the network of the machine that runs n8n.';

const INVALID_VALUE = `The gateway did not accept a value in the request
	Check the fields of this node, or with Send Custom JSON the text in 'Body'. Fields that the node does not have go into 'Additional Fields'.`;

/** One row per cause: what happened and, on the second line, what to do. Workflows branch on the names: they must not change. */
export const GATEWAY_ROWS = {
	// Codes of the API document.
	missing_auth_headers: `The gateway found no signature on the request
		Something between n8n and the gateway, probably a proxy, removes the headers X-API-Timestamp and X-API-Signature. Configure it to pass them on.`,
	missing_signature: `The gateway found no signature on the request
		Something between n8n and the gateway, probably a proxy, removes the header X-API-Signature. If 'Sign Deferred Requests' is off in the credential, turn it on.`,
	invalid_token: `The gateway does not know the token
		Copy the token from the gateway's console into 'Token' of the credential, and check that 'Base URL' is the address the token belongs to.`,
	token_inactive: `The token is not active
		Activate the token in the gateway's console, then try again.`,
	token_expired: `The token has expired
		Renew the token in the gateway's console and enter the new one in the credential.`,
	token_deleted: `The token was deleted
		Create a new token in the gateway's console and enter it in the credential.`,
	unauthorized: `The gateway did not accept the credential
		Check 'Token' and 'Secret' of the credential against the gateway's console, and the clock of the machine that runs n8n.`,
	invalid_signature: `The gateway did not accept the signature
		Most likely 'Secret' of the credential does not belong to this token: copy it from the gateway's console. If the secret is right, look for a proxy that changes the body. For a gateway that expects the legacy names, add the option 'Field Names'.`,
	signature_expired: `The timestamp of the request is too far from the gateway's clock
		Set the clock of the machine that runs n8n (NTP). If the clock is right, something delays the request, probably a proxy.`,
	insufficient_balance: `The account's balance is used up
		Top up the account in the gateway's console, then try again.`,
	ip_not_allowed: `The gateway does not accept requests from the address of this n8n
		Add the public IP address of the machine that runs n8n to the allow list in the gateway's console.`,
	no_api_access: `The account's plan has no access to the API
		Choose a plan with API access in the gateway's console.`,
	payg_confirm_required: `The gateway requires you to confirm pay-as-you-go
		Confirm pay-as-you-go in the gateway's console, then try again.`,
	validation_error: INVALID_VALUE,
	already_exists: `The gateway has this already
		Nothing was created twice. Use the existing one.`,
	invalid_json: `The gateway could not read the request as JSON
		With Send Custom JSON, check the text in 'Body'. Look for a proxy that changes the body.`,
	invalid_amount_format: `The gateway did not accept the format of an amount
		Write amounts with digits and a dot, e.g. 12.50.`,
	test_message_failed: `The gateway could not deliver its test message
		Check with Session > Get Status that the session is ONLINE, and check the recipient's number.`,
	rate_limit_exceeded: `The gateway's rate limit was reached
		Wait before you try again. To send more slowly, set 'Messages per Minute' under Options for messages, or Batching under 'Request Options' for every operation.`,
	// Statuses, and what else a response says.
	bad_request: `The gateway did not understand the request
		Check the values in the fields of this node.`,
	forbidden: `The gateway does not allow this
		Check in the gateway's console whether the token has the permission, and whether the address of this n8n is on the allow list. If you use a proxy, check whether it allows connections to the gateway.`,
	not_found: `The gateway found nothing at this address
		Check 'Base URL' of the credential: it ends before /api/whatsapp. If it is right, what you requested does not exist, or no longer exists.`,
	not_supported: `The gateway does not support this operation
		Check 'Base URL' of the credential, and whether your gateway has this operation.`,
	request_timeout: `The gateway waited too long for the request
		Try again. Large files may need a faster connection.`,
	conflict: `The gateway cannot do this in the current state of the session
		Check Session > Get Status. If the session is not online, use Session > Pair, which starts it and outputs a QR code if the phone has to be paired again. To wait before sending, add the option 'When Offline'. To let the gateway keep messages until the session is online, add 'Delivery Window' (Send Custom JSON: the field windowMs).`,
	message_too_large: `The message is too large for the gateway
		Send a smaller file.`,
	unprocessable: INVALID_VALUE,
	offline: `The session is not online
		${START_OR_PAIR} Send again after Session > Wait Until Online. To wait before sending, add the option 'When Offline'. To let the gateway keep messages, add 'Delivery Window' (Send Custom JSON: the field windowMs).`,
	serverError: `The gateway could not process the request
		The cause is in the gateway, not in this workflow. Try again later. A message may have been sent: check before you send it again. With the option 'Idempotency Key' (Send Custom JSON: the field idempotencyKey), sending it again is safe.`,
	redirect: `The gateway redirected the request to another address
		Signed requests do not follow redirects. Enter the gateway's final address in 'Base URL' of the credential.`,
	webPage: `The response is a web page, not the response of a gateway
		Check 'Base URL' of the credential: it ends before /api/whatsapp. If it is right, something between n8n and the gateway responds instead, such as a firewall or the sign-in page of a network (captive portal).`,
	denied: `The gateway rejected the request
		The status of the response means success, but its content says the opposite. Check Session > Get Status, and the gateway's console.`,
	unknown: `The gateway rejected the request
		Check the gateway's console or documentation for the meaning of status`,
	// The session.
	loggedOut: `The phone has logged the session out
		Use Session > Terminate, then Session > Pair, and scan the new QR code with the phone.`,
	banned: `The account is blocked
		Check the phone and the gateway's console for the reason.`,
	noStatus: `The response of the gateway contains no status
		Check 'Base URL' of the credential: it ends before /api/whatsapp.`,
	// Nothing was sent.
	refused: `The connection to the gateway's address was refused
		Check 'Base URL' of the credential (host and port), and that the gateway is running.`,
	hostName: `The gateway's host name was not found
		Check 'Base URL' of the credential for a typo.`,
	dns: `The gateway's host name could not be resolved
		Check the network and DNS of the machine that runs n8n.`,
	certificate: `The gateway's certificate is not trusted
		Fix the certificate or, for your own gateway, turn on 'Ignore SSL Issues' under 'Request Options'.`,
	tls: `No secure connection to the gateway could be established
		If the gateway does not use TLS at this port, 'Base URL' of the credential must not start with https://. Otherwise check its port, and which TLS versions and client certificates the gateway expects. If you use a proxy under 'Request Options', check its protocol.`,
	blocked: 'n8n blocked the request to the gateway',
	paused: `The account's requests are paused
		The gateway's rate limit was reached, and it asked to wait. Send fewer requests per minute.`,
	late: `The message was not sent in time
		'Send Within' was over before its turn came.`,
	proxyUnreachable: `The proxy cannot be reached
		Check the address of 'Proxy' under 'Request Options', and that the proxy is running.`,
	proxyClosed: `The proxy closed the connection
		Check the proxy under 'Request Options' (address and protocol), or n8n's default proxy.`,
	proxySignIn: `The proxy requires a user name and a password
		Add them to the address of 'Proxy' under 'Request Options'.`,
	noConnection: `No connection to the gateway could be established
		Check that the gateway is running, the network of the machine that runs n8n, and 'Base URL' of the credential.`,
	// No response, or none that says what happened.
	unclear: `The response of the gateway does not say whether the request succeeded
		${UNKNOWN}`,
	timeout: `The gateway did not respond within the timeout
		${UNKNOWN} You can set a longer timeout under 'Request Options'.`,
	tooLarge: `The response of the gateway is too large
		Reading stopped at the 16 MB limit. ${UNKNOWN} Check 'Base URL' of the credential.`,
	unreachable: `The gateway cannot be reached over the network
		Check the network of the machine that runs n8n, and 'Base URL' of the credential. ${UNKNOWN}`,
	canceled: `The execution was stopped before the gateway responded
		${UNKNOWN}`,
	disconnected: `The connection closed before a complete response arrived
		${UNKNOWN}`,
};

/** The same for the file at a Media URL, whose server is not the gateway. */
export const FILE_ROWS = {
	refused: `the connection was refused
		${CHECK_NETWORK} Check also that the server is running.`,
	hostName: `the host name was not found
		${CHECK_NETWORK}`,
	dns: `the host name could not be resolved
		${CHECK_NETWORK}`,
	certificate: `the certificate of the server is not trusted
		Fix the certificate or, for your own server, turn on 'Ignore SSL Issues' under 'Request Options'.`,
	tls: `no secure connection could be established
		If the server does not use TLS at this port, the URL must not start with https://.`,
	blocked: 'n8n blocked the request',
	noConnection: `no connection could be established
		${CHECK_NETWORK}`,
	timeout: `it took longer than the timeout
		Try again later, or set a longer timeout under 'Request Options'.`,
	redirects: `the server redirects too often
		Open the URL in a private window of a browser: it may need a sign-in.`,
	disconnected: `the connection closed before the file was complete
		Try again later.`,
	signIn: `the server requires a sign-in
		The node downloads without any credential. Use a public or signed URL, or download the file with an HTTP Request node and choose Binary File as 'Media Source'.`,
	notFound: `the server does not have it
		Check the URL for a typo, and whether the link has expired.`,
	rateLimit: `the server of the file limits the requests
		Try again later, or lower 'Concurrency' under Options.`,
	serverError: `the server did not send it
		Try again later.`,
	rejected: `the server did not send it
		Open the URL in a private window of a browser to see why.`,
};

export function errorText<Cause extends string>(
	rows: Record<Cause, string>,
	cause: Cause,
): ErrorText {
	const [message = '', description = ''] = rows[cause].split('\n').map((line) => line.trim());
	const name = String(cause).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
	return { message, description, cause: name };
}

/** Workflows branch on this phrase: it must not change. */
export const MAY_HAVE_BEEN_SENT = 'unknown: it may have been sent';

export const UNREADABLE_STATUS = errorText(GATEWAY_ROWS, 'noStatus');

const SCAN =
	'Show the QR code of Session > Pair, and scan it with the phone: under Linked devices, then Link a device.';

const HOW_TO_GET_ONLINE: Record<Phase, string> = {
	pairing: SCAN,
	expired: `The QR code has expired: use Session > Refresh. ${SCAN}`,
	offline: `The session is not running. ${START_OR_PAIR}`,
	online:
		"Your gateway may use another word for online than this node expects: add it to 'Online Statuses'.",
	unknown:
		"If this is your gateway's word for online, add it to 'Online Statuses'. Otherwise try Session > Refresh.",
	loggedOut: 'Use Session > Terminate, then Session > Pair.',
	banned: "Check the phone and the gateway's console.",
};

/** For a message that was not sent. */
export function offlineText(status: string): ErrorText {
	const phase = phaseOf(status);
	const wait =
		"To send when the session is online, use Session > Wait Until Online first, or set 'When Offline' to Wait.";
	return {
		cause: 'offline',
		message: `The session is not online: its status is ${status}`,
		description: [HOW_TO_GET_ONLINE[phase], phase !== 'banned' && wait].filter(Boolean).join(' '),
	};
}

/** Why waiting cannot help in this status; undefined if it may. */
export function permanentStatusText(status: string): ErrorText | undefined {
	const phase = phaseOf(status);
	if (phase !== 'loggedOut' && phase !== 'banned') return undefined;
	const { message, description, cause } = errorText(GATEWAY_ROWS, phase);
	const noUse = `Waiting does not help. ${description}`;
	return { message: `${message} (${status})`, description: noUse, cause };
}

const withLastStatus = (
	message: string,
	status: string | undefined,
	{ description, cause }: Omit<ErrorText, 'message'>,
): ErrorText =>
	status === undefined
		? { ...UNREADABLE_STATUS, message: `${message}: no status could be read` }
		: { message: `${message}: its last status is ${status}`, description, cause };

export const notOnlineText = (lastStatus: string | undefined, seconds: number) =>
	withLastStatus(`The session did not come online within ${seconds} s`, lastStatus, {
		description: HOW_TO_GET_ONLINE[phaseOf(lastStatus ?? '')],
		cause: 'offline',
	});

export const noQrCodeText = (lastStatus: string | undefined, seconds: number) =>
	withLastStatus(`No QR code was available within ${seconds} s`, lastStatus, {
		description:
			phaseOf(lastStatus ?? '') === 'unknown'
				? `If ${lastStatus} is your gateway's word for online, the phone is paired. Otherwise try Session > Refresh, then Session > Pair.`
				: "Try again with a longer 'Timeout'. If that changes nothing, use Session > Refresh for a session that hangs, or Session > Terminate for one that is broken, then Session > Pair.",
		cause: 'no_qr_code',
	});
