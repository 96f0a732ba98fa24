import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { freePort } from '../harness/sandboxProgram';
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
	expect(answer('response to a message')).toBe('Not checked: you entered no number.');
	expect(output).toContain('?\n  Not checked: you entered no number.\n');
	expect(answer('how many lookups')).toBe('Not checked: you chose not to send them.');
	const summary = '6 findings, of which 0 differ from what the package assumes; 5 not checked';
	expect(output).toContain(summary);
	expect(report).toContain(`- ${summary}\n`);
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

test('stops at a wrong secret, and sends nothing', async () => {
	const { baseUrl } = await start();
	const env = { GATEWAY_TOKEN: TOKEN, GATEWAY_SECRET: 'another' };
	const { report, answer } = await check(baseUrl, ['+44 7700 900123', 'y', 'y', 'y', 'y'], env);
	expect(answer('verify the signature')).toMatch(
		/^The correct signature was rejected\. First check the secret and the clock .+ signs in another way\. Signed: 401/,
	);
	expect(report).toContain(
		'2 findings, of which 1 differs from what the package assumes; 9 not checked',
	);
	expect(report.match(/Not checked: the correct signature was rejected\./g)).toHaveLength(9);
	expect(delivered()).toEqual([]);
});

/** Runs the command with what ends it at once: without a report, and with what to correct. */
async function checkInVain(...args: Parameters<typeof check>): Promise<string> {
	const { code, output, report } = await check(...args);
	expect([code, report]).toEqual([1, '']);
	expect(output).not.toContain('findings');
	return output;
}

test('stops at a wrong token', async () => {
	const { baseUrl } = await start();
	const env = { GATEWAY_TOKEN: 'another', GATEWAY_SECRET: SECRET };
	expect(await checkInVain(baseUrl, [], env)).toContain(
		'The gateway rejected the token in GATEWAY_TOKEN (401 invalid_token). Copy the token',
	);
});

/** Runs `use` with the address of another gateway, which responds with this status and JSON to each request, by its path. */
async function withGateway<T>(
	respond: (path: string) => [status: number, json: object],
	use: (baseUrl: string) => Promise<T>,
): Promise<T> {
	const gateway = createServer((request, response) => {
		request.resume();
		const [status, json] = respond(request.url!);
		response.writeHead(status, { 'Content-Type': 'application/json' });
		response.end(JSON.stringify(json));
	}).listen(0, '127.0.0.1');
	await once(gateway, 'listening');
	try {
		return await use(`http://127.0.0.1:${(gateway.address() as AddressInfo).port}`);
	} finally {
		gateway.close();
	}
}

test('stops at a wrong address', async () => {
	expect(await checkInVain('gateway.example.com')).toBe(
		'The base URL does not start with https:// or http://. Enter the address that comes before /api/whatsapp, e.g. https://gateway.example.com\n',
	);
	const { baseUrl } = await start();
	expect(await checkInVain(baseUrl.replace('http:', 'https:'))).toContain(
		'If the gateway does not use TLS at this port, the base URL must not start with https://.',
	);
	const origin = `http://127.0.0.1:${await freePort()}`;
	expect(await checkInVain(origin)).toBe(
		`No response from ${origin} (ECONNREFUSED). Check the base URL for typos, and that this machine can reach the gateway.\n`,
	);
});

test('a gateway that checks nothing and has other names differs, and its report contains no content', async () => {
	const { report, answer, differs } = await withGateway(
		(path) =>
			path.endsWith('/deferred')
				? [200, { messages: [{ text: 'Private words', to: '447700900123' }] }]
				: [200, { owner: 'Ada Lovelace', phone: '+447700900123', token: TOKEN }],
		check,
	);
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
