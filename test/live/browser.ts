import { join } from 'node:path';

import {
	type BrowserContext,
	type BrowserContextOptions,
	chromium,
	type Page,
} from 'playwright-core';

import { live } from './live';

const FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--no-first-run',
	// The editor also sends requests to the internet. Routes of Playwright would answer CORS preflights themselves.
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];
/** Only a hang takes this long. Opening the editor takes about a second, but on a busy machine it took more than 15. */
const TIMEOUT_MS = 180_000;

/** The pairing page rejects link previews, and n8n classifies a headless browser as one. */
export const BROWSER_HEADERS = {
	'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0',
};

const VIEWPORT = { width: 1400, height: 900 };

/** All files share its folder, and so its cache: opening the editor takes half as long as in a new context. */
let profile: BrowserContext;

/** A browser for the tests of one file. */
export function useBrowser(): void {
	beforeAll(async () => {
		profile = await chromium.launchPersistentContext(live.browserProfile, {
			executablePath: process.env.CHROMIUM,
			args: FLAGS,
			viewport: VIEWPORT,
		});
		await clear(profile);
	});
	afterAll(async () => await profile.close());
}

/** A test in a browser in which the owner is signed in. Takes a screenshot if the test fails. */
export function browserTest(
	title: string,
	run: (page: Page) => Promise<void>,
	options?: () => BrowserContextOptions,
): void {
	const signedIn = async (page: Page) => {
		const cookies = live.cookie.split('; ').map((pair) => {
			const [, name = '', value = ''] = /^(.*?)=(.*)$/.exec(pair)!;
			// As n8n sets it.
			return { name, value, url: live.urls.n8n, sameSite: 'Lax' as const };
		});
		await page.context().addCookies(cookies);
		await run(page);
	};
	signedOutBrowserTest(title, signedIn, options);
}

/** The same, without signing in. `options` is called when the test starts, and gives the test a context of its own. */
export function signedOutBrowserTest(
	title: string,
	run: (page: Page) => Promise<void>,
	options?: () => BrowserContextOptions,
): void {
	test(title, async () => {
		const context = options
			? await profile.browser()!.newContext({ viewport: VIEWPORT, ...options() })
			: profile;
		context.setDefaultTimeout(TIMEOUT_MS);
		try {
			await run(await context.newPage());
		} catch (error) {
			await screenshotAllPages(context, title);
			throw error;
		} finally {
			await (options ? context.close() : clear(context));
		}
	});
}

/** Leaves nothing of a test but the cache, and the passwords of HTTP that a browser keeps until it ends. */
async function clear(context: BrowserContext): Promise<void> {
	const page = await context.newPage();
	const devTools = await context.newCDPSession(page);
	await Promise.all(
		context.pages().map(async (opened) => opened !== page && (await opened.close())),
	);
	await devTools.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' });
	await context.clearPermissions();
	await page.close();
}

/** Takes a screenshot again if Chromium could not capture it, which happens on a busy machine. */
export async function captured(capture: () => Promise<Buffer>, captures = 3): Promise<Buffer> {
	return await capture().catch(async (error: Error) => {
		if (captures <= 1 || !error.message.includes('Unable to capture')) throw error;
		return await captured(capture, captures - 1);
	});
}

async function screenshotAllPages(context: BrowserContext, title: string): Promise<void> {
	const slug = title.replace(/\W+/g, '-');
	for (const [index, page] of context.pages().entries()) {
		const path = join(live.screenshots, `failed-${slug}-${index + 1}.png`);
		await captured(async () => await page.screenshot({ path, animations: 'disabled' })).catch(
			(error: Error) => console.warn(`${path}: ${error.message}`),
		);
	}
}

/** User and password of the example pages and forms, as the browser asks for them. */
export function formPassword(): BrowserContextOptions {
	const { user: username, password } = live.entryKeys;
	return { httpCredentials: { username, password, origin: live.urls.n8n } };
}
