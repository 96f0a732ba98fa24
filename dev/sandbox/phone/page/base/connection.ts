import type { PhoneView, ViewOptions } from '../../view';

const RECONNECT_MS = 2_000;

/** Receives views from the sandbox, and reconnects after its restart. */
export class Connection {
	#source: EventSource | undefined;
	#retry: ReturnType<typeof setTimeout> | undefined;

	constructor(
		private readonly onView: (view: PhoneView) => void,
		private readonly onLost: () => void,
	) {}

	/** Replaces the current subscription. */
	subscribe(options: ViewOptions): void {
		clearTimeout(this.#retry);
		this.#source?.close();
		const query = new URLSearchParams({
			chat: options.chat,
			chats: String(options.chats),
			bubbles: String(options.bubbles),
			guide: String(options.guide),
			requests: String(options.requests),
		});
		const source = new EventSource(`/_sandbox/phone/events?${query}`);
		this.#source = source;
		source.onmessage = ({ data }) => this.onView(JSON.parse(data as string) as PhoneView);
		source.onerror = () => {
			this.onLost();
			// The browser reconnects automatically, but not after an error response.
			if (source.readyState !== EventSource.CLOSED) return;
			this.#retry = setTimeout(() => this.subscribe(options), RECONNECT_MS);
		};
	}
}

/** Calls a control of the sandbox and returns its response. Throws an Error with the message of an error response. */
export async function callControl(
	method: 'POST' | 'DELETE',
	path: string,
	body?: unknown,
): Promise<unknown> {
	// The page does not keep the key, because the sandbox may have restarted with another one.
	const key = await (await fetch('/_sandbox/phone/key')).text();
	const response = await fetch(`/_sandbox/${path}`, {
		method,
		headers: { 'Content-Type': 'application/json', 'X-Sandbox-Key': key },
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
	const content: unknown = await response.json();
	if (response.ok) return content;
	throw new Error((content as { message: string }).message);
}
