import { type GatewayResponse, readResponse } from '../../gateway/response';
import { isDuplicateRejection, outcomeOf } from '../../gateway/sendResult';

const answer = (status: number, data: unknown): GatewayResponse =>
	readResponse({ status, headers: {}, bytes: Buffer.from(JSON.stringify(data)) }, (value) => value);

test.each<[string, number, unknown]>([
	['a message ID', 200, { messageId: '1' }],
	['the status sent', 200, { status: 'sent' }],
	['the status sent with HTTP 202', 202, { status: 'SENT' }],
	['null', 200, null],
	['a list', 200, [{ messageId: '1' }]],
	['a text', 200, 'ok'],
	['duplicate: false', 200, { duplicate: false }],
	['duplicate: no', 200, { duplicate: 'no' }],
	['a numeric status', 200, { status: 7 }],
	['a delivery key of null', 200, { deliveryKey: null }],
])('sent: %s', (_what, status, data) => {
	expect(outcomeOf(answer(status, data))).toBe('sent');
});

test.each<[string, number, unknown]>([
	['the status deferred', 200, { status: 'deferred' }],
	['the status queued in capitals', 200, { status: 'QUEUED' }],
	['the status scheduled', 200, { status: 'scheduled' }],
	['the status pending', 200, { status: 'pending' }],
	['a delivery key', 200, { deliveryKey: 'k' }],
	['a delivery key with its legacy name', 200, { delivery_key: 'k' }],
	['a delivery key in an envelope', 200, { success: true, data: { deliveryKey: 'k' } }],
	['the status deferred in an envelope', 200, { result: { status: 'deferred' } }],
	['HTTP 202 without the status sent', 202, { success: true }],
])('deferred: %s', (_what, status, data) => {
	expect(outcomeOf(answer(status, data))).toBe('deferred');
});

test.each<[string, number, unknown]>([
	['the flag with the first response', 200, { messageId: '1', status: 'sent', duplicate: true }],
	['the flag on a deferred message', 202, { status: 'deferred', duplicate: true }],
	['the flag isDuplicate', 200, { isDuplicate: true }],
	['the flag deduplicated', 200, { deduplicated: true }],
	['the status duplicate', 200, { status: 'duplicate' }],
	['the flag in an envelope', 200, { data: { duplicate: true } }],
])('duplicate: %s', (_what, status, data) => {
	expect(outcomeOf(answer(status, data))).toBe('duplicate');
});

test.each<[number, unknown, boolean]>([
	[409, { error: 'already_exists' }, true],
	[409, { error: { code: 'ALREADY_EXISTS' } }, true],
	[422, { error: 'already_exists' }, true],
	[409, { error: 'session_not_online' }, false],
	[409, {}, false],
	[422, { error: 'validation_error' }, false],
	[400, { error: 'already_exists' }, false],
	[500, { error: 'already_exists' }, false],
])('%i %j rejects a duplicate: %p', (status, data, refuses) => {
	expect(isDuplicateRejection(answer(status, data))).toBe(refuses);
});
