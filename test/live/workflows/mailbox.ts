import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A minimal SMTP server on 127.0.0.1. Stores every email in its raw form. */
export async function startMailbox() {
	const mails: string[] = [];
	const server = createServer((socket) => {
		let received = '';
		let isMail = false;
		const reply = (line: string) => socket.write(`${line}\r\n`);
		reply('220 mailbox');
		socket.on('error', () => {});
		socket.on('data', (data) => {
			received += data.toString();
			const end = isMail ? '\r\n.\r\n' : '\r\n';
			if (!received.endsWith(end)) return;
			if (isMail) mails.push(received);
			isMail = received.startsWith('DATA');
			reply(isMail ? '354 go on' : received.startsWith('QUIT') ? '221 bye' : '250 OK');
			received = '';
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return { port, mails, close: () => server.close() };
}
