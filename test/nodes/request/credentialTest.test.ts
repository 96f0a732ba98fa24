import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

import { CredentialTestContext } from 'n8n-core';

import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../../nodes/MessagingGateway/MessagingGatewayTrigger.node';
import { type Account, additionalData, run, storedAccount } from '../../harness/engine';
import { DOCUMENTED_CODES } from '../../harness/apiDocument';
import { useGateway } from '../../harness/sandboxAccount';

const gateway = useGateway();

/** What the editor shows after the test of a credential. */
async function testMessage(account: Account): Promise<string> {
	const { testConnection } = new MessagingGateway().methods.credentialTest;
	const { message } = await testConnection.call(
		new CredentialTestContext(additionalData({ account })),
		{
			id: '1',
			name: 'Account',
			type: 'messagingGatewayApi',
			data: { signDeferred: true, ...storedAccount(account) },
		},
	);
	return message;
}

test('both nodes bring the test of the credential', () => {
	for (const node of [new MessagingGateway(), new MessagingGatewayTrigger()]) {
		const [credential] = node.description.credentials!;
		expect(node.methods.credentialTest).toHaveProperty(credential!.testedBy as string);
	}
});

test('the right credential passes, and the lookup changes nothing', async () => {
	const before = gateway.state();
	expect(await testMessage(gateway.account)).toBe('Connection successful!');
	const lookup = { endpoint: 'inviteInfo', bodyText: '{"inviteCode":""}' };
	// The second one is signed wrongly on purpose.
	expect(gateway.requests()).toMatchObject([lookup, { ...lookup, status: 401 }]);
	expect(gateway.state()).toEqual(before);
});

test.each([
	[{}, ''],
	[{ sendTo: 'anyone' }, ''],
	[
		{ sendTo: 'allowed', allowedRecipients: '+49 151 23456789\n\n+43*\ngroups' },
		' Messages go to the recipients on 3 line(s).',
	],
	[{ sendTo: 'testNumber', testRecipient: '+49 151 23456789' }, ' Messages go to 4915123456789.'],
	[{ sendTo: 'nobody' }, ' Messages go to nobody.'],
])('says who gets messages with %j', async (limits, who) => {
	const message = await testMessage({ ...gateway.account, ...limits });
	expect(message).toBe(`Connection successful!${who}`);
});

test.each([
	[{ sendTo: 'allowed' }, "'Allowed Recipients' of the credential is empty. Enter one recipient"],
	[{ sendTo: 'testNumber' }, "'Test Recipient' of the credential cannot be read. Enter a phone"],
	[{ sendTo: 'all' }, "'Send Messages To' of the credential is none of its choices. Choose one."],
])('reports a limit that cannot be read: %j', async (limits, words) => {
	const message = await testMessage({ ...gateway.account, ...limits });
	expect(message.slice(0, words.length)).toBe(words);
	expect(gateway.requests()).toEqual([]);
});

test.each<[string, () => Partial<Account>, RegExp]>([
	[
		'secret',
		() => ({ secret: 'not the secret' }),
		/^The gateway did not accept the signature .*'Secret' of the credential/,
	],
	[
		'token',
		() => ({ token: 'not-the-token' }),
		/^The gateway does not know the token .*'Token' of the credential/,
	],
	[
		'path in the base URL',
		() => ({ baseUrl: `${gateway.baseUrl}/wrong` }),
		/^The gateway found nothing at this address \(404\)\. Check 'Base URL'/,
	],
	[
		'base URL without a protocol',
		() => ({ baseUrl: '127.0.0.1' }),
		/^'Base URL' of the credential does not start with https/,
	],
])('reports a wrong %s', async (_what, change, words) => {
	expect(await testMessage({ ...gateway.account, ...change() })).toMatch(words);
});

test.each([
	['ECONNREFUSED', () => 'http://127.0.0.1:1'],
	['ENOTFOUND', () => 'http://gateway.invalid'],
	['EPROTO', () => gateway.baseUrl.replace('http:', 'https:')],
])('explains %s as the node does, apart from what is not in the dialog', async (_code, baseUrl) => {
	const account = { ...gateway.account, baseUrl: baseUrl() };
	const parameters = { resource: 'session', operation: 'ping' };
	const { error } = await run({ account, parameters });
	const message = await testMessage(account);
	const [firstSentence = '', ...others] = message.split('. ');
	expect(error!.message).toBe(`${firstSentence} [item 0]`);
	for (const sentence of others) expect(error!.description).toContain(sentence);
	expect(message).not.toMatch(/Request Options|Session >|option/);
});

test('token and secret may have spaces around them', async () => {
	const { token, secret } = gateway.account;
	const account = { ...gateway.account, token: ` ${token}\n`, secret: `\t${secret} ` };
	expect(await testMessage(account)).toBe('Connection successful!');
	const { error } = await run({
		account,
		parameters: { resource: 'message', operation: 'inviteInfo', inviteCode: 'x' },
	});
	expect(error).toBeUndefined();
});

test('an unknown error of the request contains neither token nor secret', async () => {
	const { testConnection } = new MessagingGateway().methods.credentialTest;
	const { token, secret } = gateway.account;
	const request = async () => await Promise.reject(new Error(`odd ${token} ${secret}`));
	const { message } = await testConnection.call({ helpers: { request } } as never, {
		id: '1',
		name: 'Account',
		type: 'messagingGatewayApi',
		data: { signDeferred: true, ...storedAccount(gateway.account) },
	});
	expect(message).toMatch(/^The connection closed before a complete response arrived\./);
	expect(message).not.toContain(token);
	expect(message).not.toContain(secret);
});

test('reports a wrong clock, also one that the node corrects, and no clock that was wrong before', async () => {
	const parameters = { resource: 'message', operation: 'inviteInfo', inviteCode: 'x' };
	gateway.faults([{ clockOffsetMs: 600_000 }]);
	expect((await run({ account: gateway.account, parameters })).error).toBeUndefined();
	expect(await testMessage(gateway.account)).toMatch(
		/^The timestamp of the request .* The clock of this n8n is \d+ s (ahead of|behind)/,
	);
	gateway.faults([]);
	expect(await testMessage(gateway.account)).toBe('Connection successful!');
});

describe('a gateway with only the documented behaviour', () => {
	let answer: RequestListener = () => undefined;
	const bare = createServer((request, response) => {
		request.resume();
		answer(request, response);
	});
	const account = () => ({
		...gateway.account,
		baseUrl: `http://127.0.0.1:${(bare.address() as AddressInfo).port}`,
	});
	beforeAll(async () => await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve)));
	afterAll(() => bare.close());

	const UNKNOWN = /^The gateway did not accept the credential \(401\)\. .*'Token' and 'Secret'/;

	test.each([
		[401, '', UNKNOWN],
		[401, 'go away', UNKNOWN],
		[401, '["no"]', UNKNOWN],
		[401, '<html>Sign in</html>', UNKNOWN],
		[401, '{"error":"something_new"}', UNKNOWN],
		[401, '{"error":"unauthorized"}', /^The gateway did not accept .* \(401, unauthorized\)/],
		[401, '{"error":"token_expired"}', /^The token has expired/],
		[401, '{"error":"ip_not_allowed"}', /^The gateway does not accept requests from the address/],
		[200, '\ufeff<html>', /^The response is a web page.*'Base URL'/],
		[200, 'Welcome!', /^The response is a web page.*'Base URL'/],
		[302, '{}', /^The gateway redirected the request/],
		[403, '{}', /^The gateway does not allow this \(403\)/],
		[405, '{}', /^The gateway does not support this operation .*'Base URL'/],
		[429, '{}', /rate limit/],
		[503, '{}', /could not process the request \(503\)/],
	])('fails the test with %d and the body %j', async (status, body, words) => {
		answer = (_request, response) => response.writeHead(status).end(body);
		expect(await testMessage(account())).toMatch(words);
	});

	test.each([200, 404, 422])(
		'fails the test with a %d that rejects the token or the signature',
		async (status) => {
			for (const body of [
				{ error: 'invalid_signature' },
				{ error: 'invalid_signature', inviteCode: '' },
				{ error: { code: 'invalid_token' }, status: 'DISCONNECTED' },
				{ success: false, code: 'INVALID_TOKEN' },
				{ code: 'invalid_signature' },
				{ status: 'error', message: 'Invalid signature' },
				{ success: false, data: { error: 'invalid_token' } },
				{ payload: { Error: 'invalid_token' } },
				{ message: 'The API token is invalid' },
			]) {
				answer = (_request, response) => response.writeHead(status).end(JSON.stringify(body));
				const message = await testMessage(account());
				expect(message).toMatch(/^The (gateway|token)/);
				expect(message).toMatch(/token|signature/i);
			}
		},
	);

	type Reply = [status: number, body?: unknown];

	/** Has time and ID in each body, as many gateways do. */
	function answerBySignature(right: Reply, wrong: Reply) {
		answer = (request, response) => {
			const { token, secret } = gateway.account;
			const time = String(request.headers['x-api-timestamp']);
			const signed = createHmac('sha256', secret).update(`${time}${token}{"inviteCode":""}`);
			const isRight = request.headers['x-api-signature'] === signed.digest('hex');
			const [status, body] = isRight ? right : wrong;
			const more = { timestamp: new Date().toISOString(), requestId: randomUUID() };
			const isPlain = typeof body === 'object' && !Array.isArray(body);
			response.writeHead(status).end(body && JSON.stringify(isPlain ? { ...body, ...more } : body));
		};
	}

	const INVALID: Reply[] = [
		[400, { error: 'invalid_hmac' }],
		[400, { message: 'Invalid API key' }],
		[401],
	];

	/** To the right signature. The test of a wrong secret gets the same to both requests. */
	test.each<Reply>([
		[200],
		[200, { subject: 'Choir' }],
		[200, []],
		[200, { success: false }],
		[200, { status: 'failed' }],
		[200, { success: false, error: 'invalid_invite' }],
		[200, { error: 'validation_error', message: 'inviteCode is required' }],
		[204],
		[400],
		[400, { error: 'validation_error' }],
		[400, { message: 'The invite token is not valid' }],
		[402, { error: 'insufficient_balance' }],
		[409, { error: 'session_not_online' }],
		[422, { error: 'validation_error' }],
	])('passes with %d %j only if a wrong signature is refused', async (...right) => {
		for (const wrong of INVALID) {
			answerBySignature(right, wrong);
			expect(await testMessage(account())).toBe('Connection successful!');
			for (const same of [right, wrong]) {
				answerBySignature(same, same);
				expect(await testMessage(account())).toMatch(
					same[0] === 401
						? /^The gateway did not accept the credential/
						: same === wrong
							? /^The gateway .*\(400/
							: /^The gateway does not refuse a wrong signature \(\d{3}.*\), so the test cannot tell .*'Secret'/,
				);
			}
		}
	});

	test.each<Reply>([
		[404, { error: 'invite_not_found' }],
		[404, { success: false, message: 'No such invite' }],
		[404, { error: { code: 'not_found', message: 'The group does not exist' } }],
		[410, { error: 'invite_revoked' }],
	])('passes with %d %j, which is about the invite', async (...right) => {
		for (const wrong of INVALID) {
			answerBySignature(right, wrong);
			expect(await testMessage(account())).toBe('Connection successful!');
		}
	});

	// Of an overloaded gateway, or about the session of the right one.
	test.each<Reply>([
		[500, { status: 500, response: { message: 'Connection Closed' } }],
		[503, { error: 'session_not_connected' }],
		[403, { error: 'session_not_connected' }],
		[409, { error: 'session_unauthorized' }],
	])('passes with %d %j, which is not about the credential', async (...right) => {
		answerBySignature(right, [401, { error: 'invalid_signature' }]);
		expect(await testMessage(account())).toBe('Connection successful!');
	});

	// A wrong secret gets both responses.
	const trace = () => randomBytes(16).toString('base64').replace(/\d/g, 'x');
	test.each<[string, () => Reply, () => Reply]>([
		['an ID', () => [400, { error: 'x', trace: trace() }], () => [400, { trace: trace() }]],
		['a server', () => [200, { server: 'blue' }], () => [200, { server: 'green' }]],
		['a nonce', () => [200, `<html>${trace()}`], () => [200, `<html>${trace()}`]],
		['a redirect', () => [200, '<html>Sign in'], () => [302]],
		['a page that a firewall blocks', () => [200, '<html>Welcome'], () => [403, '<html>Blocked']],
		[
			'an address',
			() => [404, { error: 'session_starting' }],
			() => [404, { error: 'no_instance' }],
		],
		[
			'a limit',
			() => [400, { error: 'rate_limit_exceeded' }],
			() => [400, { error: 'invalid_hmac' }],
		],
		['a lock', () => [400, { error: 'invalid_hmac' }], () => [423, { error: 'account_locked' }]],
		['a count', () => [401, { message: '2 left' }], () => [401, { message: '1 left' }]],
		['a proxy that was down', () => [502, 'Bad Gateway'], () => [401]],
	])('fails the test if the responses differ only by %s', async (_what, right, wrong) => {
		answerBySignature(right(), wrong());
		expect(await testMessage(account())).toMatch(/^The (gateway|response)/);
	});

	test.each([429, 500, 503])('a %d to the wrong signature proves nothing', async (status) => {
		answerBySignature([400, { error: 'validation_error' }], [status]);
		expect(await testMessage(account())).toMatch(new RegExp(`^The gateway.*\\(${status}\\)`));
	});

	test('both requests together end after half a minute', async () => {
		const timeout = jest.spyOn(AbortSignal, 'timeout');
		answerBySignature([400], [400]);
		await testMessage(account());
		expect(timeout.mock.calls).toEqual([[15_000], [15_000]]);
		timeout.mockRestore();
	});

	test.each([
		{ statusCode: 404, message: 'Cannot POST /api/whatsapp/x/invite-info', error: 'Not Found' },
		{ message: 'Route POST:/api/whatsapp/x/invite-info not found', error: 'Not Found' },
		{ error: 'account_not_found' },
		'invite not found',
		{},
	])('fails the test with the 404 of something else: %j', async (body) => {
		answer = (_request, response) => response.writeHead(404).end(JSON.stringify(body));
		expect(await testMessage(account())).toMatch(/^The gateway found nothing at this address/);
	});

	/** The labels of all fields and options of the node, which the dialog does not have. */
	const labels = new Set<string>();
	JSON.stringify(new MessagingGateway().description.properties, (name, value: unknown) => {
		if (name === 'displayName') labels.add(value as string);
		return value;
	});
	labels.delete('Options');

	test.each([
		...DOCUMENTED_CODES.map(([, error]) => [401, { error }] as const),
		...DOCUMENTED_CODES.map(([, error]) => [200, { success: false, error }] as const),
		...[401, 403, 404, 405, 413, 429, 500, 502, 503].map((status) => [status, {}] as const),
	])('after a %d with %j, names only what is in the dialog', async (status, body) => {
		answer = (_request, response) => response.writeHead(status).end(JSON.stringify(body));
		const message = await testMessage(account());
		const named = [...message.matchAll(/'([^']+)'/g)].map(([, name]) => name!);
		expect(named.filter((name) => labels.has(name))).toEqual([]);
		expect(message).not.toMatch(/Session >|Message >|Deferred Delivery >|\boption\b|\. Otherwise/);
	});

	test('sends a single request, even after a 401', async () => {
		const signatures: unknown[] = [];
		answer = (request, response) => {
			signatures.push(request.headers['x-api-signature']);
			setTimeout(() => response.writeHead(401).end('{}'), 5);
		};
		await testMessage(account());
		expect(signatures).toHaveLength(1);
	});
});

test('ends if the timeout passes before the body of the response arrives', async () => {
	const abort = new AbortController();
	const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(abort.signal);
	const request = async () => {
		abort.abort();
		return Promise.resolve({ statusCode: 200, headers: {}, body: new Readable({ read() {} }) });
	};
	const { testConnection } = new MessagingGateway().methods.credentialTest;
	const { message } = await testConnection.call({ helpers: { request } } as never, {
		id: '1',
		name: 'Account',
		type: 'messagingGatewayApi',
		data: storedAccount(gateway.account),
	});
	timeout.mockRestore();
	expect(message).toMatch(/^The gateway did not respond within the timeout/);
});

test('ends if the response arrives byte by byte', async () => {
	const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
		const abort = new AbortController();
		setTimeout(() => abort.abort(), 300);
		return abort.signal;
	});
	const server = createServer((_request, response) => {
		response.write('{');
		const timer = setInterval(() => response.write(' '), 20);
		response.on('close', () => clearInterval(timer));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const message = await testMessage({
		baseUrl: `http://127.0.0.1:${port}`,
		token: 'token-1',
		secret: 'secret-1',
	});
	expect(message).toMatch(/^The gateway did not respond within the timeout/);
	expect(timeout).toHaveBeenCalledWith(15_000);
	timeout.mockRestore();
	// Only if the connection is closed.
	server.close();
	await once(server, 'close');
});
