import { get, type IncomingMessage } from 'node:http';

import type { PhoneView } from '../../dev/sandbox/phone/view';

/** What browsers add to the requests of a page to its own origin. */
export const FROM_PAGE = { 'Sec-Fetch-Site': 'same-origin' };

/** The first view of a page that is then closed. */
export async function viewOf(phoneUrl: string, query = ''): Promise<PhoneView> {
	const stream = await EventStream.open(phoneUrl, query);
	const view = await stream.view();
	stream.close();
	return view;
}

/** A client for server-sent events, written from their specification. */
export class EventStream {
	readonly views: PhoneView[] = [];
	#rest = '';
	#wake = () => {};

	private constructor(readonly response: IncomingMessage) {
		response.setEncoding('utf8');
		response.on('error', () => {});
		response.on('data', (chunk: string) => this.#read(chunk));
	}

	static async open(phoneUrl: string, query = ''): Promise<EventStream> {
		return await new Promise((resolve, reject) => {
			const options = { agent: false, headers: FROM_PAGE } as const;
			const request = get(`${phoneUrl}/events${query}`, options, (response) =>
				resolve(new EventStream(response)),
			);
			request.on('error', reject);
		});
	}

	/** The first matching view, received already or later. */
	async view(matches: (view: PhoneView) => boolean = () => true): Promise<PhoneView> {
		for (let next = 0; ;) {
			for (; next < this.views.length; next += 1) {
				const view = this.views[next]!;
				if (matches(view)) return view;
			}
			await new Promise<void>((wake) => (this.#wake = wake));
		}
	}

	close(): void {
		this.response.destroy();
	}

	#read(chunk: string): void {
		const blocks = (this.#rest + chunk).split('\n\n');
		this.#rest = blocks.pop() ?? '';
		for (const block of blocks) {
			const data = block.split('\n').filter((line) => line.startsWith('data: '));
			if (data.length === 0) continue;
			const text = data.map((line) => line.slice('data: '.length)).join('\n');
			this.views.push(JSON.parse(text) as PhoneView);
		}
		this.#wake();
	}
}
