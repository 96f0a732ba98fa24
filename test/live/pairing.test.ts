import { inBrowser, picture, useBrowser } from './browser';
import { codeInForce, readByCamera } from './camera';
import { execute, openOurNode } from './editor';
import { live } from './live';
import { until } from './n8n';
import { sandbox } from './sandbox';
import { run } from './workflows/examples';

useBrowser();
beforeEach(async () => await sandbox.reset());

inBrowser('a phone is paired on its page, and shows a text and a picture', async (page) => {
	const phone = await page.context().newPage();
	await phone.goto(live.urls.phone);
	const saysStatus = async (words: string) =>
		await phone.getByTestId('status').getByText(words, { exact: true }).waitFor();
	await saysStatus('Session not started');

	await openOurNode(page, { resource: 'session', operation: 'start' });
	await execute(page);
	await saysStatus('Waiting for a scan');
	await until('the code of the moment', async () => {
		const code = await codeInForce();
		return (await readByCamera(phone.getByTestId('qr'))) === code || undefined;
	});
	await picture(phone, 'phone-before-pairing');
	await phone.getByTestId('scan').click();
	await saysStatus('Online');
	expect((await sandbox.state()).status).toBe('ONLINE');

	await openOurNode(page, { chatId: '+44 7700 900123', text: 'Your table is booked' });
	await execute(page);
	await phone.getByTestId('chat-447700900123').click();
	await phone.getByTestId('bubble').getByText('Your table is booked').waitFor();

	await run('5-picture-and-invoice');
	const image = phone.locator('[data-testid="bubble"][data-kind="picture"] img');
	await until('a picture that has arrived', async () => {
		const width = await image.evaluate((shown: HTMLImageElement) => shown.naturalWidth);
		return width > 0 || undefined;
	});
	await picture(phone, 'phone');
});
