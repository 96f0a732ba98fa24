import { type Confirmation, denialIn } from '../../gateway/confirmation';
import { response } from './responses';

const ALL: Confirmation[] = ['sent', 'deleted', 'started', 'refreshed', 'terminated'];

const isDenied = (data: unknown, confirmation: Confirmation = 'sent', status = 200) =>
	denialIn(response(JSON.stringify(data), {}, status), confirmation) !== undefined;

describe('a body denies success', () => {
	test.each<[unknown]>([
		[false],
		[{ status: 'failed' }],
		[{ status: ' FAILED ' }],
		[{ status: 'error', message: 'No route to the phone' }],
		[{ state: 'rejected' }],
		[{ result: 'failure' }],
		[{ result: false }],
		[{ success: 'false' }],
		[{ success: 0 }],
		[{ ok: 0 }],
		[{ accepted: false }],
		[{ failed: true }],
		[{ status: 500 }],
		[{ statusCode: '401', message: 'Unauthorized' }],
		[{ code: 404, message: 'No such chat' }],
		[{ code: 'session_not_online' }],
		[{ error: 'session_not_online', status: 'DISCONNECTED' }],
		[{ error: { code: 'session_not_online' }, status: 'DISCONNECTED' }],
		[{ error: 7, chatId: '4915123456789' }],
		[{ errors: ['no such chat'], chatId: '4915123456789' }],
		[{ success: true, error: 'not_delivered', chatId: '4915123456789' }],
		[{ data: { status: 'failed' } }],
		[{ success: true, data: { error: 'session_not_online', status: 'DISCONNECTED' } }],
		[{ status: 'ok', result: { success: false } }],
		[{ results: [{ status: 'failed' }] }],
		[[{ status: 'failed' }]],
		[{ messageId: '1', status: 'failed' }],
		[{ deliveryKey: 'k', success: 'false' }],
	])('whatever was requested: %j', (data) => {
		for (const confirmation of ALL) expect(isDenied(data, confirmation)).toBe(true);
	});

	test.each(ALL)('if its field %s says so', (confirmation) => {
		for (const no of [false, 'false', 0, 'no']) {
			expect(isDenied({ [confirmation]: no }, confirmation)).toBe(true);
			expect(isDenied({ success: true, data: { [confirmation]: no } }, confirmation)).toBe(true);
		}
	});

	test('even if it names what was not deleted', () => {
		expect(isDenied({ deleted: false, deliveryKey: 'k' }, 'deleted')).toBe(true);
	});

	test('even if it names the message that was not sent', () => {
		expect(isDenied({ sent: false, messageId: '1' })).toBe(true);
	});
});

describe('a body does not deny success', () => {
	test('if it is empty', () => {
		expect(denialIn(response(''), 'sent')).toBeUndefined();
	});

	test.each<[unknown]>([
		[null],
		['failed'],
		[true],
		[7],
		[[]],
		[{}],
		[{ success: true }],
		[{ success: true, status: 'DISCONNECTED' }],
		[{ ok: true, error: null }],
		[{ error: 0, code: 0 }],
		[{ error: false, errors: [] }],
		[{ error: {} }],
		[{ error: 'none' }],
		[{ status: 200, code: '200', message: 'Sent' }],
		[{ code: 'OK', message: 'Sent' }],
		[{ failed: 0, status: 'sent' }],
		[{ messageId: '1', error: 'last_attempt_timed_out' }],
		[{ messageId: 1, error: 'last_attempt_timed_out' }],
		[{ deliveryKey: 'k', error: 'session_not_online', status: 'DISCONNECTED' }],
		[{ data: { deliveryKey: 7 }, error: 'session_not_online' }],
		[[{ deliveryKey: 'k', error: 'session_not_online' }]],
		[{ status: 'sent', error: 'no_read_receipt' }],
		[{ status: 'queued', error: 'session_not_online' }],
		[{ status: 'duplicate', error: 'already_exists' }],
		[{ data: { data: { status: 'failed' } } }],
	])('whatever was requested: %j', (data) => {
		for (const confirmation of ALL) expect(isDenied(data, confirmation)).toBe(false);
	});

	test.each(ALL)('if its field %s confirms', (confirmation) => {
		const data = { [confirmation]: true, data: { status: 'failed', error: 'offline' } };
		expect(isDenied(data, confirmation)).toBe(false);
	});

	test.each<[unknown, number]>([
		[{ sent: false, deliveryKey: 'k' }, 200],
		[{ sent: false, status: 'queued' }, 200],
		[{ sent: false, duplicate: true }, 200],
		[{ sent: false }, 202],
	])('because it is deferred or known, and not sent again: %j with %i', (data, status) => {
		expect(isDenied(data, 'sent', status)).toBe(false);
	});

	test('because of a field that is about something else', () => {
		expect(isDenied({ deleted: true, sent: false }, 'deleted')).toBe(false);
		expect(isDenied({ sent: true, deleted: false })).toBe(false);
	});
});

test('the denial has the code and the message wherever they are', () => {
	const data = { message: 'Not sent', data: { error: 'session_not_online' } };
	expect(denialIn(response(JSON.stringify(data)), 'sent')).toMatchObject({
		message: 'Not sent',
		error: 'session_not_online',
	});
});
