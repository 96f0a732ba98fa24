import type { FunctionsBase } from 'n8n-workflow';

import { accountKey } from '../../gateway/clock';
import { type Redact, redactor } from '../../gateway/redaction';

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
