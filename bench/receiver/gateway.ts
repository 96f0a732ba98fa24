import { sandboxControl } from '../../test/harness/sandboxControl';
import { startChild } from '../measuring/childProcess';
import type { Addresses } from './gatewayProcess';

export type Gateway = Awaited<ReturnType<typeof startGateway>>;

/** The sandbox in its own process, so that its CPU time does not count towards the measurements. */
export async function startGateway() {
	const [addresses] = await startChild<Addresses>('receiver/gatewayProcess.ts');
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
