import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';

import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';

import { NodeApiError } from 'n8n-workflow';

import { failureInConnection } from '../../../nodes/MessagingGateway/request/connection';
import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { unredacted } from '../../harness/responses';
import { type Sending, sending } from '../../harness/messages';

const gateway = useNewGateways();
const servers: Server[] = [];
let connections: number;

beforeEach(() => (connections = 0));
afterEach(() => servers.splice(0).forEach((server) => server.close()));

async function listening(server: Server): Promise<number> {
	servers.push(server);
	server.on('connection', (socket) => {
		connections += 1;
		socket.on('error', () => {});
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return (server.address() as AddressInfo).port;
}

/** Ends every connection at its first bytes. */
const closing = () => createServer((socket) => socket.once('data', () => socket.destroy()));
const proxySignIn = () =>
	createHttpServer().on('connect', (_request, socket) =>
		socket.end('HTTP/1.1 407 No\r\nContent-Length: 2\r\n\r\nNo'),
	);

const https = (port: number | string) => ({
	...gateway.account,
	baseUrl: `https://127.0.0.1:${port}`,
});

/** Sends a message that may be attempted three times. */
const send = async (account = gateway.account, fields: Sending['fields'] = {}) =>
	await run(
		sending(gateway, {
			account,
			fields,
			options: { idempotencyKey: 'order-1', maxTries: 3, maxWait: 0.02 },
		}),
	);

describe('a message that never left', () => {
	const RETRIED = /^Nothing was sent\. .*The node made 3 attempts\.$/;
	const UNREACHABLE =
		/^Nothing was sent\. Check the address of 'Proxy' under 'Request Options', and that the proxy is running\. The node made 3 attempts\.$/;
	const PLAIN_PORT = /^Nothing was sent\. .*'Base URL' .*https:\/\/((?!attempts).)*$/;
	const SIGN_IN = /^Nothing was sent\. .*'Request Options'/;
	const HANDSHAKE = 'connection to the gateway could be established';

	const through = async (proxy: string) => await send(https(1), { requestOptions: { proxy } });
	const throughServer = async (server: Server) =>
		await through(`http://127.0.0.1:${await listening(server)}`);
	const toPlainPort = async () => await send(https(new URL(gateway.baseUrl).port));
	const toClosing = async () => await send(https(await listening(closing())));

	test.each<[string, () => ReturnType<typeof send>, RegExp, number]>([
		[`No secure ${HANDSHAKE}`, toPlainPort, PLAIN_PORT, 0],
		[`No ${HANDSHAKE}`, toClosing, RETRIED, 3],
		[
			'The proxy requires a user name and a password',
			() => throughServer(proxySignIn()),
			SIGN_IN,
			1,
		],
		['The proxy closed the connection', () => throughServer(closing()), RETRIED, 3],
		['The proxy cannot be reached', () => through('http://127.0.0.1:1'), UNREACHABLE, 0],
		['The proxy cannot be reached', () => through('http://proxy.invalid:3128'), UNREACHABLE, 0],
	])('%s', async (message, attempted, description, attempts) => {
		const { error } = await attempted();
		expect(error?.message).toBe(`${message} [item 0]`);
		expect(error?.description).toMatch(description);
		expect(connections).toBe(attempts);
	});

	test('because of the SSRF protection of n8n is not retried and gives the reason of n8n', async () => {
		const protection = Container.get(SsrfProtectionConfig);
		protection.enabled = true;
		const { error } = await send().finally(() => (protection.enabled = false));
		expect(error?.message).toBe('n8n blocked the request to the gateway [item 0]');
		expect(error?.description).toMatch(/^Nothing was sent\. n8n says: The request was blocked/);
		expect(error?.description).toContain('The target 127.0.0.1 is not allowed.');
		expect(gateway.requests()).toEqual([]);
	});
});

describe('the phase in which a connection failed', () => {
	const NOT_CONNECTED = { kind: 'notSent', cause: 'noConnection' };

	const systemError = (code: string, syscall: string) =>
		Object.assign(new Error(`${syscall} ${code}`), { code, syscall });

	/** As axios and n8n wrap it. */
	const wrapped = (cause: Error & { code?: string }) => {
		const axiosError = Object.assign(new Error(cause.message, { cause }), { code: cause.code });
		return new NodeApiError({ name: 'x' } as never, axiosError as never);
	};

	test.each([
		['ETIMEDOUT', 'connect', 'notSent'],
		['ECANCELLED', 'queryAaaa', 'notSent'],
		['ETIMEDOUT', 'read', 'noResponse'],
		['EPIPE', 'write', 'noResponse'],
	])('decides about %s: after %s it is %s', (code, syscall, kind) => {
		const failure = failureInConnection(wrapped(systemError(code, syscall)), unredacted);
		expect(failure).toMatchObject(kind === 'notSent' ? NOT_CONNECTED : { kind, code });
	});

	test('is known if a host has several addresses', () => {
		const attempts = ['EHOSTUNREACH', 'ETIMEDOUT'].map((code) => systemError(code, 'connect'));
		const all = Object.assign(new AggregateError(attempts), { code: 'ETIMEDOUT' });
		expect(failureInConnection(wrapped(all), unredacted)).toEqual(NOT_CONNECTED);
	});
});
