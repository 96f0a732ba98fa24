import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { sandboxControl } from '../../test/harness/sandboxControl';
import type { Addresses } from './gatewayProcess';

export type Gateway = Awaited<ReturnType<typeof startGateway>>;

/** The sandbox in its own process, which ends with this one: its CPU time does not count towards the measurements. */
export async function startGateway() {
	const child = fork(join(__dirname, 'gatewayProcess.ts'));
	const failed = once(child, 'exit').then(() => {
		throw new Error('The gateway exited.');
	});
	// It also exits when nobody waits for its message any more.
	failed.catch(() => {});
	const [addresses] = (await Promise.race([once(child, 'message'), failed])) as [Addresses];
	const control = sandboxControl(addresses);
	return {
		...addresses,
		...control,
		/** Forgets all messages and delays every response from now on. */
		reset: async (latencyMs: number) => {
			await control.reset();
			await control.setStatus('ONLINE');
			await control.faults(latencyMs > 0 ? [{ latencyMs }] : []);
		},
		delivered: async () => (await control.state()).delivered,
	};
}
