import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { signedOutBrowserTest, useBrowser } from './browser';
import { byTestId } from './editor';
import { useOwnN8n } from './ownN8n';

const LIVE = pathToFileURL(join(__dirname, '../../dev/live/')).href;
/** What `npm start` does after installing, in a home of its own: other tests change the workflows of their n8n. */
const START = `
	const { startRegularMode } = await import('${LIVE}modes/regularMode.mjs');
	const { summary } = await import('${LIVE}texts.mjs');
	const ports = { n8n: 16_678, sandbox: 14_021 };
	console.log(summary(await startRegularMode({ home: process.argv[1], ports })));
	process.stdin.resume();`;

let printed = '';
useOwnN8n(START, /Press Ctrl\+C/, (text) => {
	printed = text;
});

useBrowser();

function find(pattern: RegExp): string[] {
	const match = pattern.exec(printed);
	if (!match) throw new Error(`${pattern} does not match:\n${printed}`);
	return match.slice(1);
}

/** User and password of the form, as the browser asks for them. */
const formPassword = () => {
	const [origin] = find(/1\. Open n8n: (\S+)\n/);
	const [username = '', password = ''] = find(/It asks for user (\S+), password (\S+)\n/);
	return { httpCredentials: { username, password, origin } };
};

signedOutBrowserTest(
	'the steps that `npm start` prints send a message at the first click',
	async (page) => {
		const [n8n = '', email = '', password = ''] = find(
			/1\. Open n8n: (\S+)\n +Sign in as (\S+) with (\S+)\n/,
		);
		const [example = '', execute = ''] = find(/2\. Open "(.+)" and click (.+)\. A form opens\.\n/);
		const [send = '', phone = ''] = find(
			/3\. Fill in the form, click (\w+), and look at the phone:\n +(\S+)\n/,
		);

		await page.goto(n8n);
		await page.getByLabel('Email').fill(email);
		await page.getByLabel('Password').fill(password);
		await page.getByRole('button', { name: 'Sign in' }).click();

		const names = byTestId(page, 'workflow-card-name');
		await names.first().waitFor();
		const numbers = (await names.allInnerTexts()).map((name) => name.trim().split('.')[0]);
		expect(numbers.slice(0, 8)).toEqual(['1', '2', '3', '4', '5', '6', '7a', '7b']);
		await page.getByText('Start here', { exact: true }).waitFor();

		await names.getByText(example, { exact: true }).click();
		const opened = page.context().waitForEvent('page');
		await byTestId(page, 'execute-workflow-button').getByText(execute, { exact: true }).click();
		const form = await opened;
		await form.getByLabel('Your name').fill('Ada');
		await form.getByLabel('Phone number').fill('+44 7700 900123');
		await form.getByLabel('Message').fill('My first message');
		await form.getByRole('button', { name: send }).click();
		await form.getByRole('heading', { name: 'Sent', exact: true }).waitFor();

		const opening = page.context().waitForEvent('page');
		await form.getByRole('link', { name: 'Look at the phone' }).click();
		const phonePage = await opening;
		expect(phonePage.url()).toBe(phone);
		await phonePage.getByText('My first message').first().waitFor();
	},
	formPassword,
);
