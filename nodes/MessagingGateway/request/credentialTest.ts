import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { authenticatedRequest } from '../../../credentials/requestHook';
import { checkedSecrets } from '../../../gateway/wire/signature';
import { endpoints } from '../../../gateway/wire/endpoints';
import { errorMessage } from '../../../gateway/failures/errorMessage';
import { retryPolicy } from '../../../gateway/failures/retryPolicy';
import { readDeclared } from '../../../gateway/responses/declared';
import { NAMES } from '../../../gateway/responses/dialect';
import { find, gatewayError } from '../../../gateway/responses/find';
import { type Failed, notUsable, type Result } from '../../../gateway/responses/failure';
import { failureInResponse } from '../../../gateway/responses/responseFailure';
import { saysOffline } from '../../../gateway/responses/dialect';
import { isObject, type JsonObject } from '../../../gateway/json';
import { jsonBody } from '../../../gateway/wire/messageBody';
import { namesOf, readSendTo } from '../../../gateway/wire/guard';
import { readPace } from '../../../gateway/wire/account';
import { type Redact, redactor } from '../../../gateway/wire/redaction';
import { type GatewayResponse, isWebPage, readResponse } from '../../../gateway/wire/response';
import { readAll, withinTimeout } from './connection';
import { failureInInput } from './inputErrors';

/** Of each of the two requests. */
const TIMEOUT_MS = 15_000;

const INVITE = jsonBody({ inviteCode: '' });

/** Tests a credential with the same error messages as the node. The node declares it as `testedBy`. */
export async function testConnection(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const failed = await connect(this, data).catch(failureInInput);
	// n8n shows a text of its own for a credential that passes.
	if (!failed) return { status: 'OK', message: 'Connection successful!' };
	const { message, description } = errorMessage(failed.failure, true);
	return { status: 'Error', message: `${message}. ${description}`.trim() };
}

/**
 * Looks up an empty invite code, because only a signed request proves the secret. The request changes nothing, whatever
 * the session's status. A second request has a signature that is wrong on purpose. The proof is that the gateway refuses this one,
 * and not the first one: responses also differ for other reasons.
 */
async function connect(
	context: ICredentialTestFunctions,
	data: ICredentialDataDecryptedObject,
): Promise<Failed | undefined> {
	const { token, secret } = checkedSecrets(data);
	readSendTo(data);
	namesOf(data);
	readPace(data);
	const { error } = readDeclared(data.responseMeanings);
	if (error) return failureInInput(error);
	// The gateway can repeat the secret in its response to either request.
	const redact = redactor([token, secret], true);
	const right = await lookUp(context, data, redact);
	if ('failure' in right) return right;
	const failed = refusalIn(right.value) ?? unavailable(right.value);
	if (failed) return failed;
	if (isWebPage(right.value)) return NOT_JSON;
	const wrong = await lookUp(context, { ...data, gatewaySecret: `not ${secret}` }, redact);
	if ('failure' in wrong) return wrong;
	if (refusalIn(wrong.value)) return undefined;
	return unavailable(wrong.value) ?? untested(right.value, wrong.value);
}

async function lookUp(
	context: ICredentialTestFunctions,
	data: ICredentialDataDecryptedObject,
	redact: Redact,
): Promise<Result<GatewayResponse>> {
	const { method, path } = endpoints.inviteInfo;
	const unsigned = { method, uri: path, body: INVITE };
	// With the time of this machine, so that a wrong clock is reported, and one that was wrong before is not.
	const request = authenticatedRequest(data, unsigned, Date.now());
	return await withinTimeout(
		{ context, timeoutMs: TIMEOUT_MS, redact },
		async () =>
			// The only request helper of a credential test. It does not run the request hook.
			(await context.helpers.request({
				...request,
				timeout: TIMEOUT_MS,
				resolveWithFullResponse: true,
				simple: false,
				useStream: true,
			})) as unknown,
		async ({ statusCode: status, headers, body }) => {
			const bytes = typeof body === 'object' ? await readAll(body) : Buffer.from(body ?? '');
			return { value: readResponse({ status, headers, bytes }, redact) };
		},
	);
}

/** Neither accepts nor refuses a signature. A gateway may also fail because the code is empty. */
function unavailable(response: GatewayResponse): Failed | undefined {
	const failed = { failure: failureInResponse(response) };
	const isDown = response.status >= 500 && !isObject(response.data);
	return isDown || retryPolicy(failed.failure).isRateLimit ? failed : undefined;
}

/** That the gateway does not accept the signature or the token. */
function refusalIn(response: GatewayResponse): Failed | undefined {
	const { status, data } = response;
	const parts = find(data, [...NAMES.codes, ...NAMES.messages]).map(({ holder }) => holder);
	const { code, message } = gatewayError(data);
	if ([code, message].some(saysOffline)) return undefined;
	const aboutCredential = parts.find(isAboutCredential);
	if (aboutCredential) {
		return {
			failure: failureInResponse({ ...response, data: { ...parts[0], ...aboutCredential } }),
		};
	}
	return [401, 403].includes(status) ? { failure: failureInResponse(response) } : undefined;
}

/** The gateway does not refuse the wrong signature. */
function untested(right: GatewayResponse, wrong: GatewayResponse): Failed {
	const isKnown = right.status < 300 || [400, 402, 409, 422].includes(right.status);
	if (!isKnown) return { failure: failureInResponse(right) };
	if (typeof right.data === 'string') return NOT_JSON;
	const { code, message } = gatewayError(wrong.data);
	const says = [wrong.status, (code || message).slice(0, 100)].filter(Boolean).join(', ');
	return notUsable({
		message: `The gateway does not refuse a wrong signature (${says}), so the test cannot tell whether it accepts the credential`,
		description:
			"Check 'Base URL', 'Token' and 'Secret' of the credential, then try it in a workflow.",
	});
}

const NOT_JSON = notUsable({
	message: 'The response is a web page or text, not the JSON of a gateway',
	description:
		"Check 'Base URL' of the credential: enter the address that comes before /api/whatsapp.",
});

/** Matches codes about the token, the signature or the access of the account. */
const CREDENTIAL_CODE = /signature|token|unauthorized|auth_headers|ip_not_allowed|no_api_access/i;

/** The code may be text for the user, and the message may be all there is. */
function isAboutCredential(part: JsonObject): boolean {
	const { code, message } = gatewayError(part);
	const isCode = /^\w+$/.test(code) && CREDENTIAL_CODE.test(code);
	const text = `${code} ${message}`.replace(/(invit\w{0,20}|unexpected)[ _](token|code)/gi, '');
	return isCode || /signature|hmac|api.?key|unauthori[sz]ed|\btoken\b/i.test(text);
}
