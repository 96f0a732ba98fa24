import { startSandbox } from '../sandbox/sandbox';
import { endWithParent } from './apart';

export interface Address {
	account: { baseUrl: string; token: string; secret: string };
	controlUrl: string;
}

endWithParent();

void startSandbox().then(({ baseUrl, token, secret, controlUrl }) => {
	process.send?.({ account: { baseUrl, token, secret }, controlUrl } satisfies Address);
});
