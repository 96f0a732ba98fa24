import type { FunctionsBase, IN8nHttpFullResponse } from 'n8n-workflow';

import { type Answer, readAnswer } from '../../gateway/answer';
import { accountKey } from '../../gateway/clock';
import { type Redact, redactor } from '../../gateway/redaction';

/** Answers come as bytes and with every status: what they say is read here, and a refused request is sent once. */
export const READ_HERE = { encoding: 'arraybuffer', ignoreHttpStatusErrors: true } as const;

export interface Account {
	/** What this process remembers of the account goes by this. */
	key: string;
	/** Keeps token and secret out of all that the node says. */
	redact: Redact;
}

export async function accountOf(context: Pick<FunctionsBase, 'getCredentials'>): Promise<Account> {
	const credentials = await context.getCredentials<{
		baseUrl: string;
		token: string;
		secret: string;
	}>('messagingGatewayApi');
	return {
		key: accountKey(credentials),
		redact: redactor([credentials.token, credentials.secret]),
	};
}

export function answerFrom(response: IN8nHttpFullResponse, redact: Redact): Answer {
	const { body, headers, statusCode: status } = response;
	const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body ?? ''));
	return readAnswer({ status, headers, bytes }, redact);
}
