import { byId } from './elements';

const notice = byId('notice');
const SHOWN_MS = 8_000;
let hiding: ReturnType<typeof setTimeout> | undefined;

/** What a press of a button leads to shows by itself; what it does not lead to is said. */
export function trying(work: Promise<void>, undo: () => void = () => {}): void {
	work.then(
		() => (notice.hidden = true),
		(error: Error) => {
			undo();
			// The browser's word for it says nothing to a person.
			say(error instanceof TypeError ? 'The sandbox does not answer.' : error.message);
		},
	);
}

function say(text: string): void {
	notice.textContent = text;
	notice.hidden = false;
	clearTimeout(hiding);
	hiding = setTimeout(() => (notice.hidden = true), SHOWN_MS);
}
