import { join } from 'node:path';

import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

import { live } from './live';

const FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--no-first-run',
];
const PATIENCE_MS = 15_000;

/** Our page with a code is not for programs that preview links, and n8n takes a headless browser for one. */
export const PERSON = {
	'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0',
};

let browser: Browser;

/** A browser for the tests of one file. */
export function useBrowser(): void {
	beforeAll(async () => {
		browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: FLAGS });
	});
	afterAll(async () => await browser.close());
}

/** A test in a browser of its own in which the owner has signed in. What it looked like when it failed is kept. */
export function inBrowser(name: string, steps: (page: Page) => Promise<void>): void {
	inNewBrowser(name, async (page) => {
		const { email, password } = live.owner;
		const response = await page.request.post(`${live.urls.n8n}/rest/login`, {
			data: { emailOrLdapLoginId: email, password },
		});
		expect(response.status()).toBe(200);
		await steps(page);
	});
}

/** The same, with nobody signed in. */
export function inNewBrowser(name: string, steps: (page: Page) => Promise<void>): void {
	test(name, async () => {
		const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
		context.setDefaultTimeout(PATIENCE_MS);
		// The editor's own pages look things up on the internet, too.
		await context.route(
			({ hostname }) => hostname !== '127.0.0.1',
			async (route) => await route.abort(),
		);
		try {
			await steps(await context.newPage());
		} catch (error) {
			await keepPictures(context, name);
			throw error;
		} finally {
			await context.close();
		}
	});
}

export async function picture(page: Page, name: string): Promise<void> {
	// Not in the middle of a movement.
	await page.screenshot({ path: join(live.screenshots, `${name}.png`), animations: 'disabled' });
}

async function keepPictures(context: BrowserContext, name: string): Promise<void> {
	const slug = name.replace(/\W+/g, '-');
	for (const [index, page] of context.pages().entries()) {
		await picture(page, `failed-${slug}-${index + 1}`);
	}
}
