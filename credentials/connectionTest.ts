import type { ICredentialTestRequest } from 'n8n-workflow';

import { endpoints } from '../gateway/endpoints';
import { SIGNATURE_HEADER } from '../gateway/signature';
import type { HookRequest } from './request';

type ConnectionTestRequest = HookRequest & { isConnectionTest?: boolean };

/** Past the signature: the gateway has looked at the empty code, or minds something that has nothing to do with the credential. */
const ACCEPTED = [400, 402, 409, 422];
const THROWN = Array.from({ length: 300 }, (_, index) => 300 + index).filter(
	(status) => !ACCEPTED.includes(status),
);

const BASE_URL = 'Base URL: ';
const TOKEN = 'Token: ';
const CONSOLE = "copy it once more from the gateway's console.";

const signatureLost = `${BASE_URL}the signature got lost on the way. A proxy in between must let the X-API headers through.`;

const byCode: Record<string, string> = {
	invalid_signature: `Secret: it does not belong to this token; ${CONSOLE} If it is right, check the clock of this n8n.`,
	signature_expired:
		"Clock: the time of this n8n is too far from the gateway's. Token and Base URL are fine. Set the clock (NTP), then test again.",
	invalid_token: `${TOKEN}the gateway does not know it; ${CONSOLE}`,
	token_inactive: `${TOKEN}it is switched off. Activate it in the gateway's console.`,
	token_expired: `${TOKEN}it has run out. Renew it in the gateway's console.`,
	token_deleted: `${TOKEN}it was deleted. Create a new one in the gateway's console.`,
	unauthorized: `${TOKEN}the gateway does not accept it; ${CONSOLE}`,
	ip_not_allowed:
		"Address: the gateway does not take requests from this n8n. Allow its IP address in the gateway's console.",
	no_api_access: `${TOKEN}its plan has no access to the API.`,
	missing_auth_headers: signatureLost,
	missing_signature: signatureLost,
};

const webPage = `${BASE_URL}a web page answers there, not a gateway. Enter the address that comes before /api/whatsapp.`;

const byStatus: Record<number, string> = {
	401: "Token, Secret or clock: the gateway refused the signed look-up (401). Compare all three with the gateway's console.",
	403: `${TOKEN}the gateway does not let it in (403). In its console, look whether the token was deleted, whether the plan includes the API, and whether the address of this n8n is allowed.`,
	404: `${BASE_URL}nothing is known there (404). Enter the address that comes before /api/whatsapp.`,
	405: `${BASE_URL}no gateway answers there (405). Enter the address that comes before /api/whatsapp.`,
	429: 'The gateway asks for a slower pace (429), so the credential could not be tested. Wait a minute, then test again.',
};
for (const status of [301, 302, 303, 307, 308]) {
	byStatus[status] =
		`${BASE_URL}it redirects to another address (${status}). Enter the address it points to, most likely with https.`;
}
for (const status of [500, 502, 503, 504]) {
	byStatus[status] =
		`Base URL is fine, or a proxy answers there: the gateway itself is in trouble (${status}), so the credential could not be tested. Try again later.`;
}

const whenThrown = Object.entries(byStatus).map(([status, message]) => ({
	type: 'responseCode' as const,
	properties: { value: Number(status), message },
}));

const bodyRule = (key: string, value: unknown, message: string) => ({
	type: 'responseSuccessBody' as const,
	properties: { key, value, message },
});

/** How an answer of the first try cannot begin if it is JSON: with anything but a brace or a bracket. */
const NOT_JSON = Array.from({ length: 256 }, (_, byte) => byte).filter(
	(byte) => !['{', '['].includes(String.fromCharCode(byte)),
);

/** What JSON or text of the second try can be; undefined is how null looks from there. */
const KINDS = ['Object', 'Array', 'String', 'Number', 'Boolean', undefined];

/**
 * Only a signed call proves the secret, and this look-up changes nothing; its empty code gets no
 * further than the gateway's own checks, so that the answer does not hang on a session. n8n reads
 * either the status of a refusal or the body of an answer, never both of one: so the first try lets
 * refusals be thrown, and their status speaks. After a 401 n8n calls the hook again and sends a second time; that answer
 * is let through (`letThrough`), so that its code can tell token, secret and clock apart.
 */
export const connectionTest: ICredentialTestRequest = {
	request: {
		method: endpoints.inviteInfo.method,
		url: endpoints.inviteInfo.path,
		body: { inviteCode: '' },
		// As bytes, an answer of the first try can be told from one of the second.
		encoding: 'arraybuffer',
		ignoreHttpStatusErrors: { ignore: true, except: THROWN },
		...{ isConnectionTest: true },
	},
	rules: [
		...whenThrown,
		...Object.entries(byCode).map(([code, message]) => bodyRule('error', code, message)),
		...NOT_JSON.map((byte) => bodyRule('0', byte, webPage)),
		...KINDS.map((kind) => bodyRule('constructor.name', kind, byStatus[401]!)),
	] as ICredentialTestRequest['rules'],
};

/** The second try of the connection test, which n8n makes only after a 401. */
export function letThrough(request: HookRequest): HookRequest {
	const { isConnectionTest } = request as ConnectionTestRequest;
	if (!isConnectionTest || !(SIGNATURE_HEADER in (request.headers ?? {}))) return request;
	const { encoding: _bytes, ...rest } = request;
	return { ...rest, ignoreHttpStatusErrors: true };
}
