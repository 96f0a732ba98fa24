import { DirectoryLoader } from 'n8n-core';
import type { IHttpRequestOptions, INodeProperties, NodeParameterValueType } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { MessagingGatewayTrigger } from '../../../nodes/MessagingGateway/MessagingGatewayTrigger.node';
import { description } from '../../engine';
import { useNewGateways } from '../../sandboxAccount';
import { Polling } from './polling';

const gateway = useNewGateways();

const polling = (
	requestOptions: NodeParameterValueType,
	more?: ConstructorParameters<typeof Polling>[2],
) => new Polling(gateway.account, { event: 'statusChanged', requestOptions }, more);

/** All but the words of the descriptions, which n8n's own linter does not let pass. */
const shape = ({ options, ...field }: INodeProperties) => [
	field,
	...(options as INodeProperties[])
		.filter(({ name }) => name !== 'batching')
		.map(({ description: _, ...option }) => option),
];

test('they are those that n8n adds to declarative nodes, without Batching', () => {
	const declarative = { description: description('declarative') };
	DirectoryLoader.applyDeclarativeNodeOptionParameters(declarative);
	const ofTrigger = new MessagingGatewayTrigger().description.properties.find(
		({ name }) => name === 'requestOptions',
	);
	expect(shape(ofTrigger!)).toEqual(shape(declarative.description.properties[0]!));
});

test('Proxy is where the request goes', async () => {
	const trigger = polling({ proxy: `http://127.0.0.1:${gateway.port}` });
	trigger.account = { ...gateway.account, baseUrl: 'http://gateway.invalid' };
	await trigger.start('init').catch(() => {});
	expect(gateway.theRequest().url).toContain('http://gateway.invalid/api/whatsapp/');
});

test('a Proxy that is none is told', async () => {
	await expect(polling({ proxy: 'localhost:3128' }).start()).rejects.toMatchObject({
		message: "'Proxy' under Request Options is not the address of a proxy",
	});
	expect(gateway.requests()).toEqual([]);
});

test.each([
	[{ allowUnauthorizedCerts: true }, true],
	[{}, undefined],
])('with %j, n8n is told to ignore the certificate: %s', async (requestOptions, expected) => {
	const credentialType = new MessagingGatewayApi();
	const sign = credentialType.authenticate;
	if (typeof sign !== 'function') throw new TypeError('no hook');
	const sent: IHttpRequestOptions[] = [];
	credentialType.authenticate = async (credentials, request) => {
		sent.push(request);
		return await sign(credentials, request);
	};
	await polling(requestOptions, { credentialType }).start();
	expect(sent).toMatchObject([{ method: 'GET' }]);
	expect(sent[0]!.skipSslCertificateValidation).toBe(expected);
});

describe('Timeout', () => {
	afterEach(() => jest.restoreAllMocks());

	test('ends a look that takes longer, in words of its own', async () => {
		const trigger = polling({ timeout: 100 });
		await trigger.start();
		gateway.faults([{ latencyMs: 2_000 }]);
		const before = performance.now();
		expect(await trigger.poll()).toBeNull();
		expect(performance.now() - before).toBeLessThan(1_000);
		expect(trigger.warnings).toEqual([
			expect.stringContaining('The gateway did not answer in time. This is no event.'),
		]);
	});

	test('makes no look longer than it may be', async () => {
		const end = jest.spyOn(AbortSignal, 'timeout');
		await polling({ timeout: 60_000 }).start();
		expect(end.mock.calls[0]![0]).toBeLessThanOrEqual(15_000);
	});
});
