import { type Answer, readAnswer } from '../../gateway/answer';
import { outcomeOf, refusesRepeat } from '../../gateway/outcome';

const answer = (status: number, data: unknown): Answer =>
	readAnswer({ status, headers: {}, bytes: Buffer.from(JSON.stringify(data)) }, (value) => value);

test.each<[string, number, unknown]>([
	['a message ID', 200, { messageId: '1' }],
	['the word', 200, { status: 'sent' }],
	['the word, though accepted only', 202, { status: 'SENT' }],
	['nothing', 200, null],
	['a list', 200, [{ messageId: '1' }]],
	['a text', 200, 'ok'],
	['no duplicate', 200, { duplicate: false }],
	['a word that does not mean it', 200, { duplicate: 'no' }],
	['a state of its own', 200, { status: 7 }],
	['a delivery key that is none', 200, { deliveryKey: null }],
])('sent: %s', (_what, status, data) => {
	expect(outcomeOf(answer(status, data))).toBe('sent');
});

test.each<[string, number, unknown]>([
	['the word', 200, { status: 'deferred' }],
	['the word in capitals', 200, { status: 'QUEUED' }],
	['another word', 200, { status: 'scheduled' }],
	['and another', 200, { status: 'pending' }],
	['a delivery key', 200, { deliveryKey: 'k' }],
	['a delivery key by its old name', 200, { delivery_key: 'k' }],
	['in an envelope', 200, { success: true, data: { deliveryKey: 'k' } }],
	['in another one', 200, { result: { status: 'deferred' } }],
	['accepted, and not said to be sent', 202, { success: true }],
])('deferred: %s', (_what, status, data) => {
	expect(outcomeOf(answer(status, data))).toBe('deferred');
});

test.each<[string, number, unknown]>([
	['the flag beside the first answer', 200, { messageId: '1', status: 'sent', duplicate: true }],
	['the flag beside one that was deferred', 202, { status: 'deferred', duplicate: true }],
	['by another name', 200, { isDuplicate: true }],
	['and another', 200, { deduplicated: true }],
	['the word', 200, { status: 'duplicate' }],
	['in an envelope', 200, { data: { duplicate: true } }],
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
])('%i %j refuses a repeat: %p', (status, data, refuses) => {
	expect(refusesRepeat(answer(status, data))).toBe(refuses);
});
