import type { Fault, SessionStatus } from '../sandbox/sandbox';
import type { Account } from '../test/harness/engine';
import { callControl, sandboxControl } from '../test/harness/sandboxControl';
import { startChild } from './childProcess';
import type { GatewayAddress } from './gatewayProcess';
import type { DeliveredMessage } from './messages';

export interface Receiver {
	/** Forgets all messages and delays every response from now on. */
	reset(latencyMs: number): Promise<void>;
	delivered(): Promise<DeliveredMessage[]>;
}

export interface Gateway extends Receiver {
	account: Account;
	setStatus(status: SessionStatus): Promise<unknown>;
	faults(list: Fault[]): Promise<unknown>;
	maxConcurrentRequests(): Promise<number>;
	/** A stub of Telegram's API in the same process. */
	telegram: Receiver & { baseUrl: string };
	filesUrl: string;
	tls: GatewayAddress['tls'];
}

/** The sandbox in its own process, so that its CPU time does not count towards the measurements. */
export async function startGateway(): Promise<Gateway> {
	const [, address] = await startChild<GatewayAddress>('gatewayProcess.ts');
	const control = sandboxControl(address);
	return {
		account: address.account,
		async reset(latencyMs) {
			await control.reset();
			await control.setStatus('ONLINE');
			await control.faults(latencyMs > 0 ? [{ latencyMs }] : []);
		},
		delivered: async () => (await control.state()).delivered,
		setStatus: control.setStatus,
		faults: control.faults,
		async maxConcurrentRequests() {
			const requests = await control.requests();
			const concurrent = requests.map(
				({ receivedAt }) =>
					requests.filter(
						(other) => other.receivedAt <= receivedAt && (other.answeredAt ?? '~') > receivedAt,
					).length,
			);
			return Math.max(0, ...concurrent);
		},
		telegram: telegramAt(address.telegramUrl),
		filesUrl: address.filesUrl,
		tls: address.tls,
	};
}

function telegramAt(baseUrl: string): Gateway['telegram'] {
	return {
		baseUrl,
		async reset(latencyMs) {
			await callControl('POST', `${baseUrl}/reset`, { latencyMs });
		},
		async delivered() {
			const { delivered } = (await callControl('GET', `${baseUrl}/delivered`)) as {
				delivered: DeliveredMessage[];
			};
			return delivered;
		},
	};
}
