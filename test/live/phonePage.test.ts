import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

import { get, post, sendRequest, signatureHeaders, textTo, urlOf } from '../harness/client';
import { violations } from './accessibility';
import { signedOutBrowserTest as phoneTest, useBrowser } from './browser';
import { live } from './live';
import { sandbox } from './sandbox';

const ADA = '447700900123';
const GRACE = '447700900124';

useBrowser();
beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});

const send = async (chatId: string, text = 'Hello') =>
	await post(live.account, 'sendMessage', textTo(chatId, text));

async function sendImage(width = 300, height = 200): Promise<void> {
	// One filter: to try all of them takes long.
	const image = new PNG({ width, height });
	image.data.fill(0x99);
	const base64 = PNG.sync.write(image, { filterType: 0 }).toString('base64');
	await post(live.account, 'sendMedia', {
		chatId: ADA,
		type: 'media',
		caption: '*Your* table',
		media: { mimetype: 'image/png', filename: 'table.png', base64 },
	});
}

async function openPhone(page: Page, chat = ''): Promise<void> {
	await page.goto(`${live.urls.phone}#${chat}`);
	await page.getByTestId('status').getByText('Online', { exact: true }).waitFor();
}

const openTools = async (page: Page) => await page.getByTestId('tools-tab').click();

const badge = (page: Page, chat: string) => page.getByTestId(`chat-${chat}`).locator('.count');

phoneTest('the badge counts unread messages only', async (page) => {
	await send(ADA);
	await send(ADA);
	await send(GRACE);
	await openPhone(page, GRACE);
	await page.getByTestId(`chat-${ADA}`).waitFor();
	expect(await page.locator('.count').count()).toBe(0);

	await send(ADA);
	await send(ADA);
	await send(GRACE);
	await badge(page, ADA).getByText('2 unread').waitFor();
	expect(await badge(page, GRACE).count()).toBe(0);

	await page.getByTestId(`chat-${ADA}`).click();
	await badge(page, ADA).waitFor({ state: 'detached' });
	await send(GRACE);
	await badge(page, GRACE).getByText('1 unread').waitFor();
});

phoneTest('an armed fault looks armed, one under the pointer does not', async (page) => {
	await openPhone(page);
	await openTools(page);
	const fault = page.getByTestId('fault-429');
	const look = async () =>
		await fault.evaluate((button) => {
			const { borderColor, boxShadow, color } = getComputedStyle(button);
			return { borderColor, boxShadow, color, mark: getComputedStyle(button, '::after').content };
		});
	const idle = await look();
	expect(await fault.getAttribute('aria-pressed')).toBe('false');
	await fault.hover();
	expect(await look()).toEqual(idle);

	await fault.click();
	await page.locator('[data-testid="fault-429"][aria-pressed="true"]').waitFor();
	const armed = await look();
	for (const property of ['borderColor', 'boxShadow', 'color', 'mark'] as const) {
		expect(armed[property]).not.toBe(idle[property]);
	}
	expect(await page.locator('.fault[aria-pressed="true"]').count()).toBe(1);

	// A poll or a status check between the click and the message does not use it up.
	expect((await get(live.account, 'status')).status).toBe(200);
	expect((await send(ADA)).status).toBe(429);
	await page.locator('[data-testid="fault-429"][aria-pressed="false"]').waitFor();

	// Another click disarms it.
	await page.getByTestId('fault-slow').click();
	await page.locator('[data-testid="fault-slow"][aria-pressed="true"]').click();
	await page.locator('[data-testid="fault-slow"][aria-pressed="false"]').waitFor();
	expect((await send(ADA)).status).toBe(200);
});

phoneTest('the page has no scrollbar of its own', async (page) => {
	for (let i = 0; i < 40; i += 1) await send(i % 2 ? ADA : GRACE, `Message ${i}`);
	await openPhone(page);
	for (const [width, height] of [
		[390, 760],
		[390, 900],
		[900, 390],
		[900, 900],
		[1440, 900],
	] as const) {
		await page.setViewportSize({ width, height });
		const size = await page.evaluate(() => {
			const { scrollWidth, scrollHeight } = document.documentElement;
			return [scrollWidth, scrollHeight];
		});
		expect(size).toEqual([width, height]);
	}
});

phoneTest('an image opens in a viewer that closes with Esc', async (page) => {
	await sendImage();
	await openPhone(page, ADA);
	const image = page.getByTestId('bubble').getByRole('button', { name: 'Your table' });
	const viewer = page.getByTestId('viewer');
	const isFocused = async () => await image.evaluate((button) => button === document.activeElement);

	await image.click();
	const shown = viewer.getByRole('img', { name: 'Your table' });
	await shown.waitFor();
	await viewer.getByText('Your table', { exact: true }).waitFor();
	const inChat = (await image.boundingBox())!;
	const inViewer = (await shown.boundingBox())!;
	expect(inViewer.width).toBeGreaterThan(1.5 * inChat.width);
	// No part is cut off, and nothing is stretched.
	expect(inViewer.width / inViewer.height).toBeCloseTo(300 / 200, 1);
	expect(await viewer.getByRole('link', { name: 'Download' }).getAttribute('download')).toBe(
		'table.png',
	);
	await page.keyboard.press('Escape');
	await viewer.waitFor({ state: 'hidden' });
	expect(await isFocused()).toBe(true);

	await page.keyboard.press('Enter');
	await viewer.getByRole('button', { name: 'Close' }).click();
	await viewer.waitFor({ state: 'hidden' });
	expect(await isFocused()).toBe(true);

	await image.click();
	await page.mouse.click(5, 5);
	await viewer.waitFor({ state: 'hidden' });
	expect(page.context().pages()).toHaveLength(1);
});

phoneTest('a large image fits into the viewer', async (page) => {
	await sendImage(1000, 2000);
	await openPhone(page, ADA);
	for (const [width, height] of [
		[390, 760],
		[900, 390],
	] as const) {
		await page.setViewportSize({ width, height });
		await page.getByTestId('bubble').getByRole('button', { name: 'Your table' }).click();
		const box = (await page.getByTestId('viewer').boundingBox())!;
		expect([box.x >= 0, box.y >= 0]).toEqual([true, true]);
		expect([box.x + box.width <= width, box.y + box.height <= height]).toEqual([true, true]);
		await page.keyboard.press('Escape');
	}
});

phoneTest('the request log says why a request was rejected, without secrets', async (page) => {
	await openPhone(page);
	await openTools(page);
	await page.getByTestId('requests-button').click();
	await page.getByText('No requests yet.').waitFor();

	await send(ADA);
	const body = JSON.stringify(textTo(ADA));
	const url = urlOf(live.account, 'sendMessage');
	await sendRequest(`${url}?key=not-for-the-log`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json', ...signatureHeaders(live.account, '') },
		body,
	});
	await sendRequest(url.replace(live.account.token, 'not-the-token'), { method: 'POST', body });
	const request = page.getByTestId('request');
	await request.nth(2).waitFor();
	await page.getByText('invalid_token: The token in the URL is not valid.').waitFor();

	// The row of a poll, however often it comes.
	for (let times = 0; times < 2; times += 1) await get(live.account, 'status');
	await request.first().getByText('2 times').waitFor();
	expect(await request.count()).toBe(4);

	const [, ...texts] = await request.allTextContents();
	expect(texts[2]).toMatch(
		/^200POST \/api\/whatsapp\/•••\/sendMessage to \+44 7700900123 Signed\d/,
	);
	expect(texts[1]).toMatch(/^401POST \/api\/whatsapp\/•••\/sendMessage\?•••\d/);
	expect(texts[1]).toContain('It was made without the body.');
	expect(texts[0]).toMatch(/^401POST \/api\/whatsapp\/•••\/sendMessage\d/);
	const { token, secret } = live.account;
	for (const hidden of [token, secret, live.controlKey, 'not-the-token', 'not-for-the-log']) {
		expect(await page.getByTestId('requests').innerHTML()).not.toContain(hidden);
	}
	await page.keyboard.press('Escape');
	await page.getByTestId('requests').waitFor({ state: 'hidden' });
});

phoneTest('from the next day on, all chats show the day of their last message', async (page) => {
	await send(ADA);
	await openPhone(page);
	const time = page.getByTestId(`chat-${ADA}`).locator('time');
	expect(await time.textContent()).toMatch(/^\d+:\d\d/);
	await page.clock.setFixedTime(Date.now() + 24 * 60 * 60_000);
	await send(GRACE);
	await page.getByTestId(`chat-${GRACE}`).waitFor();
	expect(await time.textContent()).toMatch(/^[A-Z][a-z]{2} \d+$/);
});

phoneTest('Log out leads to the example that pairs the phone again', async (page) => {
	const link = page.getByTestId('pair-link');
	await openPhone(page);
	await openTools(page);
	await page.getByText('pair the phone with example 3').waitFor();
	await page.getByTestId('log-out').click();
	await page.getByText('This phone is logged out').waitFor();
	expect(await link.textContent()).toBe('Pair it again with example 3');
	expect(await link.getAttribute('href')).toBe(`${live.urls.n8n}/webhook/pair-a-phone`);
	expect(await link.getAttribute('target')).toBe('_blank');
	expect(await link.getAttribute('rel')).toBe('noopener noreferrer');

	await sandbox.setStatus('AWAITING_QR');
	await page.getByTestId('scan').click();
	await page.getByTestId('status').getByText('Online', { exact: true }).waitFor();
	expect(await link.isVisible()).toBe(false);
});

describe('axe-core finds nothing on the phone page', () => {
	phoneTest('with messages of all kinds and an armed fault', async (page) => {
		await sendImage();
		await send(GRACE, '*bold* `code` https://a.example\n> quote');
		await openPhone(page, ADA);
		await send(GRACE);
		await badge(page, GRACE).waitFor();
		await sandbox.setStatus('DISCONNECTED');
		await post(live.account, 'sendMessage', { ...textTo(ADA), windowMs: 60_000 });
		await openTools(page);
		await page.getByTestId('fault-slow').click();
		await page.locator('[data-testid="fault-slow"][aria-pressed="true"]').waitFor();
		expect(await violations(page)).toEqual([]);
		await page.goto(`${live.urls.phone}#${GRACE}`);
		await page.getByTestId('bubble').getByText('quote').waitFor();
		expect(await violations(page)).toEqual([]);
	});

	phoneTest('in the chat list of a narrow screen and in the sheet', async (page) => {
		await page.setViewportSize({ width: 390, height: 760 });
		await send(GRACE);
		await openPhone(page);
		expect(await violations(page)).toEqual([]);
		await page.setViewportSize({ width: 390, height: 760 });
		await page.goto(live.urls.phone);
		await page.getByRole('button', { name: 'Try it' }).click();
		await page.getByTestId('example').first().waitFor();
		expect(await violations(page)).toEqual([]);
		await openTools(page);
		await page.getByTestId('fault-clear').waitFor();
		expect(await violations(page)).toEqual([]);
	});

	phoneTest('in the request log and in the viewer', async (page) => {
		await sendImage();
		await sendRequest(urlOf(live.account, 'sendMessage'), { method: 'POST' });
		await openPhone(page, ADA);
		await openTools(page);
		await page.getByTestId('requests-button').click();
		await page.getByTestId('request').first().waitFor();
		expect(await violations(page)).toEqual([]);
		await page.keyboard.press('Escape');
		await page.getByTestId('bubble').getByRole('button', { name: 'Your table' }).click();
		expect(await violations(page)).toEqual([]);
	});

	phoneTest('without messages, and in each state of pairing', async (page) => {
		await openPhone(page);
		await page.getByText('No messages yet').waitFor();
		expect(await violations(page)).toEqual([]);
		for (const [status, title] of [
			['AWAITING_QR', 'Pair this phone'],
			['AUTH_FAILURE', 'This phone is logged out'],
			['DISCONNECTED', 'No QR code yet'],
		] as const) {
			await sandbox.setStatus(status);
			await page.getByText(title).waitFor();
			expect(await violations(page)).toEqual([]);
		}
	});
});
