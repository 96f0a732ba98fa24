import type { FunctionsBase, ICredentialDataDecryptedObject } from 'n8n-workflow';

import { accountKey, perAccount, type Pace, readPace } from '../../../gateway/wire/account';
import { type Declared, readDeclared } from '../../../gateway/responses/declared';
import { checkedSecrets } from '../../../gateway/wire/signature';
import { InvalidInput, InvalidSetup } from '../../../gateway/inputValues';
import { allowsAnyone, sendsToNobody } from '../../../gateway/wire/guard';
import { type Redact, redactor } from '../../../gateway/wire/redaction';
import { Scheduler } from '../sending/scheduler';
import { rehearsalClock, steadyClock } from './steadyClock';

/** The account of an item. All items have the same one, unless a field of the credential contains an expression. */
export interface Account {
	/** The token at its base URL. Order, pace and limit apply to it. */
	accountKey: string;
	/** All executions of this process share it, except for a rehearsal, which has its own. */
	scheduler: Scheduler;
	/** Whether the run began as a rehearsal. A live run stays live if the credential changes to Nobody: its other messages fail. */
	isRehearsal: boolean;
	/** Removes token, secret and the signatures of links from everything that the node outputs. */
	redact: Redact;
	/** The node passes it to n8n with each request, so that n8n does not read the credential again. */
	credentials: ICredentialDataDecryptedObject;
	/** The pace that the credential declares. A run can only be slower. */
	pace?: Pace;
	/** What the owner of the credential says that responses mean. */
	declared: Declared;
	/** When the credential was read, as a time of the steady clock. `itemIndex` is the item for which it was read. */
	readAt: number;
	itemIndex?: number;
	/** Whether a field of the credential contains an expression, so that another item may have another account. */
	variesByItem: boolean;
}

export const schedulerOf = perAccount(() => new Scheduler(steadyClock));

/** Colleagues must not see a signature of a credential with limits: they could send the same bytes as another type. */
const redactorFor = (credentials: ICredentialDataDecryptedObject): Redact =>
	redactor(Object.values(checkedSecrets(credentials)), !allowsAnyone(credentials));

export const CREDENTIAL = 'messagingGatewayApi';

const KEPT_MS = 5_000;

/**
 * Reads the credential again if the last read is older than KEPT_MS, so that its owner can limit a run that has begun. Throws if it is
 * for another account now, because the new limits are those of that account. A rehearsal does not wait, so it keeps its credential.
 */
export async function refreshCredential(
	context: Pick<FunctionsBase, 'getCredentials'>,
	account: Account,
): Promise<void> {
	if (steadyClock.now() - account.readAt < KEPT_MS || account.isRehearsal) return;
	const { credentials, pace, readAt, redact, declared } = await readAccount(
		context,
		account.itemIndex,
	);
	const isSame =
		accountKey(credentials) === accountKey(account.credentials) &&
		checkedSecrets(credentials).secret === checkedSecrets(account.credentials).secret;
	if (!isSame) throw new InvalidSetup(new InvalidInput(CHANGED, RUN_AGAIN));
	Object.assign(account, { credentials, pace, readAt, redact, declared });
}

const CHANGED = 'The account of the credential has changed during the run';
const RUN_AGAIN =
	'This item was not sent. Run the workflow again for it: it then uses the new account.';

/** Returns the account of an item. Throws InvalidSetup if the credential, its token or its secret is invalid. */
export async function readAccount(
	context: Pick<FunctionsBase, 'getCredentials'>,
	itemIndex?: number,
): Promise<Account> {
	const reading = context.getCredentials(CREDENTIAL, itemIndex).then((credentials) => {
		const isRehearsal = sendsToNobody(credentials);
		return {
			redact: redactorFor(credentials),
			// A rehearsal has its own key, because it does not wait for the rate and so must not share a scheduler with live messages.
			accountKey: accountKey(credentials) + (isRehearsal ? ' rehearsal' : ''),
			scheduler: isRehearsal ? new Scheduler(rehearsalClock()) : schedulerOf(credentials),
			isRehearsal,
			pace: readPace(credentials),
			credentials,
			declared: readDeclared(credentials.responseMeanings),
			readAt: steadyClock.now(),
			itemIndex,
			variesByItem: Object.keys(credentials).some((name) => name.endsWith('IsExpression')),
		};
	});
	return await reading.catch(
		async (error: unknown) => await Promise.reject(new InvalidSetup(error)),
	);
}
