import { gatewayError } from '../../../gateway/responses/find';
import type { GatewayResponse } from '../../../gateway/wire/response';
import { failureIn, response } from '../../harness/responses';

const isRejected = (received: GatewayResponse) => failureIn(received) !== undefined;

describe('the code and the message of an error response', () => {
	test.each<[unknown, string, string]>([
		[{ error: { error: 'x' }, message: 'No such token' }, 'x', 'No such token'],
		[{ error: true, code: 'x', detail: 'No such token' }, 'x', 'No such token'],
		[{ error: 'x', description: 'No such token' }, 'x', 'No such token'],
		[{ error: ' x ', message: ' y ' }, 'x', 'y'],
		[{ success: true, data: '{"error":"x"}' }, 'x', ''],
		[{ error: null, code: 401, message: ['a'] }, '', 'a'],
		[[], '', ''],
	])('are read from %j', (data, code, message) => {
		expect(gatewayError(data)).toEqual({ code, message });
	});
});

describe('an error response', () => {
	const withStatus = (status: number, body: string) => response(body, {}, status);

	test.each([100, 300])('is recognized by the status %i, whatever the body', (status) => {
		for (const body of ['', 'ok', '{}', '{"success":true}', '[]']) {
			expect(isRejected(withStatus(status, body))).toBe(true);
		}
	});

	test.each<[unknown]>([
		[{ success: false, data: { status: 'ONLINE' } }],
		[{ error: 'invalid_token' }],
		[{ success: 'false' }],
		[{ status: 'error', message: 'Invite not found' }],
		[{ statusCode: 401, message: 'Unauthorized' }],
		[{ status: 'fail', data: null }],
		[{ error: 'x', deferred: [] }],
	])('is recognized by its body despite a 2xx status: %j', (body) => {
		for (const status of [200, 201, 204, 299]) {
			expect(isRejected(withStatus(status, JSON.stringify(body)))).toBe(true);
		}
	});

	test.each([
		['<!doctype html><title>Sign in</title>', true],
		['', false],
		['{"error":', false],
	])('that is text is only a web page: %j', (body, isError) => {
		expect(isRejected(withStatus(200, body))).toBe(isError);
	});
});
