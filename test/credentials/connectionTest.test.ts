import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import get from 'lodash/get';
import {
	type IAuthenticateRuleResponseCode,
	type IAuthenticateRuleResponseSuccessBody,
	type INodeType,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { MessagingGatewayApi } from '../../credentials/MessagingGatewayApi.credentials';
import { type Account, run } from '../engine';
import { useGateway } from '../sandboxAccount';

const gateway = useGateway();
const credential = new MessagingGatewayApi();

/** The node that n8n makes up for a credential's test. */
class Tests implements INodeType {
	description = {
		displayName: 'Temp',
		name: 'temp',
		group: ['output' as const],
		version: 1,
		description: '',
		defaults: {},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingGatewayApi', required: true }],
		properties: [
			{
				displayName: 'Temp',
				name: 'temp',
				type: 'string' as const,
				default: '',
				routing: { request: credential.test.request },
			},
		],
	};
}

/** What the button in the editor says; the rules are read as n8n 2.41 reads them (credentials-tester.service). */
async function whatTheButtonSays(account: Account): Promise<string> {
	const { error, items } = await run({ account, nodeType: new Tests() });
	const rules = credential.test.rules as Array<
		IAuthenticateRuleResponseCode | IAuthenticateRuleResponseSuccessBody
	>;
	if (error) {
		const status = Number(error.httpCode);
		const rule = rules.find(
			({ type, properties }) => type === 'responseCode' && properties.value === status,
		);
		return rule?.properties.message ?? error.message;
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
		bodyText: '{"inviteCode":"credential-test"}',
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
	['host', { baseUrl: () => 'http://127.0.0.1:1' }, /refused the connection/],
])('a wrong %s is named as such', async (_what, change, words) => {
	const { baseUrl } = change as { baseUrl?: () => string };
	const account = { ...gateway.account, ...change, baseUrl: baseUrl?.() ?? gateway.baseUrl };
	expect(await whatTheButtonSays(account)).toMatch(words);
});

test('a wrong clock is named as such, and so the token and secret are not doubted', async () => {
	gateway.faults([{ clockOffsetMs: 600_000 }]);
	expect(await whatTheButtonSays(gateway.account)).toMatch(/^Clock: /);
});

test.each([
	['token_inactive', /^Token: it is switched off/],
	['token_expired', /^Token: it has run out/],
	['missing_auth_headers', /^Base URL: the signature got lost/],
	['something_new', /^Token, Secret or clock: /],
])('a 401 with the code %s says what to do', async (code, words) => {
	gateway.faults([{ status: 401, code }]);
	expect(await whatTheButtonSays(gateway.account)).toMatch(words);
});

test.each([
	[302, /^Base URL: it redirects/],
	[403, /^Token: the gateway does not let it in/],
	[405, /^Base URL: no gateway answers there/],
	[429, /slower pace/],
	[503, /in trouble \(503\)/],
])('a %d says what to do', async (status, words) => {
	gateway.faults([{ status }]);
	expect(await whatTheButtonSays(gateway.account)).toMatch(words);
});

test.each([402, 409, 422])(
	'a %d comes after the signature, so the credential is right',
	async (status) => {
		gateway.faults([{ status }]);
		expect(await whatTheButtonSays(gateway.account)).toBe('Connection successful!');
	},
);

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
		['text', 'ok'],
		['JSON', '{"subject":"Choir"}'],
		['a list', '[]'],
	])('accepts with %s, and the test passes', async (_what, body) => {
		answer = (_request, response) => response.writeHead(200).end(body);
		expect(await whatTheButtonSays(account())).toBe('Connection successful!');
	});

	test('a web page in its place is no success', async () => {
		answer = (_request, response) =>
			response.writeHead(200).end('<!doctype html><title>Hello</title>');
		expect(await whatTheButtonSays(account())).toMatch(/^Base URL: a web page answers there/);
	});
});
