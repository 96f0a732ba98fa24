import type { PhoneView } from '../view';

export interface Wish {
	chat: string;
	chats: number;
	bubbles: number;
}

const TRY_AGAIN_MS = 2_000;

/** Follows the phone, across restarts of the sandbox. A new wish replaces the one before. */
export class Connection {
	#source: EventSource | undefined;
	#retry: ReturnType<typeof setTimeout> | undefined;

	constructor(
		private readonly onView: (view: PhoneView) => void,
		private readonly onLost: () => void,
	) {}

	follow(wish: Wish): void {
		clearTimeout(this.#retry);
		this.#source?.close();
		const query = new URLSearchParams({
			chat: wish.chat,
			chats: String(wish.chats),
			bubbles: String(wish.bubbles),
		});
		const source = new EventSource(`/_sandbox/phone/events?${query}`);
		this.#source = source;
		source.onmessage = ({ data }) => this.onView(JSON.parse(data as string) as PhoneView);
		source.onerror = () => {
			this.onLost();
			// The browser tries again by itself, but not after it was turned away.
			if (source.readyState !== EventSource.CLOSED) return;
			this.#retry = setTimeout(() => this.follow(wish), TRY_AGAIN_MS);
		};
	}
}

/** A control of the sandbox. What it refuses, it says why. */
export async function control(
	method: 'POST' | 'DELETE',
	path: string,
	body?: unknown,
): Promise<void> {
	const response = await fetch(`/_sandbox/${path}`, {
		method,
		headers: { 'Content-Type': 'application/json' },
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
	if (response.ok) return;
	const { message } = (await response.json()) as { message: string };
	throw new Error(message);
}
