import { browserTest, signedOutBrowserTest, screenshot, useBrowser } from './browser';
import { live } from './live';

useBrowser();

signedOutBrowserTest('signs in with the credentials that `npm start` prints', async (page) => {
	await page.goto(live.urls.n8n);
	await page.getByLabel('Email').fill(live.owner.email);
	await page.getByLabel('Password').fill(live.owner.password);
	await screenshot(page, 'sign-in');
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.waitForURL(/\/home\/workflows/);
	await page.getByText('Overview', { exact: true }).first().waitFor();
	await screenshot(page, 'home');
});

browserTest('lists the package under Community nodes', async (page) => {
	await page.goto(`${live.urls.n8n}/settings/community-nodes`);
	await page.getByText('n8n-nodes-messaging-gateway', { exact: true }).waitFor();
	await page.getByText('2 nodes:').waitFor();
	await screenshot(page, 'community-nodes');
});
