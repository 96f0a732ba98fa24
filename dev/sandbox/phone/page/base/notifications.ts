import { byId } from './elements';

const notice = byId('notice');
const NOTICE_MS = 8_000;
let hideTimer: ReturnType<typeof setTimeout> | undefined;

/** Shows a notice if the action fails. Success needs no notice, because the next view shows it. */
export function reportFailure(action: Promise<unknown>, undo: () => void = () => {}): void {
	action.then(
		() => (notice.hidden = true),
		(error: Error) => {
			undo();
			// fetch rejects with a TypeError whose message ("Failed to fetch") does not help the user.
			showNotice(error instanceof TypeError ? 'The sandbox is not responding.' : error.message);
		},
	);
}

function showNotice(text: string): void {
	notice.textContent = text;
	notice.hidden = false;
	clearTimeout(hideTimer);
	hideTimer = setTimeout(() => (notice.hidden = true), NOTICE_MS);
}

const liveRegion = byId('announcement');
const ANNOUNCEMENT_DELAY_MS = 1_000;
let pending = 0;
let announceTimer: ReturnType<typeof setTimeout> | undefined;

/** Announces a text to screen readers. Announces messages that arrive together only once. */
export function announce(text: string): void {
	pending += 1;
	announceTimer ??= setTimeout(() => {
		liveRegion.textContent = pending === 1 ? text : 'Several new messages';
		pending = 0;
		announceTimer = undefined;
	}, ANNOUNCEMENT_DELAY_MS);
}
