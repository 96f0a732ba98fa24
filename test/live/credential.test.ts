import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { browserTest, useBrowser } from './browser';
import { field, byTestId, newCredential } from './editor';
import { live } from './live';
import { callN8n } from './n8n';

useBrowser();

// n8n preselects the newest credential in new nodes of other tests, and this one ends with a wrong secret.
afterAll(async () => {
	const all = await callN8n<Array<{ id: string; name: string }>>('GET', '/credentials');
	const own = all.filter(({ name }) => name.startsWith('Messaging Gateway account'));
	for (const { id } of own) await callN8n('DELETE', `/credentials/${id}`);
});

browserTest('tests a new credential, and reports a wrong secret', async (page) => {
	const dialog = await newCredential(page);
	await field(page, 'baseUrl').fill(live.account.baseUrl);
	await field(page, 'gatewayToken').fill(live.account.token);
	await field(page, 'gatewaySecret').fill(live.account.secret);
	await byTestId(page, 'credential-save-button').click();
	await dialog.getByText('Connection tested successfully').waitFor();

	await field(page, 'gatewaySecret').fill('of another account');
	await byTestId(page, 'credential-save-button').click();
	await dialog.getByText('Couldn’t connect with these settings').waitFor();
	await dialog.getByText('More details').click();
	await dialog
		.getByText('The gateway did not accept the signature (401, invalid_signature)')
		.waitFor();
});

// n8n tests the stored data of a credential as any type that the user names, and sends a field with a name of that type to its server.
test.each(['n8n-nodes-base', '@n8n/n8n-nodes-langchain'])(
	'no credential of %s has a field with the name of token or secret',
	(name) => {
		const folder = join(__dirname, '../../dev/live/node_modules', name, 'dist/credentials');
		const files = readdirSync(folder).filter((file) => file.endsWith('.credentials.js'));
		expect(files.length).toBeGreaterThan(10);
		const named = files.filter((file) =>
			/['"]?name['"]?: *['"]gateway(Token|Secret)['"]/.test(
				readFileSync(join(folder, file), 'utf8'),
			),
		);
		expect(named).toEqual([]);
	},
);
