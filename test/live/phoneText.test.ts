import { post, textTo } from '../harness/client';
import { browserTest, screenshot, useBrowser } from './browser';
import { live } from './live';
import { sandbox } from './sandbox';

const CHAT = '447700900123';

useBrowser();
beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});

browserTest('the phone shows the formatting of chats, and no HTML', async (page) => {
	const text =
		'*bold* _italic_ ~strike~ `code` https://a.example/x_y.\n' +
		'- item\n> quote\n```\nblock\n```\n<img src=x onerror=alert(1)> javascript:alert(1)';
	await post(live.account, 'sendMessage', textTo(CHAT, text));
	await page.setViewportSize({ width: 390, height: 760 });
	await page.goto(`${live.urls.phone}#${CHAT}`);
	const bubble = page.getByTestId('bubble');
	await bubble.getByText('quote').waitFor();
	await screenshot(page, 'phone-text');

	const texts = async (selector: string) => await bubble.locator(selector).allTextContents();
	expect(await texts('strong')).toEqual(['bold']);
	expect(await texts('i')).toEqual(['italic']);
	expect(await texts('s')).toEqual(['strike']);
	expect(await texts('code')).toEqual(['code', 'block']);
	expect(await texts('.item')).toEqual(['• item']);
	expect(await texts('.quote')).toEqual(['quote']);
	expect(await texts('a')).toEqual(['https://a.example/x_y']);
	const link = bubble.locator('a');
	expect(await link.getAttribute('href')).toBe('https://a.example/x_y');
	expect(await link.getAttribute('target')).toBe('_blank');
	expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
	expect(await bubble.locator('img').count()).toBe(0);
});
