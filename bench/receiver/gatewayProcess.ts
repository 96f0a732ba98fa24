import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Server } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';

import { startSandbox } from '../../sandbox/sandbox';
import type { Account } from '../../test/harness/engine';
import { respond } from '../measuring/childProcess';

export interface Addresses {
	account: Account;
	controlUrl: string;
	controlKey: string;
	/** A stub of Telegram's API. The path starts with the latency in ms. */
	telegramUrl: string;
	/** A web server: the path is the size of the file that it sends. */
	filesUrl: string;
	/** The same servers over TLS. Undefined if this machine cannot create a certificate. */
	tls?: { certificate: string; gatewayUrl: string; telegramUrl: string };
}

async function start(): Promise<Addresses> {
	const { baseUrl, token, secret, controlUrl, controlKey } = await startSandbox();
	const telegramUrl = `http://${await listen(createServer(sendMessage))}`;
	return {
		account: { baseUrl, token, secret },
		controlUrl,
		controlKey,
		telegramUrl,
		filesUrl: `http://${await listen(createServer(sendFile))}`,
		tls: await startTls(baseUrl, telegramUrl),
	};
}

const sendMessage: RequestListener = (request, response) =>
	void (async () => {
		const { chat_id: chatId, text } = (await json(request)) as Record<string, string>;
		await delay(Number(request.url!.split('/')[1]));
		const result = {
			message_id: 1,
			chat: { id: Number(chatId), type: 'private' },
			date: Math.floor(Date.now() / 1000),
			text,
		};
		response.setHeader('Content-Type', 'application/json');
		response.end(JSON.stringify({ ok: true, result }));
	})();

const sendFile: RequestListener = ({ url = '' }, response) => {
	response.setHeader('Content-Type', 'video/mp4');
	response.end(Buffer.alloc(Number(url.slice(1)), 'a file '));
};

async function startTls(baseUrl: string, telegramUrl: string): Promise<Addresses['tls']> {
	const pem = createCertificate();
	if (pem === undefined) return undefined;
	const overTls = async (url: string) => {
		const server = createTlsServer({ key: pem, cert: pem }, (socket) => {
			const plain = connect(Number(new URL(url).port), '127.0.0.1');
			socket.pipe(plain).pipe(socket);
			socket.on('error', () => plain.destroy());
			plain.on('error', () => socket.destroy());
		});
		return `https://${await listen(server)}`;
	};
	return {
		certificate: pem,
		gatewayUrl: await overTls(baseUrl),
		telegramUrl: await overTls(telegramUrl),
	};
}

/** Key and certificate for 127.0.0.1, self-signed, in PEM. Undefined without the command line tool openssl. */
function createCertificate(): string | undefined {
	// The type of key that most certificates on the web have today.
	const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
	const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
	const options = ['req', '-x509', '-days', '2', ...key, ...subject, '-keyout', '-', '-out', '-'];
	try {
		return execFileSync('openssl', options, { stdio: 'pipe' }).toString();
	} catch {
		return undefined;
	}
}

/** Returns host and port. */
async function listen(server: Server): Promise<string> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

respond(start);
