import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { check, delivered, SECRET, start, TOKEN } from './run';

test('answers what the API document leaves open, and sends no message without a number', async () => {
	const { baseUrl } = await start();
	const { code, output, report, answer } = await check(baseUrl);
	expect(code).toBe(0);
	expect(answer('status of the session')).toMatch(/^ONLINE, which means: online\./);
	expect(answer('verify the signature')).toBe(
		'Yes. Signed: 422, not signed: 401, signed with a wrong secret: 401.',
	);
	expect(answer('timestamp be off')).toBe(
		'Accepted: 4 min behind and 4 min ahead, of 1, 4, 6, 11, 61 min. Otherwise rejected with: signature_expired.',
	);
	expect(answer('deferred endpoints need a signature')).toMatch(
		/^No, but if there is one, it must be right\. Signed: 200, not signed: 200, .* wrong secret: 401\.$/,
	);
	expect(answer('list of deferred deliveries')).toBe('A list with 0 entries, certainly complete.');
	expect(answer('delivery that does not exist')).toBe('Get: 404. Delete: 404.');
	expect(output).toContain('6 findings, 0 of them (≠) differ');
	expect(report).toContain('- 6 findings, of which 0 differ from what the package assumes');
	expect(report).toContain('"error": "validation_error"');
	expect(delivered()).toEqual([]);
});

test('asks for token and secret, and shows neither', async () => {
	const { baseUrl } = await start();
	const { output, report, answer } = await check(baseUrl, [TOKEN, SECRET], {});
	expect(output).toMatch(/^Token \(not shown\): \nSecret \(not shown\): \n/);
	expect(answer('verify the signature')).toMatch(/^Yes\./);
	for (const text of [output, report]) {
		expect(text).not.toContain(TOKEN);
		expect(text).not.toContain(SECRET);
	}
});

test('finds out that the deferred endpoints need a signature', async () => {
	const { baseUrl } = await start({ signDeferred: 'required' });
	const { answer, differs } = await check(baseUrl);
	expect(answer('deferred endpoints need')).toBe(
		'Yes. Signed: 200, not signed: 401, signed with a wrong secret: 401.',
	);
	expect(differs('deferred endpoints need')).toBe(false);
});

test('stops if token or secret is wrong, and sends nothing', async () => {
	const { baseUrl } = await start();
	const env = { GATEWAY_TOKEN: TOKEN, GATEWAY_SECRET: 'another' };
	const { report, answer } = await check(baseUrl, ['+44 7700 900123', 'y', 'y', 'y', 'y'], env);
	expect(answer('verify the signature')).toMatch(
		/^The correct signature was rejected, so token or secret is wrong\. Signed: 401/,
	);
	expect(report).not.toContain('## 3.');
	expect(delivered()).toEqual([]);
});

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

test('says what is wrong with what the user enters, without a report', async () => {
	const unknown = await check('gateway.example.com');
	expect(unknown.code).toBe(1);
	expect(unknown.output).toMatch(/does not start with https:\/\/[^]*Enter the address/);
	expect(unknown.report).toBe('');

	const { baseUrl } = await start();
	const { code, output, report } = await check(baseUrl, ['0151 23456789']);
	expect(code).toBe(1);
	expect(output).toMatch(/0151 23456789[^]*country code/);
	// What it has found out so far.
	expect(report).toContain('## 6.');
});
