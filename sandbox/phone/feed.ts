import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import { Refusal } from '../answer';

const LOOK_EVERY_MS = 150;
const MOST_PAGES = 8;

/** A page that reads nothing for so long has left without saying so. */
const PATIENCE_MS = 30_000;

interface Page {
	response: ServerResponse;
	look: () => unknown;
	/** A digest of what it was told last: the view itself may be large. */
	told: string;
	stuckSince: number | undefined;
}

/**
 * Server-sent events: each page is told what it should show, when that has become something else.
 * A page that is slow to read is told less often; what is held for it is one view, never a queue.
 */
export class Feed {
	readonly #pages = new Set<Page>();
	#timer: NodeJS.Timeout | undefined;

	add(response: ServerResponse, look: () => unknown): void {
		if (this.#pages.size >= MOST_PAGES) {
			throw new Refusal(
				503,
				'too_many_pages',
				`The phone is already open ${MOST_PAGES} times. Close a page to see it here.`,
			);
		}
		const page: Page = { response, look, told: '', stuckSince: undefined };
		this.#pages.add(page);
		response.on('close', () => this.#remove(page));
		response.on('drain', () => (page.stuckSince = undefined));
		response.write('retry: 1000\n\n');
		tell(page);
		// Nothing announces that a window or a QR code has ended, so everything is looked at.
		this.#timer ??= setInterval(() => this.#pages.forEach(tell), LOOK_EVERY_MS);
	}

	#remove(page: Page): void {
		this.#pages.delete(page);
		if (this.#pages.size > 0) return;
		clearInterval(this.#timer);
		this.#timer = undefined;
	}
}

function tell(page: Page): void {
	const { response, stuckSince } = page;
	if (stuckSince !== undefined) {
		if (Date.now() - stuckSince > PATIENCE_MS) response.destroy();
		return;
	}
	const view = lookAt(page);
	if (view === undefined) return;
	const digest = createHash('sha256').update(view).digest('base64');
	if (digest === page.told) return;
	page.told = digest;
	if (!response.write(`data: ${view}\n\n`)) page.stuckSince = Date.now();
}

/** A look can end messages whose window is over, and so meet a full disk: that must not end the sandbox. */
function lookAt({ response, look }: Page): string | undefined {
	try {
		return JSON.stringify(look());
	} catch (error) {
		console.error('The sandbox failed at showing the phone:', error);
		response.destroy();
		return undefined;
	}
}
