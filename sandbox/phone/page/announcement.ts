import { byId } from './elements';

const region = byId('announcement');
const PAUSE_MS = 1_000;
let pending: string[] = [];
let pause: ReturnType<typeof setTimeout> | undefined;

/** For screen readers. A thousand messages at once are one announcement and not a thousand. */
export function announce(text: string): void {
	pending.push(text);
	pause ??= setTimeout(() => {
		region.textContent = pending.length === 1 ? text : `New messages: ${pending.length} and more`;
		pending = [];
		pause = undefined;
	}, PAUSE_MS);
}
