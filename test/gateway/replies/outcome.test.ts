import fc from 'fast-check';

import { errorMessage } from '../../../gateway/errors/errorMessage';
import {
	type Confirmation,
	failureInResponse,
	isDuplicateRejection,
	outcomeOf,
} from '../../../gateway/replies/outcome';
import { depth } from '../../harness/depth';
import { response } from '../../harness/responses';

const ALL: Confirmation[] = ['sent', 'deleted', 'started', 'refreshed', 'terminated'];

const answer = (status: number, data: unknown) => response(JSON.stringify(data), {}, status);

const isDenied = (data: unknown, confirmation: Confirmation = 'sent', status = 200) =>
	failureInResponse(answer(status, data), confirmation) !== undefined;

describe('a body does not deny success', () => {
	test.each<[unknown]>([
		[[]],
		[{ ok: true, error: null }],
		[{ error: 0, code: 0 }],
		[{ error: 'none' }],
		[{ status: 200, code: '200', message: 'Sent' }],
		[{ failed: 0, status: 'ok' }],
	])('whatever was requested: %j', (data) => {
		for (const confirmation of ALL) expect(isDenied(data, confirmation)).toBe(false);
	});

	test.each<[unknown, number]>([
		[{ sent: false, deliveryKey: 'k' }, 200],
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

test('the text of the message that a gateway repeats denies nothing, another text next to the recipient does', () => {
	const text = 'Your payment "4711" failed';
	const body = { success: true, message: text, to: '49151' };
	const kindWith = (request: object, said: object = body) =>
		failureInResponse(answer(200, said), 'sent', Buffer.from(JSON.stringify(request)))?.kind;
	expect(kindWith({ chatId: '49151', type: 'text', text })).toBeUndefined();
	expect(kindWith({ chatId: '49151', type: 'text', text: 'Hello' })).toBe('unclear');
	// Alone it is an answer, also if it is what was sent.
	expect(kindWith({ text: 'failed' }, { message: 'failed' })).toBe('rejected');
});

/** Denials whose words also occur in a success. */
const DENIALS = `You have reached your daily sending limit|Sending to this number is restricted
Messages can only be sent to verified numbers|Sending is paused|sending_paused|account_read_only|READ_ONLY_MODE
Complete your registration first|The chat must be accepted first|Template must be created first
Payment must be completed before messages are sent|Outside of the allowed sending hours
Quiet hours: messages are sent from 8 am|The account is still being processed|Upload must be complete
Wait 30 seconds before sending another message|Slow down: 20 messages sent in 1 minute|Session is being created
To continue sending a message, you must subscribe to this instance again|Queue is paused|queue_disabled
sending_window_closed|Trial: only 5 messages can be sent|recipient has been processed as opted-out`.split(
	/[|\n]/,
);

test.each(DENIALS)(
	'%s is a denial as an error, and no success as a message or a status',
	(text) => {
		for (const body of [
			{ error: text },
			{ error: { message: text } },
			{ success: true, error: text },
		]) {
			for (const to of ALL) {
				expect(failureInResponse(answer(200, body), to)?.kind).toBe('rejected');
			}
		}
		expect(isDenied({ message: text })).toBe(true);
		expect(isDenied({ status: text })).toBe(true);
	},
);

test('an unknown answer quotes the field that is not understood', () => {
	const said = (body: unknown) => errorMessage(failureInResponse(answer(200, body), 'sent')!);
	expect(said({ data: { status: 'on its way' } })).toEqual({
		message: 'The response of the gateway does not say whether the request succeeded (200)',
		description: expect.stringMatching(
			/^It is unknown whether.* The gateway says: status on its way\.$/,
		) as string,
	});
	expect(said('pong').description).toContain('The gateway says: pong.');
});

test('the denial has the code and the message wherever they are', () => {
	const data = { message: 'Not sent', data: { error: 'session_not_online' } };
	const failure = failureInResponse(answer(200, data), 'sent')!;
	expect(errorMessage(failure)).toMatchObject({
		message: 'The session is not online (200, session_not_online)',
		description: expect.stringContaining('The gateway says: Not sent.') as string,
	});
});

test.each<[string, number, unknown]>([
	['sent', 202, { status: 'SENT' }],
	['sent', 200, 'ok'],
	['sent', 200, { status: 7 }],
	['sent', 200, { deliveryKey: null }],
	['deferred', 200, { status: 'pending' }],
	['deferred', 200, 'queued'],
	['deferred', 202, { success: true }],
	['duplicate', 202, { status: 'deferred', isDuplicate: true }],
	['duplicate', 200, { data: { deduplicated: true } }],
	['duplicate', 200, { status: 'duplicate' }],
])('%s: %i %j', (outcome, status, data) => {
	expect(outcomeOf(answer(status, data))).toBe(outcome);
});

test.each<[number, unknown, boolean]>([
	[409, { error: 'already_exists' }, true],
	[422, { error: 'already_exists' }, true],
	[409, {}, false],
	[200, { error: 'already_exists' }, true],
	[400, { error: 'already_exists' }, false],
])('%i %j rejects a duplicate: %p', (status, data, refuses) => {
	expect(isDuplicateRejection(answer(status, data))).toBe(refuses);
});

test('a text with a word that no list has claims no success, unless it says it of the message', () => {
	const claims = ['Success', 'queued', 'done', 'Enviado com sucesso', '发送成功', 'успешно'];
	const word = fc.string({
		unit: fc.constantFrom(...'abdegklmpqruvwxz'),
		minLength: 6,
		maxLength: 12,
	});
	const property = fc.property(
		fc.constantFrom(...claims),
		word,
		fc.boolean(),
		(claim, unknown, isFirst) => {
			const message = isFirst ? `${unknown} ${claim}` : `${claim.split(' ').at(-1)} ${unknown}`;
			const failure = failureInResponse(answer(200, { message }), 'sent');
			expect(failure?.kind).toMatch(/^(unclear|rejected)$/);
		},
	);
	fc.assert(property, { numRuns: depth(300, 20_000) });
});

test('the text of a message that a gateway repeats does not defer it', () => {
	const request = Buffer.from(JSON.stringify({ chatId: '49151', text: 'Your visit is scheduled' }));
	const repeated = answer(200, { success: true, message: 'Your visit is scheduled' });
	expect(outcomeOf(repeated, request)).toBe('sent');
});

test('a limit with a message ID that the request does not have is unknown', () => {
	const limit = answer(429, { error: 'rate_limit_exceeded', messageId: 'A-1' });
	const kindWith = (request: object) =>
		failureInResponse(limit, 'sent', Buffer.from(JSON.stringify(request)))?.kind;
	expect(kindWith({ text: 'Hello' })).toBe('unclear');
	expect(kindWith({ text: 'Hello', messageId: 'A-1' })).toBe('rejected');
	expect(failureInResponse(answer(429, { status: 'accepted' }), 'sent')?.kind).toBe('unclear');
});
