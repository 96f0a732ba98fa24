import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';

import { CredentialTestContext } from 'n8n-core';

import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../../nodes/MessagingGateway/MessagingGatewayTrigger.node';
import { useCustomGateway } from '../../fuzz/cases';
import { type Account, additionalData, run, storedAccount } from '../../harness/engine';
import { DOCUMENTED_CODES } from '../../harness/apiDocument';
import { useGateway } from '../../harness/sandboxAccount';

const gateway = useGateway({ token: 'token-1', secret: 'secret-1' });

/** What the editor shows after the test of a credential. */
async function testMessage(account: Account): Promise<string> {
	const { testConnection } = new MessagingGateway().methods.credentialTest;
	const context = new CredentialTestContext(additionalData({ account }));
	const { message } = await testConnection.call(context, {
		id: '1',
		name: 'Account',
		type: 'messagingGatewayApi',
		data: { signDeferred: true, ...storedAccount(account) },
	});
	return message;
}

const OK = 'Connection successful!';

test('both nodes bring the test of the credential', () => {
	for (const node of [new MessagingGateway(), new MessagingGatewayTrigger()]) {
		const [credential] = node.description.credentials!;
		expect(node.methods.credentialTest).toHaveProperty(credential!.testedBy as string);
	}
});

test('the right credential passes, and the lookup changes nothing', async () => {
	const before = gateway.state();
	expect(await testMessage(gateway.account)).toBe(OK);
	const lookup = { endpoint: 'inviteInfo', bodyText: '{"inviteCode":""}' };
	// The second one is signed wrongly on purpose.
	expect(gateway.requests()).toMatchObject([lookup, { ...lookup, status: 401 }]);
	expect(gateway.state()).toEqual(before);
});

test.each<[object, string]>([
	[{ sendTo: 'allowed', allowedRecipients: '+49 151 23456789\n\n+43*\ngroups' }, OK],
	[{ sendTo: 'nobody' }, OK],
	[{ messagesPerMinute: 20, processes: 20 }, OK],
	...[[2.5], [20, 21], [-20, -1], [20, 0]].map(
		([messagesPerMinute, processes]): [object, string] => [
			...([
				{ messagesPerMinute, processes },
				"'Messages per Minute' of the credential is",
			] as const),
		],
	),
	[{ token: ' token-1\n', secret: '\tsecret-1 ' }, OK],
	[{ sendTo: 'allowed' }, "'Allowed Recipients' of the credential is empty. Enter one recipient"],
	[{ sendTo: 'all' }, "'Send Messages To' of the credential is none of its choices. Choose one."],
	[{ secret: 'not the secret' }, 'The gateway did not accept the signature'],
	[{ token: 'not-the-token' }, 'The gateway does not know the token'],
	[{ baseUrl: 'http://127.0.0.1:1' }, "The connection to the gateway's address was refused. "],
	[{ baseUrl: '127.0.0.1' }, "'Base URL' of the credential does not start with https"],
])('with %j, says %s', async (change, words) => {
	const message = await testMessage({ ...gateway.account, ...change });
	expect(message.slice(0, words.length)).toBe(words);
});

test('reports a wrong clock, also one that the node corrects, and no clock that was wrong before', async () => {
	const parameters = { resource: 'message', operation: 'inviteInfo', inviteCode: 'x' };
	gateway.faults([{ clockOffsetMs: 600_000 }]);
	expect((await run({ account: gateway.account, parameters })).error).toBeUndefined();
	expect(await testMessage(gateway.account)).toMatch(
		/^The timestamp of the request .* The clock of this n8n is \d+ s (ahead of|behind)/,
	);
	gateway.faults([]);
	expect(await testMessage(gateway.account)).toBe(OK);
});

describe('a gateway with only the documented behaviour', () => {
	let answer: RequestListener;
	let requests = 0;
	const account = useCustomGateway((request, response) => {
		requests += 1;
		request.resume();
		answer(request, response);
	});

	type Reply = [status: number, body?: unknown];
	const answerWith = (...[status, body = '']: Reply) => {
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		answer = (_request, response) => response.writeHead(status).end(text);
	};

	const UNKNOWN = /^The gateway did not accept the credential \(401\)\. .*'Token' and 'Secret'/;
	const NOT_FOUND = /^The gateway found nothing at this address \(404\)\. Check 'Base URL'/;
	const REFUSED = /^The (gateway|token).*(token|signature)/is;

	test.each([
		[401, '', UNKNOWN],
		[401, { error: 'unauthorized' }, /^The gateway did not accept .* \(401, unauthorized\)/],
		[401, { error: 'ip_not_allowed' }, /^The gateway does not accept requests from the address/],
		[200, '\ufeff<html>', /^The response is a web page.*'Base URL'/],
		[429, {}, /rate limit/],
		// Not about the invite.
		[404, { message: 'Route POST:/x/invite-info not found', error: 'Not Found' }, NOT_FOUND],
		[404, { error: 'account_not_found' }, NOT_FOUND],
		[404, '"invite not found"', NOT_FOUND],
		// About the credential, whatever the status.
		[200, { error: 'invalid_signature', inviteCode: '' }, REFUSED],
		[404, { error: { code: 'invalid_token' }, status: 'DISCONNECTED' }, REFUSED],
		[200, { success: false, data: { error: 'invalid_token' } }, REFUSED],
		[200, { message: 'The API token is invalid' }, REFUSED],
	])('a %d with the body %j fails the test', async (status, body, words) => {
		requests = 0;
		answerWith(status, body);
		expect(await testMessage(account)).toMatch(words);
		// The second request would have a signature that is wrong on purpose.
		if (status === 401) expect(requests).toBe(1);
	});

	/** Has time and ID in each body, as many gateways do. */
	function answerBySignature(right: Reply, wrong: Reply) {
		answer = (request, response) => {
			const time = String(request.headers['x-api-timestamp']);
			const signed = `${time}${account.token}{"inviteCode":""}`;
			const signature = createHmac('sha256', account.secret).update(signed).digest('hex');
			const [status, body] = request.headers['x-api-signature'] === signature ? right : wrong;
			const more = { timestamp: new Date().toISOString(), requestId: randomUUID() };
			const isPlain = typeof body === 'object' && !Array.isArray(body);
			response.writeHead(status).end(body && JSON.stringify(isPlain ? { ...body, ...more } : body));
		};
	}

	const INVALID: Reply[] = [
		[400, { error: 'invalid_hmac' }],
		[400, { message: 'Invalid API key' }],
		[400, { message: 'Wrong apikey' }],
		[401],
	];

	/** To the right signature. The test of a wrong secret gets the same to both requests. */
	test.each<Reply>([
		[200, { subject: 'Choir' }],
		[200, { success: false, error: 'invalid_invite' }],
		[204],
		[400, { message: 'The invite token is not valid' }],
		[409, { error: 'session_not_online' }],
		[422, { error: 'validation_error' }],
	])('passes with %d %j only if a wrong signature is refused', async (...right) => {
		for (const wrong of INVALID) {
			answerBySignature(right, wrong);
			expect(await testMessage(account)).toBe(OK);
			answerBySignature(wrong, wrong);
			expect(await testMessage(account)).toMatch(/^The gateway (did not accept|.*\(400)/);
		}
		answerBySignature(right, right);
		expect(await testMessage(account)).toMatch(
			/^The gateway does not refuse a wrong signature \(\d{3}.*\), so the test cannot tell .*'Secret'/,
		);
	});

	// About the invite, of an overloaded gateway, or about the session of the right one.
	test.each<Reply>([
		[404, { error: { code: 'not_found', message: 'The group does not exist' } }],
		[500, { status: 500, response: { message: 'Connection Closed' } }],
		[403, { error: 'session_not_connected' }],
	])('passes with %d %j, which is not about the credential', async (...right) => {
		answerBySignature(right, [401, { error: 'invalid_signature' }]);
		expect(await testMessage(account)).toBe(OK);
	});

	test('shows neither token nor secret', async () => {
		answerWith(401, { error: `odd ${account.token} ${account.secret}` });
		expect(await testMessage(account)).toContain('odd *** ***');
		answerBySignature([200, {}], [422, { error: `odd ${account.token} ${account.secret}` }]);
		expect(await testMessage(account)).toContain('(422, odd *** ***)');
	});

	// A wrong secret gets both responses.
	const trace = () => randomBytes(16).toString('base64').replace(/\d/g, 'x');
	test.each<[string, Reply, Reply]>([
		['an ID', [400, { error: 'x', trace: trace() }], [400, { trace: trace() }]],
		['a nonce', [200, `<html>${trace()}`], [200, `<html>${trace()}`]],
		['a limit', [400, { error: 'rate_limit_exceeded' }], [400, { error: 'invalid_hmac' }]],
		['a lock', [400, { error: 'invalid_hmac' }], [423, { error: 'account_locked' }]],
		['a proxy that was down', [502, 'Bad Gateway'], [401]],
	])('fails the test if the responses differ only by %s', async (_what, right, wrong) => {
		answerBySignature(right, wrong);
		expect(await testMessage(account)).toMatch(/^The (gateway|response)/);
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
		...[401, 403, 404, 405, 413, 429, 500, 502, 503].map((status) => [status, {}] as const),
	])('after a %d with %j, names only what is in the dialog', async (status, body) => {
		answerWith(status, body);
		const message = await testMessage(account);
		const named = [...message.matchAll(/'([^']+)'/g)].map(([, name]) => name!);
		expect(named.filter((name) => labels.has(name))).toEqual([]);
		expect(message).not.toMatch(/Session >|Message >|Deferred Delivery >|\boption\b|\. Otherwise/);
	});

	test('ends after the timeout if the response arrives byte by byte', async () => {
		const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
			const abort = new AbortController();
			setTimeout(() => abort.abort(), 300);
			return abort.signal;
		});
		let closed: Promise<unknown> | undefined;
		answer = (_request, response) => {
			response.write('{');
			const timer = setInterval(() => response.write(' '), 20);
			closed = once(response, 'close').then(() => clearInterval(timer));
		};
		const message = await testMessage(account);
		expect(message).toMatch(/^The gateway did not respond within the timeout/);
		expect(timeout).toHaveBeenCalledWith(15_000);
		timeout.mockRestore();
		await closed;
	});
});
