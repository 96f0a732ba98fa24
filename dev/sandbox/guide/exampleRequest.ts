import { createHmac } from 'node:crypto';

import { HttpError } from '../http/response';
import type { ExampleRequest } from './guide';

const TIMEOUT_MS = 60_000;
const MAX_TEXT = 2_000;

/** The response of n8n to the request of an example. */
export interface ExampleResponse {
	status: number;
	text: string;
}

/** Sends the request of an example as the other system would. Throws a 409 if the workflow is not published. */
export async function sendExampleRequest(
	request: ExampleRequest,
	id: string,
): Promise<ExampleResponse> {
	// The replacement is a function, because $ has a special meaning in a replacement text.
	const body = request.body.replaceAll('{id}', () => id);
	const response = await post(request.url, body, headersFor(request, body));
	if (response.status !== 404) return response;
	throw new HttpError(
		409,
		'not_published',
		'The workflow is not published. Open it, click Publish, then send the request again.',
	);
}

function headersFor(
	{ url, hubspotSecret, basicAuth }: ExampleRequest,
	body: string,
): Record<string, string> {
	return {
		'Content-Type': 'application/json',
		// Without this header, fetch could reuse an idle connection just when n8n closes it after five seconds.
		Connection: 'close',
		...(hubspotSecret !== undefined && hubspotSignature(hubspotSecret, url, body)),
		...(basicAuth && {
			Authorization: `Basic ${base64(`${basicAuth.user}:${basicAuth.password}`)}`,
		}),
	};
}

function hubspotSignature(secret: string, url: string, body: string): Record<string, string> {
	const timestamp = String(Date.now());
	const signed = `POST${url}${body}${timestamp}`;
	return {
		'X-HubSpot-Request-Timestamp': timestamp,
		'X-HubSpot-Signature-v3': createHmac('sha256', secret).update(signed).digest('base64'),
	};
}

async function post(
	url: string,
	body: string,
	headers: Record<string, string>,
): Promise<ExampleResponse> {
	const signal = AbortSignal.timeout(TIMEOUT_MS);
	try {
		const response = await fetch(url, {
			method: 'POST',
			headers,
			body,
			redirect: 'manual',
			signal,
		});
		return { status: response.status, text: (await response.text()).slice(0, MAX_TEXT) };
	} catch {
		throw new HttpError(
			502,
			'n8n_not_responding',
			'n8n does not respond. Check that it is running.',
		);
	}
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
