import { sandboxControl } from '../harness/sandboxControl';
import { live } from './live';

export const sandbox = sandboxControl({
	controlUrl: live.urls.sandbox,
	controlKey: live.controlKey,
});
