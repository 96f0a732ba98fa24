import type {
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import type { Download } from '../../../gateway/files/downloadedFile';
import {
	connectionFailure,
	rejection,
	RESPONSE_TOO_LARGE,
	type Result,
} from '../../../gateway/replies/failure';
import { readResponse } from '../../../gateway/wire/response';
import { connectionOptions } from './connectionOptions';
import { type Body, readAll, requestFailure, STREAMED, withinTimeout } from './sendRequest';

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
	const receive = async (abort: AbortController): Promise<Result<Download>> => {
		const response = (await context.helpers.httpRequest({
			...connection,
			method: 'GET',
			url: url.href,
			headers: { Accept: '*/*' },
			sendCredentialsOnCrossOriginRedirect: false,
			abortSignal: abort.signal,
			...STREAMED,
		})) as IN8nHttpFullResponse;
		const { statusCode: status } = response;
		const read = readResponse({ status, headers: response.headers, bytes: NO_BYTES }, unredacted);
		const { headers } = read;
		const isSuccess = status >= 200 && status < 300;
		if (!isSuccess || Number(headers['content-length']) > maxBytes) {
			// Closes the connection.
			abort.abort();
			return { failure: isSuccess ? connectionFailure(RESPONSE_TOO_LARGE) : rejection(read) };
		}
		return { value: { headers, bytes: await readAll(response.body as unknown as Body, maxBytes) } };
	};
	try {
		return await withinTimeout(context, connection.timeout, receive);
	} catch (thrown) {
		return { failure: requestFailure(thrown, unredacted) };
	}
}
