import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { check, delivered, sandbox, SECRET, start, TOKEN } from './run';

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
	for (const question of [
		'What is the response to a message?',
		'What does it do with a delivery window while the session is online?',
		'Does it drop a message whose idempotency key it knows?',
		'After how many messages does it return a 429?',
	]) {
		expect(answer(question)).toBe('Not checked: you entered no number.');
		expect(output).toContain(`– ${question}\n  Not checked: you entered no number.\n`);
	}
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

test('repeats a request after a 429, which says nothing about the question', async () => {
	const { baseUrl } = await start();
	const limited = { times: 1, status: 429, retryAfter: 0 };
	sandbox.faults([
		{ ...limited, endpoint: 'status' },
		{ ...limited, endpoint: 'listDeferred' },
	]);
	const { answer } = await check(baseUrl);
	expect(answer('status of the session')).toMatch(/^ONLINE/);
	expect(answer('deferred endpoints need')).toContain('Signed: 200, not signed: 200');
});

test('finds out that the deferred endpoints need a signature', async () => {
	const { baseUrl } = await start({ signDeferred: 'required' });
	const { answer, differs } = await check(baseUrl);
	expect(answer('deferred endpoints need')).toBe(
		'Yes. Signed: 200, not signed: 401, signed with a wrong secret: 401.',
	);
	expect(differs('deferred endpoints need')).toBe(false);
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

test.each([
	['in GATEWAY_TOKEN', [], { GATEWAY_TOKEN: 'another', GATEWAY_SECRET: SECRET }],
	['that you entered', ['another', SECRET], {}],
] as const)('a wrong token %s ends it without a report', async (where, input, env) => {
	const { baseUrl } = await start();
	const { code, output, report } = await check(baseUrl, [...input], env);
	expect(code).toBe(1);
	expect(output).toContain(
		`The gateway rejected the token ${where} (401 invalid_token). Copy the token`,
	);
	expect(output).not.toContain('findings');
	expect(report).toBe('');
});

test('a token that only signed requests check ends it, too', async () => {
	const gateway = createServer((request, response) => {
		const isStatus = request.url!.endsWith('/status');
		response.writeHead(isStatus ? 200 : 401, { 'Content-Type': 'application/json' });
		response.end(JSON.stringify(isStatus ? { status: 'ONLINE' } : { error: 'token_expired' }));
	}).listen(0, '127.0.0.1');
	await once(gateway, 'listening');
	const { port } = gateway.address() as AddressInfo;
	const { code, output, report } = await check(`http://127.0.0.1:${port}`);
	gateway.close();
	expect([code, report]).toEqual([1, '']);
	expect(output).toContain('The gateway rejected the token in GATEWAY_TOKEN (401 token_expired).');
});

test.each([
	['The token in GATEWAY_TOKEN is empty', [], { GATEWAY_TOKEN: '', GATEWAY_SECRET: SECRET }],
	['The token that you entered is empty', ['', SECRET], {}],
	['The secret that you entered is empty', [TOKEN, ' '], {}],
	['The token that you entered is not a token', ['..', SECRET], {}],
	['The token that you entered is longer than 4096 characters', ['t'.repeat(4097), SECRET], {}],
] as const)('%s: says where to correct it', async (problem, input, env) => {
	const { baseUrl } = await start();
	const { code, output, report } = await check(baseUrl, [...input], env);
	expect([code, report]).toEqual([1, '']);
	expect(output).toContain(`${problem}. Copy it from the gateway's console, then try again.`);
	expect(output).not.toMatch(/credential|expression/);
});
