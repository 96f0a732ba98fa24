import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createWorkflow, messagingGateway, webhook } from './createWorkflow';
import { executionsOf } from './executions';
import { live } from './live';
import { publishWorkflow } from './n8n';
import { sandbox } from './sandbox';

const PNG = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
	'base64',
);

let server: Server;
let url: string;
const received: string[] = [];

beforeAll(async () => {
	server = createServer(({ url: path, rawHeaders }, response) => {
		received.push(JSON.stringify([path, rawHeaders]));
		if (path === '/missing.png') response.writeHead(404).end('Not found');
		else if (path === '/short') response.writeHead(302, { location: '/files/1' }).end();
		else response.setHeader('content-disposition', 'inline; filename="sun.png"').end(PNG);
	});
	await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
	server.closeAllConnections();
	await new Promise((done) => server.close(done));
});

beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});

test('sends a file by URL and as base64, without showing the credential to its server', async () => {
	const path = crypto.randomUUID();
	const chatId = '+44 7700 900123';
	const sends = [
		{ mediaSource: 'url', mediaUrl: '={{ $json.body.url }}/short' },
		{ mediaSource: 'base64', mediaBase64: `data:image/png;base64,${PNG.toString('base64')}` },
		{ mediaSource: 'url', mediaUrl: `${url}/missing.png` },
	].map((source, index) => ({
		...messagingGateway({
			operation: 'sendMedia',
			chatId,
			...source,
			options: { fileName: index === 1 ? 'sun.png' : undefined },
		}),
		id: `send${index}`,
		name: `Send ${index}`,
		onError: 'continueRegularOutput',
	}));
	const workflow = await createWorkflow([webhook(path, 'lastNode'), ...sends]);
	await publishWorkflow(workflow);
	await fetch(`${live.urls.n8n}/webhook/${path}`, {
		method: 'POST',
		body: new URLSearchParams({ url }),
	});

	const [execution] = await executionsOf(workflow);
	expect(execution?.outputs('Send 0')[0]).toMatchObject([{ outcome: 'sent' }]);
	expect(execution?.outputs('Send 1')[0]).toMatchObject([{ outcome: 'sent' }]);
	expect(JSON.stringify(execution?.outputs('Send 2'))).toContain(
		`The file at ${url}/missing.png (Media URL) could not be downloaded: the server does not have it (status 404) [item 0]`,
	);
	const sha256 = createHash('sha256').update(PNG).digest('hex');
	const media = { mimetype: 'image/png', filename: 'sun.png', sha256 };
	const { delivered } = await sandbox.state();
	expect(delivered).toMatchObject([{ media }, { media }]);
	expect(received).toHaveLength(3);
	expect(received.join()).not.toContain(live.account.token);
	expect(received.join()).not.toMatch(/signature|authorization/i);
});
