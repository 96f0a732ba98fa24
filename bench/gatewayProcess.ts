import { startSandbox } from '../sandbox/sandbox';
import type { Account } from '../test/harness/engine';
import { exitWithParent } from './childProcess';
import { startTelegramStub } from './telegramStub';

export interface GatewayAddress {
	account: Account;
	controlUrl: string;
	controlKey: string;
	telegramUrl: string;
}

exitWithParent();

void Promise.all([startSandbox(), startTelegramStub()]).then(([sandbox, telegramUrl]) => {
	const { baseUrl, token, secret, controlUrl, controlKey } = sandbox;
	const account = { baseUrl, token, secret };
	process.send?.({ account, controlUrl, controlKey, telegramUrl } satisfies GatewayAddress);
});
