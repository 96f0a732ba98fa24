import { getEventListeners, once } from 'node:events';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';

import { NodeOperationError } from 'n8n-workflow';

import { NOTHING_DECLARED } from '../../../gateway/responses/declared';
import { redactor } from '../../../gateway/wire/redaction';
import { schedulerOf } from '../../../nodes/MessagingGateway/request/account';
import { sendRequest } from '../../../nodes/MessagingGateway/request/sendRequest';

const TOKEN = 'tok-123456';

/** Sends a request with an HTTP helper of n8n that does this. */
async function send(helper: () => Promise<unknown>, more = {}) {
	const context = { helpers: { httpRequestWithAuthentication: helper }, ...more };
	const account = {
		...{ accountKey: 'key', scheduler: schedulerOf({}), redact: redactor([TOKEN]) },
		credentials: { gatewayToken: TOKEN, gatewaySecret: 'secret-1' },
		...{ readAt: Infinity, variesByItem: false, isRehearsal: false, declared: NOTHING_DECLARED },
	};
	return await sendRequest(context as never, account, {
		url: 'http://127.0.0.1:1/',
		timeout: 300_000,
	});
}

const failing = async (error: Error) => await send(async () => await Promise.reject(error));
const receiving = async (body: unknown) =>
	await send(async () => ({ statusCode: 200, headers: {}, body }));

const started = () => {
	const body = new Readable({ read() {} });
	body.push('{"status":"ONL');
	return body;
};

test.each<[string, () => Promise<unknown>]>([
	['that ended with a TypeError', async () => await failing(new TypeError(`no ${TOKEN}`))],
	['whose response has no body', async () => await receiving(undefined)],
	[
		'whose response ended with an error without a code',
		async () => {
			const body = started();
			setImmediate(() => body.destroy(new Error(`odd ${TOKEN}`)));
			return await receiving(body);
		},
	],
	[
		'whose response was closed before it was read',
		async () => {
			const body = started().destroy();
			await once(body, 'close');
			return await receiving(body);
		},
	],
])('the gateway may have processed a request %s', async (_what, result) => {
	const outcome = await result();
	const code = expect.any(String) as string;
	expect(outcome).toMatchObject({ failure: { kind: 'noResponse', code } });
	expect(inspect(outcome, { depth: 10 })).not.toContain(TOKEN);
});

test('the message about an invalid input contains no token', async () => {
	const description = `Change ${TOKEN}.`;
	const error = new NodeOperationError({ name: 'x' } as never, `'X' is ${TOKEN}`, { description });
	expect(await failing(error)).toMatchObject({
		failure: { kind: 'invalidInput', error: { message: "'X' is ***", description: 'Change ***.' } },
	});
});

test.each([
	['invalid_signature', 'signature_expired', 'invalid_signature'],
	['signature_expired', 'invalid_token', 'invalid_token'],
])('reports the actual cause: after 401s with %s and %s, %s', async (first, second, reported) => {
	const errors = [first, second];
	const result = await send(async () => {
		const body = Readable.from([Buffer.from(JSON.stringify({ error: errors.shift() }))]);
		const date = new Date(Date.now() + 600_000).toUTCString();
		return Promise.resolve({ statusCode: 401, headers: { date }, body });
	});
	expect(errors).toEqual([]);
	expect(result).toMatchObject({ failure: { response: { data: { error: reported } } } });
});

describe('the signal of a request', () => {
	/** The signal that n8n's helper gets, in an execution with this signal. */
	async function signalOf(body: unknown, cancelled = new AbortController().signal) {
		let signal: AbortSignal | undefined;
		let wasAborted = false;
		const helper = async function (this: { getExecutionCancelSignal: () => AbortSignal }) {
			signal = this.getExecutionCancelSignal();
			wasAborted = signal.aborted;
			return await Promise.resolve({ statusCode: 200, headers: {}, body });
		} as () => Promise<unknown>;
		await send(helper, { getExecutionCancelSignal: () => cancelled });
		return { wasAborted, isAborted: signal!.aborted };
	}
	const complete = () => Readable.from([Buffer.from('{}')]);

	test('has no listener after the request, which would stay in memory until its end', async () => {
		const { signal } = new AbortController();
		await signalOf(complete(), signal);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
		// If the user has cancelled before.
		expect((await signalOf(complete(), AbortSignal.abort())).wasAborted).toBe(true);
	});

	test('aborts the connection of a request that failed, and of no other', async () => {
		expect((await signalOf(complete())).isAborted).toBe(false);
		expect((await signalOf(started().destroy())).isAborted).toBe(true);
	});
});
