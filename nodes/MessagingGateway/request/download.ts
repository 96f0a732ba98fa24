import type { IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';

import type { Download } from '../../../gateway/files/downloadedFile';
import {
	connectionFailure,
	rejection,
	RESPONSE_TOO_LARGE,
	type Result,
} from '../../../gateway/replies/failure';
import { readResponse } from '../../../gateway/wire/response';
import { readAll, receive, STREAMED } from './receive';
import { connectionOptions } from './requestOptions';

const NO_BYTES = Buffer.alloc(0);
/** The account's token is not part of the request. */
const unredacted = <T>(value: T) => value;

/**
 * Downloads a file with n8n's own helper, which applies its proxy and its SSRF protection and follows redirects. The
 * credential is not used: the file's server is not the gateway.
 */
export async function download(
	context: IExecuteFunctions | IExecuteSingleFunctions,
	url: URL,
	maxBytes: number,
): Promise<Result<Download>> {
	const connection = connectionOptions(context);
	return await receive(
		{ context, timeoutMs: connection.timeout, redact: unredacted },
		async (abortSignal) =>
			(await context.helpers.httpRequest({
				...connection,
				method: 'GET',
				url: url.href,
				headers: { Accept: '*/*' },
				sendCredentialsOnCrossOriginRedirect: false,
				abortSignal,
				...STREAMED,
			})) as unknown,
		async ({ statusCode: status, headers: received, body }): Promise<Result<Download>> => {
			const read = readResponse({ status, headers: received, bytes: NO_BYTES }, unredacted);
			const { headers } = read;
			if (status < 200 || status >= 300) return { failure: rejection(read) };
			if (Number(headers['content-length']) > maxBytes) {
				return { failure: connectionFailure(RESPONSE_TOO_LARGE) };
			}
			return { value: { headers, bytes: await readAll(body, maxBytes) } };
		},
	);
}
