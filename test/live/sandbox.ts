import { sandboxControl } from '../harness/sandboxControl';
import { live } from './live';

export const sandbox = sandboxControl(live.urls.sandbox);
