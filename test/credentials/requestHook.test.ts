import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

import fc from 'fast-check';
import {
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INodeExecutionData,
	type INodeType,
	NodeApiError,
} from 'n8n-workflow';

import { MessagingGatewayApi } from '../../credentials/MessagingGatewayApi.credentials';
import { authenticatedRequest } from '../../credentials/requestHook';
import { InvalidInput } from '../../gateway/invalidInput';
import { anyText } from '../harness/anyText';
import { depth } from '../harness/depth';
import { type Account, description, run, storedAccount } from '../harness/engine';
import { useProxy } from '../harness/proxyServer';
import { useGateway } from '../harness/sandboxAccount';

const gateway = useGateway({ basePath: '/gw/v1', token: 'tökén/1+2', secret: 'sécret 🔑' });

const MESSAGE = { resource: 'message', operation: 'send', chatId: '4915123456789', text: 'x' };
const PING = { resource: 'session', operation: 'ping' };

type Request = Record<string, unknown>;
type Way = 'httpRequestWithAuthentication' | 'requestWithAuthentication';

/** A node that sends the given request with n8n's current helper or the one of the HTTP Request node. */
class Sends implements INodeType {
	description = description('sends');

	constructor(way: Way, request: Request, answers: unknown[]) {
		this.execute = async function () {
			answers.push(
				await this.helpers[way].call(this, 'messagingGatewayApi', { ...request } as never),
			);
			return [[]];
		};
	}

	execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;
}

/** As its owner may set it. */
const forHttpRequests = () => ({ ...gateway.account, allowedHttpRequestDomains: 'all' });

async function send(way: Way, request: Request, account: Account = forHttpRequests()) {
	const answers: unknown[] = [];
	const { error } = await run({ account, nodeType: new Sends(way, request, answers) });
	return { error, answer: answers[0] };
}

/** Sends a request as n8n's HTTP Request node (4.x) builds it. */
const httpRequest = (request: Request, account?: Account) => {
	const usual = {
		...{ headers: {}, gzip: true, rejectUnauthorized: true, json: true, timeout: 5000 },
		...{ followRedirect: true, followAllRedirects: true, resolveWithFullResponse: true },
	};
	return send('requestWithAuthentication', { ...usual, ...request }, account);
};

const inviteInfo = () => `${gateway.baseUrl}/api/whatsapp/{token}/invite-info`;

/** Looks up an invite, which needs a signature. */
const postInvite = (request: Request) =>
	httpRequest({ method: 'POST', uri: inviteInfo(), ...request });

/** In n8n's older and current form of a request. */
const bothWays = async (request: Request, account?: Account) => [
	await send(
		'requestWithAuthentication',
		{ method: 'POST', uri: inviteInfo(), ...request },
		account,
	),
	await send(
		'httpRequestWithAuthentication',
		{ method: 'POST', url: inviteInfo(), ...request },
		account,
	),
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
	])('sends and signs %s unchanged', async (_what, request, bodyText) => {
		expect((await postInvite(request)).error).toBeUndefined();
		const url = '/gw/v1/api/whatsapp/t%C3%B6k%C3%A9n%2F1%2B2/invite-info';
		expect(gateway.theRequest()).toMatchObject({ url, bodyText, status: 200 });
	});

	test('sends no header of the connection, and none that Connection names', async () => {
		const names = [
			...['HOST', 'Keep-Alive', 'Proxy-Authenticate', 'Proxy-Authorization', 'X-Hop'],
			...['Proxy-Connection', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade'],
		];
		const { error } = await postInvite({
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
		for (const { error } of await bothWays({ body: { a: 1 }, headers })) {
			expect(error?.message).toContain('is not a header');
		}
		expect(gateway.requests()).toEqual([]);
	});

	test.each<[string, Request, Request?]>([
		['by default', {}],
		['if its owner says so', { allowedHttpRequestDomains: 'none' }],
		['not even if the request says that it is of the node', {}, { isOwnNode: true }],
	])('cannot use the credential, %s', async (_what, domains, more = {}) => {
		const account = { ...gateway.account, ...domains };
		for (const { error } of await bothWays({ body: { a: 1 }, ...more }, account)) {
			expect(error?.message).toMatch(/HTTP Request/);
		}
		expect(gateway.requests()).toEqual([]);
	});

	test('reads deferred deliveries with its own query, and a lowercase method', async () => {
		const { error } = await httpRequest({
			method: 'get',
			uri: `${gateway.baseUrl}/api/whatsapp/{token}/deferred`,
			qs: { page: '2' },
		});
		expect(error).toBeUndefined();
		const { url, status, bodyLength, headers } = gateway.theRequest();
		expect([url, status, bodyLength]).toEqual([
			...['/gw/v1/api/whatsapp/t%C3%B6k%C3%A9n%2F1%2B2/deferred?page=2', 200, 0],
		]);
		expect(headers).toHaveProperty('x-api-signature');
	});

	test('signs the body of a GET request, which n8n sends for an HTTP Request node', async () => {
		const uri = `${gateway.baseUrl}/api/whatsapp/{token}/deferred`;
		expect((await httpRequest({ method: 'GET', uri, body: { a: 1 } })).error).toBeUndefined();
		expect(gateway.theRequest()).toMatchObject({ status: 200, bodyText: '{"a":1}' });
	});

	// n8n's current helper sends no body with GET, so the signature must not cover one.
	test.each(['GET', 'get'])(
		'signs no body for a %s request of another node that names one',
		async (method) => {
			const url = `${gateway.baseUrl}/api/whatsapp/{token}/deferred`;
			const request = { method, url, body: { a: 1 } };
			expect((await send('httpRequestWithAuthentication', request)).error).toBeUndefined();
			expect(gateway.theRequest()).toMatchObject({ status: 200, bodyLength: 0 });
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
		const { error } = await postInvite(request);
		expect(error?.message).toBe('A form or a file cannot be signed, and was not sent');
		expect(gateway.requests()).toEqual([]);
	});

	const json = '{"inviteCode":"x"}';
	test.each<[string, unknown, string]>([
		['the bytes of a typed array', new Uint8Array(Buffer.from(json)), json],
		['an explicit empty object', {}, '{}'],
	])('signs the sent bytes of %s', async (_what, body, bodyText) => {
		await bothWays({ body, headers: { 'Content-Type': 'application/json' } });
		// n8n's current helper sends no empty object.
		const requests = gateway.requests().slice(0, bodyText === '{}' ? 1 : 2);
		expect(requests.map((request) => request.bodyText)).toEqual(requests.map(() => bodyText));
		// 401 would mean a wrong signature. Whether the gateway accepts the contents does not matter.
		expect(requests.filter(({ status }) => status === 401)).toEqual([]);
		expect(requests.length).toBeGreaterThan(0);
	});
});

describe('a request outside the base URL', () => {
	const received: string[] = [];
	const otherServer = createServer((request, response) => {
		received.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
		response.end('{}');
	});
	let elsewhere = '';
	beforeAll(async () => {
		await new Promise<void>((resolve) => otherServer.listen(0, '127.0.0.1', resolve));
		elsewhere = `http://127.0.0.1:${(otherServer.address() as AddressInfo).port}`;
	});
	afterAll(() => otherServer.close());
	beforeEach(() => {
		received.length = 0;
	});

	test.each([
		['another host', () => `${elsewhere}/gw/v1/api/whatsapp/{token}/ping`],
		['a user name', () => gateway.baseUrl.replace('/gw', `@${elsewhere.slice(7)}/gw`)],
	])('to %s is rejected, and nothing is sent', async (_what, uri) => {
		const { error } = await httpRequest({ method: 'POST', uri: uri(), body: { a: 1 } });
		expect(error?.message).toMatch(
			/^This credential is for http:\/\/127\.0\.0\.1:\d+\/gw\/v1 only/,
		);
		expect(JSON.stringify(error)).not.toMatch(/tökén|t%C3%B6k/);
		expect([...received, ...gateway.requests()]).toEqual([]);
	});

	test('is not sent by a redirect either', async () => {
		for (const status of [301, 302, 303, 307, 308]) {
			gateway.faults([{ status, headers: { location: `${elsewhere}/take` } }]);
			await postInvite({ body: { inviteCode: 'x' } });
			const { error } = await run({
				account: gateway.account,
				parameters: MESSAGE,
			});
			expect(error?.message).toBe(
				`The gateway redirected the request to another address (${status}) [item 0]`,
			);
		}
		expect(received).toEqual([]);
	});
});

describe('a proxy that is named in a node', () => {
	const proxy = useProxy();
	const https = 'https://gateway.invalid';
	const http = 'http://gateway.invalid';
	const viaNode = async (baseUrl: string, requestOptions: Request) =>
		await run({
			account: { ...gateway.account, baseUrl },
			parameters: {
				...MESSAGE,
				requestOptions: { proxy: proxy.url, ...requestOptions },
			},
		});
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

	test.each<[string, () => Promise<{ error?: { message: string; description?: string } }>]>([
		['the node, to http', () => viaNode(http, {})],
		['the node that ignores SSL issues', () => viaNode(https, { allowUnauthorizedCerts: true })],
		['another node, to http', () => viaHttpRequest(http, {})],
		['one that ignores SSL issues', () => viaHttpRequest(https, { rejectUnauthorized: false })],
		['one with a CA of its own', () => viaHttpRequest(https, { agentOptions: { ca: 'x' } })],
	])('gets nothing from %s', async (_what, send) => {
		const { error } = await send();
		expect(error?.message).toContain(
			'The proxy of this node could read the token, so the request was not sent',
		);
		expect(error?.description).toContain('HTTPS_PROXY');
		expect(proxy.seen).toEqual([]);
	});
});

test('a node names no proxy for a credential that limits recipients, not even to https', async () => {
	const { error } = await run({
		account: {
			...{ ...gateway.account, baseUrl: 'https://gateway.invalid' },
			...{ sendTo: 'allowed', allowedRecipients: '+49*' },
		},
		parameters: {
			...MESSAGE,
			requestOptions: { proxy: 'http://127.0.0.1:1' },
		},
	});
	expect(error?.message).toContain('A node cannot choose a proxy for a credential that limits');
});

test.each([
	['an empty base URL', { baseUrl: '' }, "'Base URL' of the credential is empty"],
	['an empty token', { token: ' ' }, "'Token' of the credential is empty"],
	['a token of dots', { token: '..' }, "'Token' of the credential is not a token"],
	['a token with a dot segment', { token: 'a/../b' }, "'Token' of the credential is not a token"],
	[
		'a lone surrogate in the token',
		{ token: 'a\ud800' },
		"'Token' of the credential has characters that no URL can carry",
	],
	['an empty secret', { secret: '' }, "'Secret' of the credential is empty"],
])('%s is rejected with a clear message', async (_what, change, message) => {
	const { error } = await run({
		account: { ...gateway.account, ...change },
		parameters: PING,
	});
	expect(error?.message).toBe(`${message} [item 0]`);
	expect(gateway.requests()).toEqual([]);
});

test("n8n's domain restrictions for the credential do not break the node", async () => {
	const limits = { allowedHttpRequestDomains: 'domains', allowedDomains: 'other.example' };
	const account = { ...gateway.account, ...limits };
	expect((await run({ account, parameters: MESSAGE })).error).toBeUndefined();
});

test('n8n calls the hook again after a 401, and the second request has a valid signature', async () => {
	gateway.faults([{ status: 401, times: 2, endpoint: 'inviteInfo' }]);
	const request = {
		method: 'POST',
		url: '/api/whatsapp/{token}/invite-info',
		body: { inviteCode: 'x' },
	};
	const { error } = await send('httpRequestWithAuthentication', request);
	expect(error?.httpCode).toBe('401');
	const [first, second] = gateway.requests();
	expect(second).toMatchObject({ bodyText: '{"inviteCode":"x"}', url: first?.url });
	gateway.faults([{ status: 401, times: 1, endpoint: 'inviteInfo' }]);
	expect((await send('httpRequestWithAuthentication', request)).error).toBeUndefined();
});

describe('the authenticate hook', () => {
	const authenticate = async (request: Partial<IHttpRequestOptions>) => {
		const hook = new MessagingGatewayApi().authenticate;
		if (typeof hook !== 'function') throw new TypeError('no hook');
		return await hook(storedAccount(forHttpRequests()), request as IHttpRequestOptions);
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

	test('signs an empty body if n8n sends none', async () => {
		const { body, headers } = await authenticate({
			method: 'DELETE',
			url: `${gateway.baseUrl}/x`,
			body: {},
		});
		expect(body).toBeUndefined();
		// printf '%s' '1700000000000tökén/1+2' | openssl dgst -sha256 -hmac 'sécret 🔑'
		expect(headers?.['X-API-Signature']).toBe(
			'7e52e6d0c84122ba9ad3de3b33bf5f6d6b5cb9e766777660c15ee696e21c3dbe',
		);
	});

	test('signs the bytes that it returns', async () => {
		const { body, headers } = await authenticate({
			method: 'POST',
			url: '/api/whatsapp/{token}/sendMessage',
			body: '{"text":"\u2028 \ud800 😀"} ',
		});
		// A lone surrogate is sent as the replacement character, EF BF BD.
		expect(body).toEqual(Buffer.from('{"text":"\u2028 \ufffd 😀"} '));
		// printf '%s\342\200\250 \357\277\275 \360\237\230\200"} ' '1700000000000tökén/1+2{"text":"' | openssl dgst -sha256 -hmac 'sécret 🔑'
		expect(headers?.['X-API-Signature']).toBe(
			'cb2bd9fb885a30cd19ceb5c48952c4ec748fe6268e976ca65ccafd1d5c92d4e9',
		);
	});
});

test('the gateway accepts the signature and receives the text, for any text', async () => {
	await fc.assert(
		fc.asyncProperty(anyText({ minLength: 1 }), async (text) => {
			fc.pre(text.trim() !== '');
			gateway.clearRequests();
			const { error } = await run({
				account: gateway.account,
				parameters: { ...MESSAGE, text: '={{ $json.text }}' },
				items: [{ json: { text } }],
			});
			expect(error).toBeUndefined();
			expect(gateway.state().delivered.at(-1)).toMatchObject({ text });
		}),
		{ numRuns: depth(40, 1_000) },
	);
});

describe('the credential and the request', () => {
	const credentials = {
		...{ baseUrl: 'https://a.example', gatewayToken: 'tok-123456', gatewaySecret: 'secret' },
	};
	const headersOf = (more: object) =>
		authenticatedRequest(
			{ ...credentials, ...more },
			{ method: 'GET', url: '/api/whatsapp/{token}/deferred' },
		).headers;

	test('a credential that was saved without Sign Deferred Requests signs them', () => {
		expect(headersOf({})).toHaveProperty('X-API-Signature');
		expect(headersOf({ signDeferred: false })).not.toHaveProperty('X-API-Signature');
	});

	test('of a view of some bytes, only these are sent', () => {
		const body = new Uint8Array(Buffer.from('_{}_')).subarray(1, 3);
		const request = { method: 'POST', url: '/api/whatsapp/{token}/start', body } as const;
		expect(authenticatedRequest(credentials, request).body).toEqual(Buffer.from('{}'));
	});

	test('a request with another base URL is not signed', () => {
		const request = { baseURL: 'https://b.example', url: '/api/whatsapp/{token}/status' };
		expect(() => authenticatedRequest(credentials, request)).toThrow(/was not sent$/);
	});
});

// n8n before 2.36 wraps any other error and loses its cause: what was not sent would look like a lost connection.
test('what the credential refuses is an error of n8n, with its text and cause', async () => {
	const credentials = {
		...{ baseUrl: 'https://h', gatewayToken: 'token-1', gatewaySecret: 'secret-1' },
		...{ sendTo: 'nobody', isOwnNode: true },
	};
	const url = 'https://h/api/whatsapp/token-1/sendMessage';
	const authenticate = new MessagingGatewayApi().authenticate as (
		...args: unknown[]
	) => Promise<unknown>;
	const refused = await authenticate(credentials, {
		...{ method: 'POST', url, body: '{"chatId":"4915123456789"}' },
	}).catch((thrown: unknown) => thrown);
	expect(refused).toBeInstanceOf(NodeApiError);
	const { message, description, cause } = refused as NodeApiError;
	expect(message).toBe('The request was not sent, because this is a rehearsal');
	expect(description).toContain('Nothing was sent.');
	expect(cause).toBeInstanceOf(InvalidInput);
});
