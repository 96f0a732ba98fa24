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

test('stops if token or secret is wrong, and sends nothing', async () => {
	const { baseUrl } = await start();
	const env = { GATEWAY_TOKEN: TOKEN, GATEWAY_SECRET: 'another' };
	const { report, answer } = await check(baseUrl, ['+44 7700 900123', 'y', 'y', 'y', 'y'], env);
	expect(answer('verify the signature')).toMatch(
		/^The correct signature was rejected: token, secret or the clock of this machine is wrong\. Signed: 401/,
	);
	expect(report).not.toContain('## 3.');
	expect(delivered()).toEqual([]);
});
