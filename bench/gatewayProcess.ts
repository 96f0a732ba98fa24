import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { startSandbox } from '../sandbox/sandbox';
import type { Account } from '../test/harness/engine';
import { exitWithParent } from './childProcess';
import { startTelegramStub } from './telegramStub';
import { createCertificate, startTlsFront } from './tlsFront';

export interface GatewayAddress {
	account: Account;
	controlUrl: string;
	controlKey: string;
	telegramUrl: string;
	/** A web server: the path is the size of the file that it sends. */
	filesUrl: string;
	/** The same servers over TLS. Undefined if this machine cannot create a certificate. */
	tls?: { certificate: string; gatewayUrl: string; telegramUrl: string };
}

exitWithParent();

async function start(): Promise<GatewayAddress> {
	const { baseUrl, token, secret, controlUrl, controlKey } = await startSandbox();
	const telegramUrl = await startTelegramStub();
	return {
		account: { baseUrl, token, secret },
		controlUrl,
		controlKey,
		telegramUrl,
		filesUrl: await startFiles(),
		tls: await startTls(baseUrl, telegramUrl),
	};
}

async function startTls(baseUrl: string, telegramUrl: string): Promise<GatewayAddress['tls']> {
	const certificate = createCertificate();
	return (
		certificate && {
			certificate: certificate.cert,
			gatewayUrl: await startTlsFront(baseUrl, certificate),
			telegramUrl: await startTlsFront(telegramUrl, certificate),
		}
	);
}

async function startFiles(): Promise<string> {
	let file = Buffer.alloc(0);
	const server = createServer(({ url = '' }, response) => {
		const size = Number(url.slice(1));
		if (file.length !== size) file = Buffer.alloc(size, 'a file ');
		response.setHeader('Content-Type', 'video/mp4');
		response.end(file);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

void start().then((address) => process.send?.(address));
