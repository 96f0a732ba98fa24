import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';

import { Feed } from '../../sandbox/phone/feed';
import { RecentFiles } from '../../sandbox/recentFiles';

/** A browser that takes what fits and then reads no further, until it is let to. */
class SlowBrowser extends Writable {
	readonly received: string[] = [];
	#goOn: (() => void) | undefined;

	constructor() {
		super({ highWaterMark: 1_000 });
	}

	override _write(chunk: Buffer, _encoding: string, done: () => void): void {
		this.received.push(chunk.toString());
		this.#goOn = done;
	}

	goOn(): void {
		this.#goOn?.();
	}

	get response(): ServerResponse {
		return this as unknown as ServerResponse;
	}
}

describe('a page that does not read', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	it('has one view waiting for it, not a thousand', () => {
		const browser = new SlowBrowser();
		let looks = 0;
		new Feed().add(browser.response, () => ({ looks: (looks += 1), text: 'x'.repeat(2_000) }));
		jest.advanceTimersByTime(25_000);
		expect(looks).toBe(1);
		expect(browser.writableLength).toBeLessThan(2_200);
		browser.destroy();
	});

	it('gets the newest view once it reads again', async () => {
		const browser = new SlowBrowser();
		let looks = 0;
		new Feed().add(browser.response, () => ({ looks: (looks += 1), text: 'x'.repeat(2_000) }));
		jest.advanceTimersByTime(10_000);
		while (browser.writableLength > 0) {
			browser.goOn();
			await jest.advanceTimersByTimeAsync(0);
		}
		await jest.advanceTimersByTimeAsync(200);
		browser.goOn();
		await jest.advanceTimersByTimeAsync(0);
		expect(looks).toBe(2);
		browser.destroy();
	});

	it('is given up after a while, and nothing is looked at for it any more', async () => {
		const browser = new SlowBrowser();
		const look = jest.fn(() => ({ at: Date.now(), text: 'x'.repeat(2_000) }));
		new Feed().add(browser.response, look);
		await jest.advanceTimersByTimeAsync(31_000);
		expect(browser.destroyed).toBe(true);
		expect(look).toHaveBeenCalledTimes(1);
		expect(jest.getTimerCount()).toBe(0);
	});

	it('does not end the sandbox when it cannot be shown', async () => {
		const browser = new SlowBrowser();
		const told = jest.spyOn(console, 'error').mockImplementation(() => {});
		new Feed().add(browser.response, () => {
			throw new Error('no space left');
		});
		await jest.advanceTimersByTimeAsync(1_000);
		expect(browser.destroyed).toBe(true);
		expect(jest.getTimerCount()).toBe(0);
		expect(told).toHaveBeenCalledTimes(1);
		told.mockRestore();
	});
});

describe('recent files', () => {
	const megabytes = (count: number) => Buffer.alloc(count * 1024 * 1024);

	it('are kept up to 64 MB, the newest ones', () => {
		const files = new RecentFiles();
		files.keep('a', megabytes(30));
		files.keep('b', megabytes(30));
		files.keep('a', megabytes(30));
		expect(files.get('b')).toBeDefined();
		files.keep('c', megabytes(30));
		expect(files.get('b')).toBeUndefined();
		expect(files.get('a')).toBeDefined();
		files.keep('too large', megabytes(65));
		expect(files.get('too large')).toBeUndefined();
		expect(files.get('c')).toBeDefined();
	});

	it('are a thousand at most, and none after they were cleared', () => {
		const files = new RecentFiles();
		for (let i = 0; i < 1_500; i += 1) files.keep(String(i), Buffer.from('x'));
		expect([files.get('499'), files.get('500')]).toEqual([undefined, Buffer.from('x')]);
		files.clear();
		expect(files.get('1499')).toBeUndefined();
		files.keep('a', megabytes(64));
		expect(files.get('a')).toBeDefined();
	});
});
