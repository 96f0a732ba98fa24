import type { FunctionsBase, ICredentialDataDecryptedObject } from 'n8n-workflow';

import { type ClockSkew, clockSkewOf } from '../../../gateway/errors/clockSkew';
import { accountKey, checkedSecrets, perAccount } from '../../../gateway/wire/accounts';
import { InvalidSetup } from '../../../gateway/invalidInput';
import { isRehearsal } from '../../../gateway/wire/guard';
import { type Redact, redactor } from '../../../gateway/wire/redaction';
import { Scheduler } from '../sending/scheduler';
import { rehearsalClock, steadyClock } from './steadyClock';

export interface Account {
	key: string;
	/** All executions of this process share these two. */
	clockSkew: ClockSkew;
	scheduler: Scheduler;
	/** Removes token and secret from everything that the node outputs. */
	redact: Redact;
	/** Passed to n8n with each request, so that it does not read the credential again. */
	credentials: ICredentialDataDecryptedObject;
	/** When they were read, on the steady clock, and for which item. */
	readAt: number;
	itemIndex?: number;
	/** Whether the credential contains an expression, so that another item may have another account. */
	variesByItem: boolean;
}

export const schedulerOf = perAccount(() => new Scheduler(steadyClock));

/** Whether the credential said so when the run began. A live run that it ends later has sent messages, and those that are left fail. */
export const isRehearsalRun = ({ scheduler }: Account) => scheduler.clock !== steadyClock;

export const CREDENTIAL = 'messagingGatewayApi';

const KEPT_MS = 5_000;

/**
 * Reads the credential again if a request has waited, so that its owner can limit what is left of a run. A rehearsal stays
 * one: it does not wait between messages.
 */
export async function readAgain(
	context: Pick<FunctionsBase, 'getCredentials'>,
	account: Account,
): Promise<void> {
	if (steadyClock.now() - account.readAt < KEPT_MS || isRehearsalRun(account)) return;
	const { credentials, readAt } = await readAccount(context, account.itemIndex);
	account.readAt = readAt;
	const { baseUrl, gatewayToken, gatewaySecret } = account.credentials;
	Object.assign(credentials, { baseUrl, gatewayToken, gatewaySecret });
	account.credentials = credentials;
}

/** Reads the account of an item. Throws InvalidSetup if the credential, its token or its secret cannot be used. */
export async function readAccount(
	context: Pick<FunctionsBase, 'getCredentials'>,
	itemIndex?: number,
): Promise<Account> {
	const reading = context.getCredentials(CREDENTIAL, itemIndex).then((credentials) => ({
		redact: redactor(Object.values(checkedSecrets(credentials))),
		// Of its own, because a rehearsal waits for no rate.
		key: accountKey(credentials) + (isRehearsal(credentials) ? ' rehearsal' : ''),
		clockSkew: clockSkewOf(credentials),
		scheduler: isRehearsal(credentials)
			? new Scheduler(rehearsalClock())
			: schedulerOf(credentials),
		credentials,
		readAt: steadyClock.now(),
		itemIndex,
		variesByItem: Object.keys(credentials).some((name) => name.endsWith('IsExpression')),
	}));
	return await reading.catch(
		async (error: unknown) => await Promise.reject(new InvalidSetup(error)),
	);
}
