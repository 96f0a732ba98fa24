import { type Answer, isObject, refusal } from './answer';
import type { Repeat } from './repetition';

/** What happened, and how to get going again. */
export interface Explanation {
	message: string;
	description: string;
}

/** Beyond this a clock is wrong, not merely a network slow. */
export const TOLERATED_CLOCK_SKEW_MS = 30_000;

const CODES: Record<string, Explanation> = {
	missing_auth_headers: {
		message: 'The gateway found no signature on the request',
		description:
			'Something between n8n and the gateway removes the headers X-API-Timestamp and X-API-Signature, most likely a proxy. Let them through.',
	},
	missing_signature: {
		message: 'The gateway found no signature on the request',
		description:
			"Something between n8n and the gateway removes the header X-API-Signature, most likely a proxy. For deferred deliveries, switch on 'Sign Deferred Requests' in the credential.",
	},
	invalid_token: {
		message: 'The gateway does not know the token',
		description:
			"Copy the token once more from the gateway's console into 'Token' of the credential, and check that 'Base URL' is the address the token belongs to. There must be no blanks around it.",
	},
	token_inactive: {
		message: 'The token is switched off',
		description: "Activate the token in the gateway's console, then try again.",
	},
	token_expired: {
		message: 'The token has run out',
		description:
			"Renew the token in the gateway's console and put the new one into the credential.",
	},
	token_deleted: {
		message: 'The token was deleted',
		description: "Create a new token in the gateway's console and put it into the credential.",
	},
	unauthorized: {
		message: 'The gateway did not accept the credential',
		description: "Check 'Token' and 'Secret' of the credential against the gateway's console.",
	},
	invalid_signature: {
		message: 'The gateway did not accept the signature',
		description:
			"Most likely 'Secret' of the credential is not the one that belongs to this token: copy it once more, without blanks around it. This node signs the very bytes that it sends, in milliseconds and with the token of the URL, so those three usual causes are ruled out, unless a proxy changes the body on its way. If the secret is right, choose another 'Body Form': some gateways expect the legacy names.",
	},
	signature_expired: {
		message: 'The gateway found the timestamp of the request too far from its own clock',
		description:
			'Set the clock of the machine that runs n8n (NTP). If the clock is right, the request was held up on its way, e.g. by a proxy.',
	},
	insufficient_balance: {
		message: "The account's balance is used up",
		description: "Top up the account in the gateway's console, then run this again.",
	},
	ip_not_allowed: {
		message: 'The gateway does not take requests from the address of this n8n',
		description:
			"Add the public IP address of the machine that runs n8n to the allow list in the gateway's console.",
	},
	no_api_access: {
		message: "The account's plan has no access to the API",
		description: "Choose a plan with API access in the gateway's console.",
	},
	payg_confirm_required: {
		message: 'The gateway wants pay-as-you-go to be confirmed first',
		description: "Confirm pay-as-you-go in the gateway's console, then run this again.",
	},
	validation_error: {
		message: 'The gateway did not accept a value in the request',
		description:
			"Check the fields of this node against what the gateway says. Fields that the node does not have go into 'Additional Fields'.",
	},
	already_exists: {
		message: 'The gateway has this already',
		description: 'Nothing was created twice. Use the one that is there.',
	},
	invalid_json: {
		message: 'The gateway could not read the request as JSON',
		description:
			"If 'Body Form' is JSON, check the text in 'Body'. Otherwise something between n8n and the gateway changes the body, most likely a proxy.",
	},
	invalid_amount_format: {
		message: 'The gateway did not accept the form of an amount',
		description: 'Write amounts with digits and a dot, e.g. 12.50.',
	},
	test_message_failed: {
		message: 'The gateway could not deliver its test message',
		description:
			"Check with Session > Get Status that the session is ONLINE, and the recipient's number.",
	},
	rate_limit_exceeded: {
		message: 'The gateway asks for a slower pace',
		description:
			"Wait before the next try, and send fewer messages at once: 'Messages per Minute' under Options sets the pace of sends, Batching under 'Request Options' that of everything.",
	},
};

const OFFLINE: Explanation = {
	message: 'The session is not online',
	description:
		'Use Session > Start, then Session > Get QR Code, and scan the code with the phone. Send again once Session > Get Status says ONLINE.',
};

const STATUSES: Record<number, Explanation> = {
	400: {
		message: 'The gateway could not make sense of the request',
		description: 'Check the values in the fields of this node.',
	},
	401: {
		message: 'The gateway did not accept the credential',
		description:
			"Check 'Token' and 'Secret' of the credential against the gateway's console, and the clock of the machine that runs n8n.",
	},
	402: CODES.insufficient_balance!,
	403: {
		message: 'The gateway does not allow this',
		description:
			"The token may lack the right, or this n8n's address may not be on the allow list: look into the gateway's console.",
	},
	404: {
		message: 'The gateway knows nothing at this address',
		description:
			"Check 'Base URL' of the credential: it ends before /api/whatsapp. If the URL is right, what was asked for does not exist (any more).",
	},
	405: {
		message: 'The gateway does not have this operation',
		description:
			"Check 'Base URL' of the credential, and whether your gateway offers this operation.",
	},
	408: {
		message: 'The gateway waited too long for the request',
		description: 'Try again. Large files may need a faster connection.',
	},
	409: {
		message: 'The gateway cannot do this in its present state',
		description: 'Look at Session > Get Status, then decide whether to start, pair or wait.',
	},
	413: {
		message: 'The gateway finds the message too large',
		description: 'Send a smaller file.',
	},
	422: CODES.validation_error!,
	429: CODES.rate_limit_exceeded!,
};

const SERVER_TROUBLE: Explanation = {
	message: 'The gateway is in trouble of its own',
	description:
		'Nothing is wrong with this workflow. Try again later; for a message, look first whether it arrived, for it may have gone out.',
};

const REDIRECTED: Explanation = {
	message: 'The gateway sent the request on to another address, and it was not followed',
	description:
		"A signed request must not wander. Put the gateway's final address into 'Base URL' of the credential.",
};

/** What gateways call it that have no code of the table for it. */
const OFFLINE_CODE = /offline|not_online|not_connected|disconnected|auth_failure/;

function byCode(code: string | undefined): Explanation | undefined {
	const spelled = code?.toLowerCase();
	if (spelled === undefined) return undefined;
	if (Object.hasOwn(CODES, spelled)) return CODES[spelled];
	return OFFLINE_CODE.test(spelled) ? OFFLINE : undefined;
}

/** Words that may stand in a message: those of the table, and short ones of the same kind. */
function isFamiliar(code: string, status: number): boolean {
	const spelled = code.toLowerCase();
	if (Object.hasOwn(CODES, spelled)) return true;
	const isOfItsKind = OFFLINE_CODE.test(spelled) || (status === 429 && spelled.includes('limit'));
	return isOfItsKind && /^\w{1,40}$/.test(code);
}

function byStatus(status: number): Explanation {
	const known = STATUSES[status];
	if (known) return known;
	if ([301, 302, 303, 307, 308].includes(status)) return REDIRECTED;
	if (status >= 500) return SERVER_TROUBLE;
	return {
		message: 'The gateway said no',
		description: `Look into the gateway's console or documentation for what it means (status ${status}).`,
	};
}

/** How far our clock is ahead of the gateway's, by the Date header of its answer. */
export function clockSkewMs({ headers }: Answer, now: number): number | undefined {
	const gatewayTime = Date.parse(headers.date ?? '');
	return Number.isNaN(gatewayTime) ? undefined : now - gatewayTime;
}

/** Whether a refusal may come from the time: it says so, or nothing that we know. */
export function mayMeanTheClock({ status, data }: Answer): boolean {
	const code = refusal(data).code?.toLowerCase() ?? '';
	const isNamed = ['signature_expired', 'unauthorized'].includes(code);
	return status === 401 && (isNamed || !Object.hasOwn(CODES, code));
}

/** Only where the gateway may have refused for the clock: everywhere else the header proves nothing worth saying. */
function clockRemark(answer: Answer, now: number): string | undefined {
	const isSignature =
		answer.status === 401 && refusal(answer.data).code?.toLowerCase() === 'invalid_signature';
	if (!isSignature && !mayMeanTheClock(answer)) return undefined;
	const skew = clockSkewMs(answer, now);
	if (skew === undefined || Math.abs(skew) <= TOLERATED_CLOCK_SKEW_MS) return undefined;
	const seconds = Math.round(Math.abs(skew) / 1000);
	return `The clock of this n8n is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} the gateway's: set it right first (NTP), for the signature carries the time.`;
}

const CAUSES: Array<[RegExp, string]> = [
	[
		/timestamp|milliseconds?|\bms\b|\bseconds\b|clock|expired|skew/i,
		'The gateway points at the time: this node sends milliseconds, so look at the clocks.',
	],
	[
		/token/i,
		"The gateway points at the token: 'Token' and 'Secret' must be a pair from the same account.",
	],
	[
		/canonical|legacy/i,
		"The gateway points at the names of the fields: choose another 'Body Form'.",
	],
	[
		/body|payload|json/i,
		'The gateway points at the body: look for a proxy that changes bodies on their way.',
	],
];

/** Which of the four causes of a mismatching signature the gateway points at; none where it lists them all. */
function signatureRemark(said: string): string | undefined {
	const named = CAUSES.filter(([cause]) => cause.test(said));
	const [first, second] = named;
	// "legacy body" is about the form, and names the body only along the way.
	const isOne =
		named.length === 1 || (named.length === 2 && second === CAUSES[3] && first === CAUSES[2]);
	return isOne ? first?.[1] : undefined;
}

const sentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);

/**
 * Turns a refusing answer into words. `now` is our clock when the answer came; `notFound` is what a
 * gateway's 404 means to the operation, as against that of a stranger at the same address.
 */
export function explain(answer: Answer, now: number, notFound?: Explanation): Explanation {
	const { status, headers, data } = answer;
	const { code, message: said } = refusal(data);
	const named = byCode(code);
	const { message, description } =
		named ?? (status === 404 && isObject(data) && notFound ? notFound : byStatus(status));
	// A code that we do not know stays out of the message: n8n replaces messages that hold, say, ECONNRESET.
	const isNamed = code !== undefined && isFamiliar(code, status);
	const label = isNamed ? `${status}, ${code}` : String(status);
	const remarks = [
		clockRemark(answer, now),
		named === CODES.invalid_signature && said ? signatureRemark(said) : undefined,
		description,
		headers.location && `It points to ${headers.location.split('?')[0]}.`,
		headers['retry-after'] && `It asks to wait: Retry-After ${headers['retry-after']}.`,
		code && !isNamed && `It calls this ${code.slice(0, 100)}.`,
		said && sentence(`The gateway says: ${said.slice(0, 500)}`),
		!isObject(data) && `Its answer (status ${status}) was not the JSON of a gateway.`,
	];
	return { message: `${message} (${label})`, description: remarks.filter(Boolean).join(' ') };
}

/** No answer at all: what happened, and whether the request may be sent again. */
interface BrokenConnection extends Explanation {
	repeat: Repeat;
}

/** Reasons why a request did not even leave. */
const NOT_SENT: Record<string, BrokenConnection> = {
	ECONNREFUSED: {
		repeat: 'safe',
		message: 'Nothing answers at the address of the gateway',
		description:
			"Nothing was sent. Check 'Base URL' of the credential (host and port), and that the gateway is running. With a proxy under 'Request Options', check its address, too.",
	},
	ENOTFOUND: {
		repeat: 'safe',
		message: 'The host name of the gateway is not known',
		description: "Nothing was sent. Check 'Base URL' of the credential for a typing slip.",
	},
	EAI_AGAIN: {
		repeat: 'safe',
		message: 'The host name of the gateway could not be looked up',
		description:
			'Nothing was sent. Check the network and the name service of the machine that runs n8n.',
	},
	CERTIFICATE: {
		repeat: 'never',
		message: "The gateway's certificate is not trusted",
		description:
			"Nothing was sent. Mend the certificate, or, for a gateway of your own, switch on 'Ignore SSL Issues' under 'Request Options'.",
	},
};

const UNKNOWN =
	'It is unknown whether the gateway took the request: for a message, look whether it arrived before you send it again.';

/** Not a code of the system, but ours. */
export const ANSWER_TOO_LARGE = 'ANSWER_TOO_LARGE';

const UNANSWERED: Record<string, BrokenConnection> = {
	TIMEOUT: {
		repeat: 'unknown',
		message: 'The gateway did not answer in time',
		description: `${UNKNOWN} A longer time can be set under 'Request Options'.`,
	},
	[ANSWER_TOO_LARGE]: {
		repeat: 'unknown',
		message: 'The answer of the gateway is too large to be read',
		description: `More than 16 MB came, which no gateway has to say, and the rest was left. ${UNKNOWN} Check 'Base URL' of the credential.`,
	},
	EHOSTUNREACH: {
		repeat: 'unknown',
		message: 'There is no way to the gateway from here',
		description: `Check the network of the machine that runs n8n, and 'Base URL' of the credential. ${UNKNOWN}`,
	},
	ERR_CANCELED: {
		repeat: 'unknown',
		message: 'The execution was stopped while the gateway had not answered yet',
		description: UNKNOWN,
	},
};

const CUT: BrokenConnection = {
	repeat: 'unknown',
	message: "The connection was cut, or the gateway's answer could not be read",
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

/** No answer at all. The code is all that is carried over: the original knows the URL, and so the token. */
export function explainConnection(code: string): BrokenConnection {
	const isCertificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code);
	const name = isCertificate ? 'CERTIFICATE' : (SAME_AS[code] ?? code);
	if (Object.hasOwn(NOT_SENT, name)) return NOT_SENT[name]!;
	return Object.hasOwn(UNANSWERED, name) ? UNANSWERED[name]! : CUT;
}

/** Words that stay the same, so that a workflow can branch on them. */
const MAY_HAVE_BEEN_SENT = 'unknown: it may have been sent';

/** For a message of which nobody can say whether the gateway took it. */
export const unknownOutcome = ({ message, description }: Explanation): Explanation => ({
	message: `${message}; ${MAY_HAVE_BEEN_SENT}`,
	description,
});
