import type { IHttpRequestOptions } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { useNewGateways } from '../../harness/sandboxAccount';
import { Polling } from '../../harness/polling';

const gateway = useNewGateways();

test('allows invalid certificates only with the option', async () => {
	const credentialType = new MessagingGatewayApi();
	const sign = credentialType.authenticate;
	if (typeof sign !== 'function') throw new TypeError('no hook');
	const sent: IHttpRequestOptions[] = [];
	credentialType.authenticate = async (credentials, request) => {
		sent.push(request);
		return await sign(credentials, request);
	};
	for (const requestOptions of [{}, { allowUnauthorizedCerts: true }]) {
		const parameters = { event: 'statusChanged', requestOptions };
		await new Polling(gateway.account, parameters, { credentialType }).start();
	}
	expect(sent.map((request) => request.skipSslCertificateValidation)).toEqual([undefined, true]);
});
