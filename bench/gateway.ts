import type { AccountState, Fault, RecordedRequest, SessionStatus } from '../sandbox/sandbox';
import type { Account } from '../test/engine';
import { ask } from '../test/sandbox/client';
import { start } from './apart';
import type { Address } from './gatewayProcess';
import type { Arrived } from './messages';

/** Where messages arrive. */
export interface Receiver {
	/** Forgets everything, and answers so late from now on. */
	begin(latencyMs: number): Promise<void>;
	delivered(): Promise<Arrived[]>;
}

export interface Gateway extends Receiver {
	account: Account;
	setStatus(status: SessionStatus): Promise<void>;
	faults(list: Fault[]): Promise<void>;
	/** How many requests it had before it at the same time. */
	mostAtOnce(): Promise<number>;
	/** A stand-in for Telegram's API, in the same process. */
	telegram: Receiver & { baseUrl: string };
}

/** The sandbox in a process of its own: its work takes no time from what is measured. */
export async function startGateway(): Promise<Gateway> {
	const [, { account, controlUrl, telegramUrl }] = await start<Address>('gatewayProcess.ts');
	const control = controlAt(controlUrl);
	return {
		account,
		async begin(latencyMs) {
			await control('POST', '/reset');
			await control('POST', '/status', { status: 'ONLINE' });
			await control('POST', '/faults', latencyMs > 0 ? [{ latencyMs }] : []);
		},
		async delivered() {
			const { delivered } = (await control('GET', '/state')) as unknown as AccountState;
			return delivered;
		},
		async setStatus(status) {
			await control('POST', '/status', { status });
		},
		async faults(list) {
			await control('POST', '/faults', list);
		},
		async mostAtOnce() {
			const { requests } = (await control('GET', '/requests')) as { requests: RecordedRequest[] };
			const together = requests.map(
				({ receivedAt }) =>
					requests.filter(
						(other) => other.receivedAt <= receivedAt && (other.answeredAt ?? '~') > receivedAt,
					).length,
			);
			return Math.max(0, ...together);
		},
		telegram: telegramAt(telegramUrl),
	};
}

function telegramAt(baseUrl: string): Gateway['telegram'] {
	const control = controlAt(baseUrl);
	return {
		baseUrl,
		async begin(latencyMs) {
			await control('POST', '/begin', { latencyMs });
		},
		async delivered() {
			const { delivered } = await control('GET', '/delivered');
			return delivered as Arrived[];
		},
	};
}

function controlAt(url: string) {
	return async (method: string, path: string, body?: unknown) => {
		const reply = await ask(`${url}${path}`, {
			method,
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify(body),
		});
		if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.body.toString()}`);
		return reply.json;
	};
}
