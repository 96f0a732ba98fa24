import { startSandbox } from '../sandbox/sandbox';
import type { Account } from '../test/harness/engine';
import { exitWithParent } from './childProcess';
import { startTelegramStub } from './telegramStub';

export interface GatewayAddress {
	account: Account;
	controlUrl: string;
	telegramUrl: string;
}

exitWithParent();

void Promise.all([startSandbox(), startTelegramStub()]).then(([sandbox, telegramUrl]) => {
	const { baseUrl, token, secret, controlUrl } = sandbox;
	const account = { baseUrl, token, secret };
	process.send?.({ account, controlUrl, telegramUrl } satisfies GatewayAddress);
});
