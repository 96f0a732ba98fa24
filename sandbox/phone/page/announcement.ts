import { byId } from './elements';

const region = byId('announcement');
const PAUSE_MS = 1_000;
let pending = 0;
let pause: ReturnType<typeof setTimeout> | undefined;

/** For screen readers. A thousand messages at once are one announcement and not a thousand. */
export function announce(text: string): void {
	pending += 1;
	pause ??= setTimeout(() => {
		region.textContent = pending === 1 ? text : 'Several new messages';
		pending = 0;
		pause = undefined;
	}, PAUSE_MS);
}
