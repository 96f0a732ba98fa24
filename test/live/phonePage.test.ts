import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

import { post, sendRequest, textTo, urlOf } from '../harness/client';
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

phoneTest('the recipient sees a question as a card', async (page) => {
	const link = 'https://n8n.example.com/webhook-waiting/1?signature=x';
	await send(ADA, `May we?\n\nAnswer here:\n${link}`);
	await openPhone(page, ADA);
	await page.getByTestId('as-recipient').click();
	await page.getByText('As +44 7700900123 sees it').waitFor();
	const card = page.getByTestId('bubble');
	expect(await card.locator('.text').innerText()).toMatch(/^May we\?\s+Answer here:$/);
	const open = card.getByRole('link', { name: 'Open the question' });
	expect(await open.getAttribute('href')).toBe(link);
	expect(await violations(page)).toEqual([]);
});

describe('axe-core finds nothing on the phone page', () => {
	phoneTest('with messages of all kinds and an armed fault', async (page) => {
		await sendImage();
		await send(GRACE, '*bold* `code` https://a.example\n> quote');
		await openPhone(page, ADA);
		await send(GRACE);
		await page.getByTestId(`chat-${GRACE}`).locator('.count').waitFor();
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
