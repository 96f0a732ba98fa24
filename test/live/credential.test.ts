import type { Page } from 'playwright-core';

import { inBrowser, picture, useBrowser } from './browser';
import { field, part } from './editor';
import { live } from './live';

useBrowser();

inBrowser(
	'a credential made by hand connects, and a wrong secret is named as such',
	async (page) => {
		const dialog = await newCredential(page);
		await field(page, 'baseUrl').fill(live.account.baseUrl);
		await field(page, 'token').fill(live.account.token);
		await field(page, 'secret').fill(live.account.secret);
		await part(page, 'credential-save-button').click();
		await dialog.getByText('Connection tested successfully').waitFor();
		await picture(page, 'credential-connects');

		await field(page, 'secret').fill('of another account');
		await part(page, 'credential-save-button').click();
		await dialog.getByText('Couldn’t connect with these settings').waitFor();
		await dialog.getByText('More details').click();
		await dialog.getByText('Secret: it does not belong to this token').waitFor();
		await picture(page, 'credential-wrong-secret');
	},
);

async function newCredential(page: Page) {
	await page.goto(`${live.urls.n8n}/home/credentials/create`);
	await part(page, 'new-credential-type-select').locator('input').fill('Messaging Gateway');
	await part(page, 'new-credential-type-select-option').getByText('Messaging Gateway API').click();
	await part(page, 'new-credential-type-button').click();
	return part(page, 'editCredential-modal');
}
