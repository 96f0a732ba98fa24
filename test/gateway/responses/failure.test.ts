import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { errorMessage } from '../../../gateway/failures/errorMessage';
import { failureInResponse } from '../../../gateway/responses/responseFailure';
import { statusResult } from '../../../gateway/responses/sessionStatus';
import { depth } from '../../harness/depth';
import { response } from '../../harness/responses';

const run = promisify(execFile);

const INVALID = 'The gateway did not accept a value in the request (422, validation_error)';
const NOT_JSON = 'The gateway did not accept a value in the request (422)';

/** The responses do not fit into this memory: 1 MB of text each, or several MB of objects. */
const LIMIT_MB = 100;

const RESPONSES: Array<[count: number, name: string, message: string, description: string]> = [
	[400, 'a long message', INVALID, 'The gateway says: Invalid.'],
	[400, 'a web page', NOT_JSON, 'was not JSON'],
	[1000, 'empty objects', INVALID, 'The gateway says: Invalid.'],
	[60, 'a list', INVALID, 'The gateway says: Invalid.'],
];

test.each(RESPONSES.slice(-depth(1, RESPONSES.length)))(
	'%d rejected responses with %s stay small in memory',
	async (count, name, message, description) => {
		const options = [`--max-old-space-size=${LIMIT_MB}`, '--import', 'tsx'];
		const args = [join(__dirname, 'rejections.ts'), name, String(count)];
		const { stdout } = await run(process.execPath, [...options, ...args], { cwd: __dirname });
		expect(JSON.parse(stdout)).toEqual({
			message,
			description: expect.stringContaining(description) as string,
			cause: expect.any(String) as string,
		});
	},
	120_000,
);

test.each([
	[503, { status: 'offline' }, 'offline'],
	[404, { error: 'session_not_found' }, 'offline'],
	[500, { message: 'Kaputt' }, 'server_error'],
])('the cause of %i %j does not depend on its size', (status, body, cause) => {
	for (const trace of ['', 'x'.repeat(5_000)]) {
		const failure = failureInResponse(response(JSON.stringify({ trace, ...body }), {}, status));
		expect(errorMessage(failure).cause).toBe(cause);
		const kept = statusResult({ failure });
		expect('value' in kept).toBe(cause === 'offline');
	}
});

test('keeps a small response as it is, without its bytes', () => {
	const body = '{"error":"already_exists","messageId":"m-1","list":[{"a":[1,null,true]}]}';
	const { headers, data, ...rest } = response(body, { Date: 'Mon', Location: '/x', Server: 'y' });
	expect(failureInResponse({ headers, data, ...rest, status: 409 })).toMatchObject({
		kind: 'rejected',
		response: {
			status: 409,
			headers: { date: 'Mon', location: '/x' },
			data: JSON.parse(body) as unknown,
			bytes: Buffer.alloc(0),
		},
	});
});
