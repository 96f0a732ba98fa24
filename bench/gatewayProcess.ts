import { startSandbox } from '../sandbox/sandbox';
import { endWithParent } from './apart';
import { startTelegram } from './telegram';

export interface Address {
	account: { baseUrl: string; token: string; secret: string };
	controlUrl: string;
	telegramUrl: string;
}

endWithParent();

void Promise.all([startSandbox(), startTelegram()]).then(([sandbox, telegramUrl]) => {
	const { baseUrl, token, secret, controlUrl } = sandbox;
	const account = { baseUrl, token, secret };
	process.send?.({ account, controlUrl, telegramUrl } satisfies Address);
});
