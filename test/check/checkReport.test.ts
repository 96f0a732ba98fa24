import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { freePort } from '../harness/sandboxProgram';
import { check, sandbox, start, TOKEN } from './run';

describe('a gateway that checks nothing and has other names', () => {
	let gateway: Server;
	let baseUrl: string;
	beforeEach(async () => {
		gateway = createServer((request, response) => {
			request.resume();
			const isList = request.url!.endsWith('/deferred');
			response.setHeader('Content-Type', 'application/json');
			response.end(
				JSON.stringify(
					isList
						? { messages: [{ text: 'Private words', to: '447700900123' }] }
						: { owner: 'Ada Lovelace', phone: '+447700900123', condition: 'fine', token: TOKEN },
				),
			);
		}).listen(0, '127.0.0.1');
		await once(gateway, 'listening');
		baseUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
	});
	afterEach(() => gateway.close());

	test('has an error message and names that are too long for a report', async () => {
		const long = 'a'.repeat(150_000);
		gateway.removeAllListeners('request');
		gateway.on('request', (request: IncomingMessage, response: ServerResponse) => {
			request.resume();
			response.writeHead(500, { 'Content-Type': 'application/json' });
			response.end(JSON.stringify({ message: long, [long]: 1, error: 'ada@example.com 1 2' }));
		});
		const { report } = await check(baseUrl);
		expect(report).toContain('"message": "<text, 150000 characters>"');
		expect(report).toContain('"<text, 150000 characters>": 1');
		expect(report).toContain('"error": "<address> 1 2"');
	});

	test('differs, and its report contains no content', async () => {
		const { report, answer, differs } = await check(baseUrl);
		expect(answer('status of the session')).toMatch(/^none \(200\), which means: unknown\./);
		expect(answer('verify the signature')).toMatch(/^Not always\. Signed: 200, not signed: 200/);
		expect(answer('list of deferred')).toBe('No list (200), possibly not complete.');
		for (const question of ['status', 'verify the signature', 'list of deferred', 'not exist']) {
			expect([question, differs(question)]).toEqual([question, true]);
		}
		expect(report).toContain('"owner": "<text, 12 characters>"');
		expect(report).toContain('"phone": "<digits, 13 characters>"');
		expect(report).toContain('"text": "<text, 13 characters>"');
		expect(report).not.toMatch(/Ada|Private|7700|127\.0\.0\.1/);
		expect(report).not.toContain(TOKEN);
	});
});

test('ends without a report if the address is wrong', async () => {
	const invalid = await check('gateway.example.com');
	expect([invalid.code, invalid.report]).toEqual([1, '']);
	expect(invalid.output).toBe(
		'The base URL does not start with https:// or http://. Enter the address that comes before /api/whatsapp, e.g. https://gateway.example.com\n',
	);

	const origin = `http://127.0.0.1:${await freePort()}`;
	const closed = await check(origin);
	expect([closed.code, closed.report]).toEqual([1, '']);
	expect(closed.output).toBe(
		`No response from ${origin} (ECONNREFUSED). Check the base URL for typos, and that this machine can reach the gateway.\n`,
	);

	const { baseUrl } = await start();
	const encrypted = await check(baseUrl.replace('http:', 'https:'));
	expect(encrypted.output).toContain(
		'(ERR_SSL_WRONG_VERSION_NUMBER). No secure connection could be established. If the gateway does not use TLS at this port, the base URL must not start with https://.\n',
	);

	sandbox.faults([
		{ endpoint: 'status', body: { contentType: 'text/html', text: '<!doctype html><p>Hello' } },
	]);
	const page = await check(baseUrl);
	expect([page.code, page.report]).toEqual([1, '']);
	expect(page.output).toMatch(/returned a web page \(200\)\. This is not the address of a gateway/);
});
