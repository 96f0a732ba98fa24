import { inBrowser, inNewBrowser, picture, useBrowser } from './browser';
import { live } from './live';

useBrowser();

inNewBrowser('the sign-in of the card opens n8n', async (page) => {
	await page.goto(live.urls.n8n);
	await page.getByLabel('Email').fill(live.owner.email);
	await page.getByLabel('Password').fill(live.owner.password);
	await picture(page, 'sign-in');
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.waitForURL(/\/home\/workflows/);
	await page.getByText('Overview', { exact: true }).first().waitFor();
	await picture(page, 'home');
});

inBrowser('n8n lists the node under Community nodes', async (page) => {
	await page.goto(`${live.urls.n8n}/settings/community-nodes`);
	await page.getByText('n8n-nodes-messaging-gateway', { exact: true }).waitFor();
	await page.getByText('2 nodes:').waitFor();
	await picture(page, 'community-nodes');
});
