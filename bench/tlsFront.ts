import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';

/** PEM. The key has the type that most certificates on the web have today. */
export interface Certificate {
	key: string;
	cert: string;
}

/** Self-signed, for 127.0.0.1. Undefined without the command line tool openssl. */
export function createCertificate(): Certificate | undefined {
	const options = [
		...['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
		...['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'],
		...['-keyout', '-', '-out', '-'],
	];
	try {
		const pem = execFileSync('openssl', ['req', '-x509', ...options], { stdio: 'pipe' }).toString();
		const [key, cert] = ['PRIVATE KEY', 'CERTIFICATE'].map(
			(type) => new RegExp(`-----BEGIN ${type}-----.*?-----END ${type}-----\n`, 's').exec(pem)![0],
		);
		return { key: key!, cert: cert! };
	} catch {
		return undefined;
	}
}

/** Decrypts for a plain server on this machine. Returns the address to use instead. */
export async function startTlsFront(url: string, certificate: Certificate): Promise<string> {
	const { port } = new URL(url);
	const server = createServer(certificate, (socket) => {
		const plain = connect(Number(port), '127.0.0.1');
		socket.pipe(plain).pipe(socket);
		socket.on('error', () => plain.destroy());
		plain.on('error', () => socket.destroy());
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
