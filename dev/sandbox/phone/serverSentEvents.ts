import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import { HttpError } from '../http/response';

const POLL_INTERVAL_MS = 150;
const MAX_PAGES = 8;

/** The connection of a page that has read nothing for this long is closed. */
const STALLED_TIMEOUT_MS = 30_000;

interface Page {
	response: ServerResponse;
	readView: () => unknown;
	/** Identifies the last view that was sent. The page stores a digest, because a view can be large. */
	lastDigest: string;
	stalledSince: number | undefined;
}

/**
 * Sends each page its view when the view has changed. A page that reads slowly gets fewer views,
 * because at most one view is buffered for it.
 */
export class ServerSentEvents {
	readonly #pages = new Set<Page>();
	#timer: NodeJS.Timeout | undefined;

	add(response: ServerResponse, readView: () => unknown): void {
		if (this.#pages.size >= MAX_PAGES) {
			throw new HttpError(
				503,
				'too_many_pages',
				`The phone page is already open ${MAX_PAGES} times. Close one of them.`,
			);
		}
		const page: Page = { response, readView, lastDigest: '', stalledSince: undefined };
		this.#pages.add(page);
		response.on('close', () => this.#remove(page));
		response.on('drain', () => (page.stalledSince = undefined));
		response.write('retry: 1000\n\n');
		sendIfChanged(page);
		// The views are polled, because the end of a delivery window or of a QR code's lifetime emits no event.
		this.#timer ??= setInterval(() => this.#pages.forEach(sendIfChanged), POLL_INTERVAL_MS);
	}

	#remove(page: Page): void {
		this.#pages.delete(page);
		if (this.#pages.size > 0) return;
		clearInterval(this.#timer);
		this.#timer = undefined;
	}
}

function sendIfChanged(page: Page): void {
	const { response, stalledSince } = page;
	if (stalledSince !== undefined) {
		if (Date.now() - stalledSince > STALLED_TIMEOUT_MS) response.destroy();
		return;
	}
	const view = serializeView(page);
	if (view === undefined) return;
	const digest = createHash('sha256').update(view).digest('base64');
	if (digest === page.lastDigest) return;
	page.lastDigest = digest;
	if (!response.write(`data: ${view}\n\n`)) page.stalledSince = Date.now();
}

/** Returns the view as JSON. A failure must not end the sandbox: reading a view can drop expired messages, and so write to a full disk. */
function serializeView({ response, readView }: Page): string | undefined {
	try {
		return JSON.stringify(readView());
	} catch (error) {
		console.error('The sandbox could not update the phone page:', error);
		response.destroy();
		return undefined;
	}
}
