import type { Page } from 'playwright-core';

import { post, textTo } from '../harness/client';
import { violations } from './accessibility';
import { signedOutBrowserTest as phoneTest, useBrowser } from './browser';
import { live } from './live';
import { sandbox } from './sandbox';

const ADA = '447700900123';

useBrowser();
beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});

const send = async (chatId: string, text = 'Hello') =>
	await post(live.account, 'sendMessage', textTo(chatId, text));

async function openPhone(page: Page, chat = ''): Promise<void> {
	await page.goto(`${live.urls.phone}#${chat}`);
	await page.getByTestId('status').getByText('Online', { exact: true }).waitFor();
}

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
