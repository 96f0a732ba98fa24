import { Readable } from 'node:stream';

import { type IHttpRequestOptions, NodeApiError } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../credentials/MessagingGatewayApi.credentials';
import { InvalidInput } from '../../gateway/inputValues';
import { type Account, type OutcomeError, run, storedAccount } from '../harness/engine';
import { useFileServer } from '../harness/fileServer';
import { useProxy } from '../harness/proxyServer';
import { useGateway } from '../harness/sandboxAccount';
import { sendAsOtherNode } from './otherNode';

const gateway = useGateway({ basePath: '/gw/v1', token: 'tökén/1+2', secret: 'sécret 🔑' });

const MESSAGE = { resource: 'message', operation: 'send', chatId: '4915123456789', text: 'x' };
const PING = { resource: 'session', operation: 'ping' };

type Request = Record<string, unknown>;

/** The error of a run of the node. */
const errorOfNode = async (parameters: Request, change: Partial<Account> = {}) => {
	const account = { ...gateway.account, ...change };
	return (await run({ account, parameters })).error;
};

/** As its owner may set it. */
const forHttpRequests = () => ({ ...gateway.account, allowedHttpRequestDomains: 'all' });

const errorOf = async (request: Request, account: Account = forHttpRequests()) =>
	(await sendAsOtherNode([request], { account }))[0];

/** Sends a request as n8n's HTTP Request node (4.x) builds it. */
const httpRequest = (request: Request, account?: Account) => {
	const usual = {
		...{ headers: {}, gzip: true, rejectUnauthorized: true, json: true, timeout: 5000 },
		...{ followRedirect: true, followAllRedirects: true, resolveWithFullResponse: true },
	};
	return errorOf({ ...usual, ...request }, account);
};

const inviteInfo = () => `${gateway.baseUrl}/api/whatsapp/{token}/invite-info`;

/** Looks up an invite, which needs a signature. */
const postInvite = (request: Request) =>
	httpRequest({ method: 'POST', uri: inviteInfo(), ...request });

/** In n8n's older and current form of a request. */
const bothWays = async (request: Request, account?: Account) => [
	await errorOf({ method: 'POST', uri: inviteInfo(), ...request }, account),
	await errorOf({ method: 'POST', url: inviteInfo(), ...request }, account),
];

describe('an HTTP Request node with this credential', () => {
	const type = { 'content-type': 'application/json' };
	test.each<[string, Request, string]>([
		['JSON', { body: { inviteCode: 'Ä😀' } }, '{"inviteCode":"Ä😀"}'],
		[
			'raw text with a wrong Content-Length',
			{ body: ' {"inviteCode" : "x"}\n', json: false, headers: { ...type, 'content-length': 3 } },
			' {"inviteCode" : "x"}\n',
		],
		[
			'a stored JSON file',
			{ body: Buffer.from('{"inviteCode":"x"} '), headers: { ...type, 'content-length': 19 } },
			'{"inviteCode":"x"} ',
		],
		[
			'a lone surrogate, as the replacement character, but else',
			{ body: '{"inviteCode":"\u2028\ud800"}', json: false, headers: type },
			'{"inviteCode":"\u2028\ufffd"}',
		],
	])('sends and signs %s unchanged', async (_what, request, bodyText) => {
		expect(await postInvite(request)).toBeUndefined();
		const url = '/gw/v1/api/whatsapp/t%C3%B6k%C3%A9n%2F1%2B2/invite-info';
		expect(gateway.theRequest()).toMatchObject({ url, bodyText, status: 200 });
	});

	test('sends no header of the connection, and none that Connection names', async () => {
		const names = [
			...['HOST', 'Keep-Alive', 'Proxy-Authenticate', 'Proxy-Authorization', 'X-Hop'],
			...['Proxy-Connection', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade'],
		];
		const error = await postInvite({
			body: { inviteCode: 'x' },
			headers: {
				...Object.fromEntries(names.map((name) => [name, 'other'])),
				...{ connection: 'close, X-Hop,x-api-signature , content-type', 'X-Trace': 'kept' },
			},
		});
		expect(error).toBeUndefined();
		const { headers, status } = gateway.theRequest();
		expect(status).toBe(200);
		expect(headers).toMatchObject({
			...{ 'x-trace': 'kept', 'content-type': 'application/json' },
			host: new URL(gateway.baseUrl).host,
		});
		expect(headers.connection).not.toContain('X-Hop');
		for (const name of names.slice(1)) expect(headers).not.toHaveProperty([name.toLowerCase()]);
	});

	test.each([
		['a space after its name', { 'Host ': 'other.example' }],
		['the headers of a method', { post: { Host: 'other.example' } }],
		['the headers of all methods', { common: { 'X-API-Signature': 'x' } }],
		['an object in a list', { 'X-Trace': [{ Host: 'other.example' }] }],
	])('rejects a header with %s', async (_what, headers) => {
		for (const error of await bothWays({ body: { a: 1 }, headers })) {
			expect(error?.message).toContain('is not a header');
		}
		expect(gateway.requests()).toEqual([]);
	});

	test.each<[string, Request, Request?]>([
		['by default', {}],
		['if its owner says so', { allowedHttpRequestDomains: 'none' }],
		['if it declares a pace', { allowedHttpRequestDomains: 'all', messagesPerMinute: 20 }],
		['not even if the request says that it is of the node', {}, { isOwnNode: true }],
	])('cannot use the credential, %s', async (_what, domains, more = {}) => {
		const account = { ...gateway.account, ...domains };
		for (const error of await bothWays({ body: { a: 1 }, ...more }, account)) {
			expect(error?.message).toMatch(/HTTP Request/);
		}
		expect(gateway.requests()).toEqual([]);
	});

	// n8n sends a body with GET only for an HTTP Request node (uri), so the signature of others must not cover one.
	test.each([
		['GET', 'uri', '{"a":1}'],
		['GET', 'url', ''],
		['get', 'url', ''],
	])(
		'signs what is sent of the body of a %s request with %s: %j',
		async (method, form, bodyText) => {
			const url = `${gateway.baseUrl}/api/whatsapp/{token}/deferred`;
			const request = { method, [form]: url, body: { a: 1 }, json: true };
			expect(await errorOf(request)).toBeUndefined();
			expect(gateway.theRequest()).toMatchObject({ status: 200, bodyText });
		},
	);

	const typed = (contentType: unknown) => ({
		body: 'a=b',
		headers: { 'Content-Type': contentType },
	});
	test.each([
		['a stream', { body: Readable.from(['x']) }],
		['a form', { form: { a: 'b' } }],
		['form data', { formData: { a: 'b' } }],
		['URL parameters', { body: new URLSearchParams({ a: 'b' }) }],
		['a body that is declared as a form', typed('application/x-www-form-urlencoded')],
		['a multipart body', typed('multipart/form-data; boundary=x')],
		['a form in a parameter, where n8n finds it', typed('application/json; x=multipart/form-data')],
		['a form in a list of types', typed(['multipart/x'])],
	])('rejects %s with a clear message and sends nothing', async (_what, request) => {
		const error = await postInvite(request);
		expect(error?.message).toBe('A form or a file cannot be signed, and was not sent');
		expect(gateway.requests()).toEqual([]);
	});

	const view = new Uint8Array(Buffer.from('_{"inviteCode":"x"}_')).subarray(1, -1);
	test.each<[string, unknown, string[]]>([
		['a view of some bytes', view, ['{"inviteCode":"x"}', '{"inviteCode":"x"}']],
		// n8n's current helper sends no empty object.
		['an explicit empty object', {}, ['{}', '']],
	])('signs the sent bytes of %s', async (_what, body, bodyTexts) => {
		await bothWays({ body, headers: { 'Content-Type': 'application/json' } });
		expect(gateway.requests().map(({ bodyText }) => bodyText)).toEqual(bodyTexts);
		// 401 would mean a wrong signature. Whether the gateway accepts the contents does not matter.
		expect(gateway.requests().map(({ status }) => status)).not.toContain(401);
	});
});

describe('a request outside the base URL', () => {
	const elsewhere = useFileServer();

	test.each([
		['another host', () => `${elsewhere.url}/gw/v1/api/whatsapp/{token}/ping`],
		['a user name', () => gateway.baseUrl.replace('/gw', `@${elsewhere.url.slice(7)}/gw`)],
	])('to %s is rejected, and nothing is sent', async (_what, uri) => {
		const error = await httpRequest({ method: 'POST', uri: uri(), body: { a: 1 } });
		expect(error?.message).toMatch(
			/^This credential is for http:\/\/127\.0\.0\.1:\d+\/gw\/v1 only/,
		);
		expect(JSON.stringify(error)).not.toMatch(/tökén|t%C3%B6k/);
		expect([...elsewhere.requests, ...gateway.requests()]).toEqual([]);
	});

	test('is not sent by a redirect either', async () => {
		for (const status of [301, 302, 303, 307, 308]) {
			gateway.faults([{ status, headers: { location: `${elsewhere.url}/take` } }]);
			await postInvite({ body: { inviteCode: 'x' } });
			const error = await errorOfNode(MESSAGE);
			expect(error?.message).toBe(
				`The gateway redirected the request to another address (${status}) [item 0]`,
			);
		}
		expect(elsewhere.requests).toEqual([]);
	});
});

describe('a proxy that is named in a node', () => {
	const proxy = useProxy();
	const https = 'https://gateway.invalid';
	const http = 'http://gateway.invalid';
	const viaNode = async (baseUrl: string, more: Request, limits: Partial<Account> = {}) => {
		const requestOptions = { proxy: proxy.url, ...more };
		return await errorOfNode({ ...MESSAGE, requestOptions }, { baseUrl, ...limits });
	};
	const viaHttpRequest = async (baseUrl: string, more: Request) =>
		await httpRequest(
			{
				...{ method: 'POST', uri: `${baseUrl}/api/whatsapp/{token}/sendMessage`, body: {} },
				...{ proxy: proxy.url, ...more },
			},
			{ ...forHttpRequests(), baseUrl },
		);

	test('gets only an encrypted connection that it cannot open', async () => {
		await viaNode(https, {});
		await viaHttpRequest(https, {});
		expect(proxy.seen).toEqual(['CONNECT gateway.invalid:443', 'CONNECT gateway.invalid:443']);
	});

	test.each<[string, () => Promise<OutcomeError | undefined>]>([
		['the node, to http', () => viaNode(http, {})],
		['the node that ignores SSL issues', () => viaNode(https, { allowUnauthorizedCerts: true })],
		['another node, to http', () => viaHttpRequest(http, {})],
		['one that ignores SSL issues', () => viaHttpRequest(https, { rejectUnauthorized: false })],
		['one with a CA of its own', () => viaHttpRequest(https, { agentOptions: { ca: 'x' } })],
	])('gets nothing from %s', async (_what, send) => {
		const error = await send();
		expect(error?.message).toContain(
			'The proxy of this node could read the token, so the request was not sent',
		);
		expect(error?.description).toContain('HTTPS_PROXY');
		expect(proxy.seen).toEqual([]);
	});

	test('is rejected for a credential that limits recipients, even to https', async () => {
		const error = await viaNode(https, {}, { sendTo: 'allowed', allowedRecipients: '+49*' });
		expect(error?.message).toContain('A node cannot choose a proxy for a credential that limits');
		expect(proxy.seen).toEqual([]);
	});
});

test.each<[unknown, string]>([
	[123456789, 'is not text but of type number'],
	[' ', 'is empty'],
	['..', 'is not a token'],
	['a/../b', 'is not a token'],
])('the token %j is rejected with a clear message', async (token, message) => {
	const error = await errorOfNode(PING, { token } as Partial<Account>);
	expect(error?.message).toBe(`'Token' of the credential ${message} [item 0]`);
	expect(gateway.requests()).toEqual([]);
});

test("n8n's domain restrictions for the credential do not break the node", async () => {
	const limits = { allowedHttpRequestDomains: 'domains', allowedDomains: 'other.example' };
	expect(await errorOfNode(MESSAGE, limits)).toBeUndefined();
});

describe('the authenticate hook', () => {
	const authenticate = async (request: Partial<IHttpRequestOptions>, more: object = {}) => {
		const hook = new MessagingGatewayApi().authenticate;
		if (typeof hook !== 'function') throw new TypeError('no hook');
		const credentials = { ...storedAccount(forHttpRequests()), ...more };
		return await hook(credentials, request as IHttpRequestOptions);
	};

	beforeEach(() => {
		jest.useFakeTimers({ now: 1_700_000_000_000, doNotFake: ['nextTick', 'setImmediate'] });
	});
	afterEach(() => {
		jest.useRealTimers();
	});

	test.each([[{ inviteCode: 'x' }], [Buffer.from('{"inviteCode":"x"}')], [undefined], [{}]])(
		'keeps the body %p and uses a new timestamp if it is called twice',
		async (body) => {
			const first = await authenticate({ method: 'POST', url: inviteInfo(), body });
			jest.setSystemTime(1_700_000_000_007);
			const second = await authenticate(first);
			expect([second.body, second.url]).toEqual([first.body, first.url]);
			const [before, after] = [first, second].map(
				({ headers }) => headers as Record<string, string>,
			);
			expect(Object.keys(after!).sort()).toEqual(Object.keys(before!).sort());
			expect(before!['X-API-Timestamp']).toBe('1700000000000');
			expect(after!['X-API-Timestamp']).toBe('1700000000007');
			expect(after!['X-API-Signature']).not.toBe(before!['X-API-Signature']);
		},
	);

	test('does not modify its input', async () => {
		const given = Object.freeze({
			method: 'POST' as const,
			url: inviteInfo(),
			headers: Object.freeze({ 'x-api-signature': 'stale', 'Content-Length': '1' }),
			body: Object.freeze({ a: 1 }),
		});
		const { headers } = await authenticate(given);
		expect(Object.keys(headers!)).not.toContain('x-api-signature');
		expect(headers?.['X-API-Signature']).not.toBe('stale');
	});

	test('signs deferred requests for a credential that was saved without the field', async () => {
		const headersOf = async (more: object) =>
			(await authenticate({ url: '/api/whatsapp/{token}/deferred' }, more)).headers;
		expect(await headersOf({})).toHaveProperty('X-API-Signature');
		expect(await headersOf({ signDeferred: false })).not.toHaveProperty('X-API-Signature');
	});

	// n8n before 2.36 wraps any other error and loses its cause: what was not sent would look like a lost connection.
	test('throws an error of n8n, with its text and cause', async () => {
		const rehearsal = { sendTo: 'nobody', isOwnNode: true };
		const message = {
			url: '/api/whatsapp/{token}/sendMessage',
			body: '{"chatId":"4915123456789"}',
		};
		const error: unknown = await authenticate({ method: 'POST', ...message }, rehearsal).catch(
			(thrown: unknown) => thrown,
		);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'The request was not sent, because this is a rehearsal',
			description: expect.stringContaining('Nothing was sent.') as string,
			cause: expect.any(InvalidInput) as InvalidInput,
		});
	});
});
