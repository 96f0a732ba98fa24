import { browserTest, screenshot, useBrowser } from './browser';
import { field, byTestId, newCredential, optionsOf } from './editor';
import { live } from './live';

useBrowser();

browserTest('tests a new credential, and reports a wrong secret', async (page) => {
	const dialog = await newCredential(page);
	await field(page, 'baseUrl').fill(live.account.baseUrl);
	await field(page, 'token').fill(live.account.token);
	await field(page, 'secret').fill(live.account.secret);
	await byTestId(page, 'credential-save-button').click();
	await dialog.getByText('Connection tested successfully').waitFor();
	await screenshot(page, 'credential-connects');

	await field(page, 'secret').fill('of another account');
	await byTestId(page, 'credential-save-button').click();
	await dialog.getByText('Couldn’t connect with these settings').waitFor();
	await dialog.getByText('More details').click();
	await dialog
		.getByText('The gateway did not accept the signature (401, invalid_signature)')
		.waitFor();
	await screenshot(page, 'credential-wrong-secret');
});

browserTest(
	'says that HTTP Request nodes cannot use it, or for the base URL only',
	async (page) => {
		await newCredential(page);
		const domains = 'allowedHttpRequestDomains';
		expect(await field(page, domains).inputValue()).toBe('None');
		expect(await optionsOf(page, domains)).toEqual(['Base URL Only', 'None']);
		await screenshot(page, 'credential-domains');
	},
);
