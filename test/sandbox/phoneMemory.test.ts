import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';

import { ServerSentEvents } from '../../dev/sandbox/phone/serverSentEvents';
import { RecentFiles } from '../../dev/sandbox/account/recentFiles';

/** Accepts one write, then stalls until `resume` is called. */
class SlowBrowser extends Writable {
	readonly received: string[] = [];
	#done: (() => void) | undefined;

	constructor() {
		super({ highWaterMark: 1_000 });
	}

	override _write(chunk: Buffer, _encoding: string, done: () => void): void {
		this.received.push(chunk.toString());
		this.#done = done;
	}

	resume(): void {
		this.#done?.();
	}

	get response(): ServerResponse {
		return this as unknown as ServerResponse;
	}
}

describe('a stalled page', () => {
	const largeView = (reads: number) => ({ reads, text: 'x'.repeat(2_000) });
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	it('has at most one buffered view, and gets the newest one when it reads again', async () => {
		const page = new SlowBrowser();
		let reads = 0;
		new ServerSentEvents().add(page.response, () => largeView((reads += 1)));
		jest.advanceTimersByTime(25_000);
		expect(reads).toBe(1);
		expect(page.writableLength).toBeLessThan(2_200);
		while (page.writableLength > 0) {
			page.resume();
			await jest.advanceTimersByTimeAsync(0);
		}
		await jest.advanceTimersByTimeAsync(200);
		page.resume();
		await jest.advanceTimersByTimeAsync(0);
		expect(reads).toBe(2);
		page.destroy();
	});

	it('is disconnected after a timeout, and polling stops', async () => {
		const page = new SlowBrowser();
		const readView = jest.fn(() => largeView(Date.now()));
		new ServerSentEvents().add(page.response, readView);
		await jest.advanceTimersByTimeAsync(31_000);
		expect(page.destroyed).toBe(true);
		expect(readView).toHaveBeenCalledTimes(1);
		expect(jest.getTimerCount()).toBe(0);
	});
});

test('a view that cannot be read ends its page, and not the sandbox', () => {
	const consoleError = jest.spyOn(console, 'error').mockImplementation();
	const page = new SlowBrowser();
	new ServerSentEvents().add(page.response, () => {
		throw new Error('no space left');
	});
	expect(page.destroyed).toBe(true);
	expect(consoleError).toHaveBeenCalledTimes(1);
	consoleError.mockRestore();
});

test('recent files are the newest 64 MB, and at most 1,000', () => {
	const megabytes = (count: number) => Buffer.alloc(count * 1024 * 1024);
	const files = new RecentFiles();
	files.add('a', megabytes(30));
	files.add('b', megabytes(30));
	files.add('a', megabytes(30));
	files.add('c', megabytes(30));
	expect(files.get('b')).toBeUndefined();
	expect(files.get('a')).toBeDefined();
	files.add('too large', megabytes(65));
	expect(files.get('too large')).toBeUndefined();
	expect(files.get('c')).toBeDefined();
	for (let i = 0; i < 1_500; i += 1) files.add(String(i), Buffer.from('x'));
	expect([files.get('499'), files.get('500')]).toEqual([undefined, Buffer.from('x')]);
});
