import type { SessionStatus } from '../../dev/sandbox/sandbox';
import { sandboxControl } from '../harness/sandboxControl';
import { live } from './live';

export const sandbox = sandboxControl({
	controlUrl: live.urls.sandbox,
	controlKey: live.controlKey,
});

/** Before each test, the sandbox forgets everything, and its session has this status. */
export function useSandbox(status: SessionStatus = 'ONLINE'): void {
	beforeEach(async () => {
		await sandbox.reset();
		await sandbox.setStatus(status);
	});
}
