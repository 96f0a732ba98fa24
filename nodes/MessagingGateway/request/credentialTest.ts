import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { authenticatedRequest } from '../../../credentials/requestHook';
import { checkedSecrets } from '../../../gateway/wire/accounts';
import { endpoints } from '../../../gateway/wire/endpoints';
import { errorMessage, isCredentialCode } from '../../../gateway/errors/errorMessage';
import { find, gatewayError, NAMES } from '../../../gateway/replies/dialect';
import { type Failed, notUsable, rejection } from '../../../gateway/replies/failure';
import type { JsonObject } from '../../../gateway/json';
import { jsonBody } from '../../../gateway/wire/messageBody';
import { rejectionIn } from '../../../gateway/replies/outcome';
import { redactor } from '../../../gateway/wire/redaction';
import { type GatewayResponse, readResponse } from '../../../gateway/wire/response';
import { failureBeforeRequest, readAll, exchange } from './exchange';

const TIMEOUT_MS = 30_000;

const INVITE = jsonBody({ inviteCode: '' });

/** Tests a credential with the same error messages as the node. The node declares it as `testedBy`. */
export async function testConnection(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const failed = await connect(this, data).catch(failureBeforeRequest);
	if (!failed) return { status: 'OK', message: 'Connection successful!' };
	const { message, description } = errorMessage(failed.failure);
	const sentences = description.split(/(?<=\.) /).filter(isAboutDialog);
	return { status: 'Error', message: [`${message}.`, ...sentences].join(' ') };
}

/** The other fields and the operations that an error message can name are not in the dialog of the credential. */
const IN_DIALOG = ['Base URL', 'Token', 'Secret', 'Sign Deferred Requests'];
const isAboutDialog = (sentence: string) =>
	!/ > |\bmessages?\b/.test(sentence) &&
	[...sentence.matchAll(/(?<!\w)'([^']+)'(?!\w)/g)].every(([, name]) => IN_DIALOG.includes(name!));

/**
 * Looks up an empty invite code, because only a signed request proves the secret. The request changes nothing, and
 * the gateway rejects the empty code after it has checked the signature, whatever the session's status.
 */
async function connect(
	context: ICredentialTestFunctions,
	data: ICredentialDataDecryptedObject,
): Promise<Failed | undefined> {
	const { method, path } = endpoints.inviteInfo;
	// With the time of this machine, so that a wrong clock is reported, and one that was wrong before is not.
	const request = authenticatedRequest(data, { method, uri: path, body: INVITE }, Date.now());
	const { token, secret } = checkedSecrets(data);
	const redact = redactor([token, secret]);
	const result = await exchange(
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
	return 'failure' in result ? result : rejectedCredential(result.value);
}

/** Statuses with which a gateway rejects the empty code: the signature was valid. */
const ACCEPTED = [400, 402, 409, 422];
/** With these a gateway may also say that there is no such invite. */
const NOT_FOUND = [404, 410];

function rejectedCredential(response: GatewayResponse): Failed | undefined {
	const { status, data } = response;
	const isSuccess = status >= 200 && status < 300;
	if (typeof data === 'string' && (isSuccess || ACCEPTED.includes(status))) return NOT_JSON;
	const parts = find(data, [...NAMES.codes, ...NAMES.messages]).map(({ holder }) => holder);
	const aboutCredential = parts.find(isAboutCredential);
	if (aboutCredential) {
		return { failure: rejection({ ...response, data: { ...parts[0], ...aboutCredential } }) };
	}
	const isAccepted =
		ACCEPTED.includes(status) ||
		(isSuccess && rejectionIn(response, 'sent')?.kind !== 'rejected') ||
		((isSuccess || NOT_FOUND.includes(status)) && parts.some(isAboutInvite));
	return isAccepted ? undefined : { failure: rejection(response) };
}

const NOT_JSON = notUsable({
	message: 'The response is a web page or text, not the JSON of a gateway',
	description:
		"Check 'Base URL' of the credential: enter the address that comes before /api/whatsapp.",
});

/** The code may be text for the user, and the message may be all there is. */
function isAboutCredential(part: JsonObject): boolean {
	const { code = '', message = '' } = gatewayError(part);
	const isCode = /^\w+$/.test(code) && isCredentialCode(code.toLowerCase());
	const text = `${code} ${message}`.replace(/(invit\w{0,20}|unexpected)[ _](token|code)/gi, '');
	return isCode || /signature|unauthori[sz]ed|\btoken\b/i.test(text);
}

/** The 404 of a web framework contains the path, and with it "invite-info". */
function isAboutInvite(part: JsonObject): boolean {
	const { code = '', message = '' } = gatewayError(part);
	return /invite(?!-info)|group/i.test(`${code} ${message}`);
}
