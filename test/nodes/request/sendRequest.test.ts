import { once } from 'node:events';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';

import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { accountState } from '../../../gateway/account';
import { InvalidInput } from '../../../gateway/invalidInput';
import { redactor } from '../../../gateway/redaction';
import { schedule } from '../../../nodes/MessagingGateway/request/account';
import { sendRequest } from '../../../nodes/MessagingGateway/request/sendRequest';

const TOKEN = 'tok-123456';

/** Sends a request with an HTTP helper of n8n that does this. */
async function send(helper: () => Promise<unknown>) {
	const context = { helpers: { httpRequestWithAuthentication: helper } };
	const account = {
		key: 'key',
		state: accountState({}),
		schedule: schedule({}),
		redact: redactor([TOKEN]),
		credentials: {},
		variesByItem: false,
	};
	return await sendRequest(context as never, account, { url: 'http://127.0.0.1:1/' });
}

const failing = async (error: Error) => await send(async () => await Promise.reject(error));
const receiving = async (body: unknown) =>
	await send(async () => ({ statusCode: 200, headers: {}, body }));

const started = () => {
	const body = new Readable({ read() {} });
	body.push('{"status":"ONL');
	return body;
};

describe('the gateway may have processed a request', () => {
	test.each<[string, () => Promise<unknown>]>([
		['that ended with an error without a code', async () => await failing(new Error('odd'))],
		['that ended with a TypeError', async () => await failing(new TypeError(`no ${TOKEN}`))],
		[
			'that ended with a TypeError as n8n wraps it',
			async () =>
				await failing(new NodeApiError({ name: 'x' } as never, new TypeError(TOKEN) as never)),
		],
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
			'whose response was destroyed without an error',
			async () => {
				const body = started();
				setImmediate(() => body.destroy());
				return await receiving(body);
			},
		],
		[
			'whose response was destroyed before it was read',
			async () => await receiving(started().destroy()),
		],
		[
			'whose response was closed before it was read',
			async () => {
				const body = started().destroy();
				await once(body, 'close');
				return await receiving(body);
			},
		],
	])('%s', async (_what, result) => {
		const outcome = await result();
		expect(outcome).toEqual({
			failure: { kind: 'noResponse', code: expect.any(String) as string },
		});
		expect(inspect(outcome, { depth: 10 })).not.toContain(TOKEN);
	});
});

test.each([
	new InvalidInput(`'X' is ${TOKEN}`, `Change ${TOKEN}.`),
	new NodeOperationError({ name: 'x' } as never, `'X' is ${TOKEN}`, {
		description: `Change ${TOKEN}.`,
	}),
])('the message about an invalid input contains no token: %#', async (error) => {
	expect(await failing(error)).toMatchObject({
		failure: { kind: 'invalidInput', error: { message: "'X' is ***", description: 'Change ***.' } },
	});
});

test('the reason why n8n blocked a request contains no token', async () => {
	const error = Object.assign(new Error(`No ${TOKEN}`), { name: 'SsrfBlockedIpError' });
	expect(await failing(error)).toEqual({
		failure: { kind: 'notSent', code: 'BLOCKED_BY_N8N', reason: 'No ***.' },
	});
});
