import { gatewayError } from '../../../gateway/responses/find';
import { failureIn, response } from '../../harness/responses';

test.each<[unknown, string, string]>([
	[{ error: { error: 'x' }, message: 'No such token' }, 'x', 'No such token'],
	[{ error: true, code: 'x', detail: 'No such token' }, 'x', 'No such token'],
	[{ error: 'x', description: 'No such token' }, 'x', 'No such token'],
	[{ error: ' x ', message: ' y ' }, 'x', 'y'],
	[{ success: true, data: '{"error":"x"}' }, 'x', ''],
	[{ error: null, code: 401, message: ['a'] }, '', 'a'],
	[[], '', ''],
])('the code and the message of an error response are read from %j', (data, code, message) => {
	expect(gatewayError(data)).toEqual({ code, message });
});

test.each([100, 300])('the status %i is an error response, whatever the body', (status) => {
	for (const body of ['', 'ok', '{}', '{"success":true}', '[]']) {
		expect(failureIn(response(body, {}, status))).toBeDefined();
	}
});
