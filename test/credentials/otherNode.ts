import type { IAuthenticate, INodeType } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../credentials/MessagingGatewayApi.credentials';
import { authenticatedRequest } from '../../credentials/requestHook';
import { description, type OutcomeError, run, type RunOptions } from '../harness/engine';

/** Sends the requests as other nodes do: with n8n's current helper (`url`), or as the HTTP Request node (`uri`). Returns the errors. */
export async function sendAsOtherNode(
	requests: Array<Record<string, unknown>>,
	options: RunOptions,
): Promise<Array<OutcomeError | undefined>> {
	const errors: Array<OutcomeError | undefined> = [];
	const nodeType: INodeType = {
		description: description('sends'),
		async execute() {
			for (const request of requests) {
				const isNew = 'url' in request;
				const way = isNew ? 'httpRequestWithAuthentication' : 'requestWithAuthentication';
				const sent = this.helpers[way].call(this, 'messagingGatewayApi', { ...request } as never);
				errors.push(
					await sent.then(
						() => undefined,
						(error: OutcomeError) => error,
					),
				);
			}
			return [[]];
		},
	};
	await run({ ...options, nodeType });
	expect(errors).toHaveLength(requests.length);
	return errors;
}

/** Lets other nodes send, as if they were the node itself. */
export class ForAnyNode extends MessagingGatewayApi {
	override authenticate: IAuthenticate = async (credentials, request) =>
		authenticatedRequest(credentials, request);
}
