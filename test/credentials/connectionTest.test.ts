import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import get from 'lodash/get';
import { ExecuteContext, RoutingNode } from 'n8n-core';
import {
	createEmptyRunExecutionData,
	type IAuthenticateRuleResponseCode,
	type IAuthenticateRuleResponseSuccessBody,
	type INode,
	type INodeExecutionData,
	type INodeType,
	Workflow,
} from 'n8n-workflow';

import { MessagingGatewayApi } from '../../credentials/MessagingGatewayApi.credentials';
import { type Account, additionalData, description } from '../engine';
import { useGateway } from '../sandboxAccount';

const gateway = useGateway();
const credential = new MessagingGatewayApi();

/** The node that n8n makes up for a credential's test. */
class Tests implements INodeType {
	description = description('temp', [
		{
			displayName: 'Temp',
			name: 'temp',
			type: 'string',
			default: '',
			routing: { request: credential.test.request },
		},
	]);
}

interface Thrown {
	message: string;
	cause?: { code?: string; response?: { status: number } };
}

/** As n8n runs it: in its declarative engine, without a workflow around it. */
async function request(account: Account): Promise<INodeExecutionData[]> {
	const nodeType = new Tests();
	const node: INode = {
		id: 'temp',
		name: 'Temp-Node',
		type: 'temp',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: { messagingGatewayApi: { id: '1', name: 'Account' } },
	};
	const nodeTypes = {
		getByName: () => nodeType,
		getByNameAndVersion: () => nodeType,
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const context = new ExecuteContext(
		workflow,
		node,
		additionalData({ account }),
		'internal',
		createEmptyRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
	const data = { signDeferred: true, ...account };
	const decrypted = { id: '1', name: 'Account', type: credential.name, data };
	const output = await new RoutingNode(context, nodeType, decrypted).runNode();
	return output?.[0] ?? [];
}

/** What the button in the editor says; read as n8n 2.41 reads it (credentials-tester.service). */
async function whatTheButtonSays(account: Account): Promise<string> {
	const rules = credential.test.rules as Array<
		IAuthenticateRuleResponseCode | IAuthenticateRuleResponseSuccessBody
	>;
	let items: INodeExecutionData[];
	try {
		items = await request(account);
	} catch (error) {
		const { message, cause } = error as Thrown;
		const status = cause?.response?.status;
		if (status === undefined) return cause?.code ?? message;
		const rule = rules.find(
			({ type, properties }) => type === 'responseCode' && properties.value === status,
		);
		return rule?.properties.message ?? `Received HTTP status code: ${status}`;
	}
	for (const { type, properties } of rules) {
		if (type !== 'responseSuccessBody') continue;
		const { key, value, message } = properties;
		if (get(items[0]?.json, key) === value) return message;
	}
	return 'Connection successful!';
}

test('the right credential passes, and the look-up changes nothing', async () => {
	const before = gateway.state();
	expect(await whatTheButtonSays(gateway.account)).toBe('Connection successful!');
	expect(gateway.theRequest()).toMatchObject({
		endpoint: 'inviteInfo',
		bodyText: '{"inviteCode":""}',
	});
	expect(gateway.state()).toEqual(before);
});

test.each([
	['secret', { secret: 'not the secret' }, /^Secret: /],
	['token', { token: 'not-the-token' }, /^Token: the gateway does not know it/],
	[
		'path in the base URL',
		{ baseUrl: () => `${gateway.baseUrl}/wrong` },
		/^Base URL: nothing is known there \(404\)/,
	],
	[
		'base URL without a protocol',
		{ baseUrl: () => '127.0.0.1' },
		/^'Base URL' of the credential does not start with https/,
	],
	['host', { baseUrl: () => 'http://127.0.0.1:1' }, /^ECONNREFUSED$/],
])('a wrong %s is named as such', async (_what, change, words) => {
	const { baseUrl } = change as { baseUrl?: () => string };
	const account = { ...gateway.account, ...change, baseUrl: baseUrl?.() ?? gateway.baseUrl };
	expect(await whatTheButtonSays(account)).toMatch(words);
});

test('a wrong clock is named as such, and so the token and secret are not doubted', async () => {
	gateway.faults([{ clockOffsetMs: 600_000 }]);
	expect(await whatTheButtonSays(gateway.account)).toMatch(/^Clock: /);
});

describe('a gateway that knows only the API document', () => {
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

	test.each([
		['nothing', ''],
		['null', 'null'],
		['a number', '7'],
		['true', 'true'],
		['text', 'go away'],
		['JSON of its own', '{"reason":"no"}'],
		['a list', '["no"]'],
		['a web page', '<html>Sign in</html>'],
	])('refuses with 401 and %s, and the test fails', async (_what, body) => {
		answer = (_request, response) => response.writeHead(401).end(body);
		expect(await whatTheButtonSays(account())).toMatch(/^(Token, Secret or clock|Base URL): /);
	});

	test.each([
		['nothing', ''],
		['JSON', '{"subject":"Choir"}'],
		['a list', '[]'],
	])('accepts with %s, and the test passes', async (_what, body) => {
		answer = (_request, response) => response.writeHead(200).end(body);
		expect(await whatTheButtonSays(account())).toBe('Connection successful!');
	});

	test.each(['<!doctype html><title>Hello</title>', '\n<html>', '\ufeff<html>', 'Welcome!'])(
		'%j in its place is no success',
		async (page) => {
			answer = (_request, response) => response.writeHead(200).end(page);
			expect(await whatTheButtonSays(account())).toMatch(/^Base URL: a web page answers there/);
		},
	);

	test.each([
		['token_inactive', /^Token: it is switched off/],
		['token_expired', /^Token: it has run out/],
		['unauthorized', /^Token: /],
		['ip_not_allowed', /^Address: /],
		['missing_auth_headers', /^Base URL: the signature got lost/],
		['something_new', /^Token, Secret or clock: /],
	])('a 401 with the code %s says what to do', async (error, words) => {
		answer = (_request, response) => response.writeHead(401).end(JSON.stringify({ error }));
		expect(await whatTheButtonSays(account())).toMatch(words);
	});

	test.each([
		[302, /^Base URL: it redirects/],
		[403, /^Token: the gateway does not let it in/],
		[404, /^Base URL: nothing is known there/],
		[405, /^Base URL: no gateway answers there/],
		[429, /slower pace/],
		[503, /in trouble \(503\)/],
	])('a %d says what to do', async (status, words) => {
		answer = (_request, response) => response.writeHead(status).end('{}');
		expect(await whatTheButtonSays(account())).toMatch(words);
	});

	test.each([400, 402, 409, 422])(
		'a %d comes after the signature, so the credential is right',
		async (status) => {
			answer = (_request, response) =>
				response.writeHead(status).end('{"error":"validation_error"}');
			expect(await whatTheButtonSays(account())).toBe('Connection successful!');
		},
	);

	test('a 401 is asked a second time only, and signed afresh', async () => {
		const signatures: unknown[] = [];
		answer = (request, response) => {
			signatures.push(request.headers['x-api-signature']);
			setTimeout(() => response.writeHead(401).end('{}'), 5);
		};
		await whatTheButtonSays(account());
		expect(signatures).toHaveLength(2);
		expect(new Set(signatures).size).toBe(2);
	});
});
