import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { freePort } from '../harness/sandboxProgram';
import { check, start, TOKEN } from './run';

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

test('says what is wrong with what the user enters, with a report of what is known', async () => {
	const unknown = await check('gateway.example.com');
	expect(unknown.code).toBe(1);
	expect(unknown.output).toMatch(/does not start with https:\/\/[^]*Enter the address/);
	expect(unknown.report).toBe('');

	const closed = await check(`http://127.0.0.1:${await freePort()}`);
	expect(closed.code).toBe(1);
	expect(closed.output).toContain('This is not the address of a gateway. Check the base URL.');
	expect(closed.answer('status of the session')).toMatch(/^none \(ECONNREFUSED\)/);

	const { baseUrl } = await start();
	const { code, output, report } = await check(baseUrl, ['0151 23456789']);
	expect(code).toBe(0);
	expect(output).toContain('This is not a number with its country code');
	// Without another number.
	expect(report).toContain('## 6.');
});
