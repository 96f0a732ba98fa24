import { DirectoryLoader } from 'n8n-core';
import type { IHttpRequestOptions, INodeProperties, NodeParameterValueType } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { MessagingGatewayTrigger } from '../../../nodes/MessagingGateway/MessagingGatewayTrigger.node';
import { description } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { Polling } from '../../harness/polling';

const gateway = useNewGateways();

const polling = (
	requestOptions: NodeParameterValueType,
	more?: ConstructorParameters<typeof Polling>[2],
) => new Polling(gateway.account, { event: 'statusChanged', requestOptions }, more);

/** Everything but the descriptions, which n8n's own linter rejects. */
const shape = ({ options, ...field }: INodeProperties) => [
	field,
	...(options as INodeProperties[])
		.filter(({ name }) => name !== 'batching')
		.map(({ description: _, ...option }) => option),
];

test('Request Options are those that n8n adds to declarative nodes, without Batching', () => {
	const declarative = { description: description('declarative') };
	DirectoryLoader.applyDeclarativeNodeOptionParameters(declarative);
	const ofTrigger = new MessagingGatewayTrigger().description.properties.find(
		({ name }) => name === 'requestOptions',
	);
	expect(shape(ofTrigger!)).toEqual(shape(declarative.description.properties[0]!));
});

test('allows invalid certificates only with the option', async () => {
	const credentialType = new MessagingGatewayApi();
	const sign = credentialType.authenticate;
	if (typeof sign !== 'function') throw new TypeError('no hook');
	const sent: IHttpRequestOptions[] = [];
	credentialType.authenticate = async (credentials, request) => {
		sent.push(request);
		return await sign(credentials, request);
	};
	await polling({}, { credentialType }).start();
	await polling({ allowUnauthorizedCerts: true }, { credentialType }).start();
	expect(sent.map((request) => request.skipSslCertificateValidation)).toEqual([undefined, true]);
});
