import fc from 'fast-check';

import { errorMessage, failureDetails } from '../../../gateway/failures/errorMessage';
import { readDeclared } from '../../../gateway/responses/declared';
import type { Confirmation } from '../../../gateway/responses/dialect';
import { depth } from '../../harness/depth';
import { failureIn, gatewayLike, outcomeIn, response } from '../../harness/responses';

const ALL: Confirmation[] = ['sent', 'deleted', 'started', 'refreshed', 'terminated'];

const answer = (status: number, data: unknown) => response(JSON.stringify(data), {}, status);
const kindOf = (data: unknown, confirmation: Confirmation = 'sent', status = 200) =>
	failureIn(answer(status, data), confirmation)?.kind;

test.each<[unknown]>([
	[{ ok: true, error: null }],
	[{ status: 'success', code: '200', message: 'Whatever it says' }],
	[{ failed: 0, status: 'ok' }],
])('a success, whatever was requested: %j', (data) => {
	for (const confirmation of ALL) expect(kindOf(data, confirmation)).toBeUndefined();
});

test.each<[unknown, number]>([
	[{ sent: false, deliveryKey: 'k' }, 200],
	[{ sent: false, duplicate: true }, 200],
	[{ sent: false }, 202],
])('not sent yet is no denial: %j with %i', (data, status) => {
	expect(kindOf(data, 'sent', status)).toBeUndefined();
});

test('what was requested decides which word confirms it', () => {
	expect(kindOf({ deleted: true, sent: false }, 'deleted')).toBeUndefined();
	expect(kindOf({ deleted: true, sent: true }, 'deleted')).toBe('unclear');
	expect(kindOf({ deleted: true }, 'deleted')).toBeUndefined();
	expect(kindOf({ sent: true, deleted: false })).toBeUndefined();
});

test.each<[string, number, unknown]>([
	['sent', 202, { status: 'SENT' }],
	['sent', 200, 'ok'],
	['sent', 200, { messageId: 'a', status: 'pending' }],
	['deferred', 200, { status: 'pending' }],
	['deferred', 202, { success: true }],
	['duplicate', 202, { status: 'deferred', isDuplicate: true }],
	['rejected', 409, { error: 'already_exists' }],
])('%s: %i %j', (outcome, status, data) => {
	expect(outcomeIn(answer(status, data))).toBe(outcome);
});

/** Responses whose meaning does not change, whatever else they contain. */
const FACTS: object[] = [
	...[{ success: true }, { messageId: 'm-1' }, { deliveryKey: 'k' }, { status: 'queued' }],
	...[{ success: false }, { error: 'x' }, { sent: false }, { status: 'failed' }, {}],
	...[{ status: 'on_its_way' }, { messageId: 'm-1', error: 'x' }, { duplicate: true }],
];
const anyFact = fc.constantFrom(...FACTS);
const sentence = fc.constantFrom(
	...['Mensagem enviada', 'Message not sent', 'Your payment failed', 'Erro: número inválido'],
	...['Nachricht in der Warteschlange', 'Timed out after 30 s', '0 of 1 sent', '发送 失败'],
);
const NUM_RUNS = depth(300, 10_000);

test('a sentence decides nothing', () => {
	const text = fc.record(
		{ message: sentence, detail: sentence, reason: sentence, description: sentence },
		{ requiredKeys: [], noNullPrototype: true },
	);
	const property = fc.property(anyFact, text, fc.constantFrom(200, 400), (fact, texts, status) => {
		expect(kindOf({ ...texts, ...fact }, 'sent', status)).toBe(kindOf(fact, 'sent', status));
	});
	fc.assert(property, { numRuns: NUM_RUNS });
});

test('what the request contains says nothing, also if the gateway trimmed it', () => {
	const values = fc.constantFrom<unknown>('failed', 'sent', 'queued', true, false, 'm-7');
	const own = fc.dictionary(
		fc.constantFrom('status', 'state', 'error', 'result', 'failed', 'blocked', 'ref'),
		values,
		{ maxKeys: 3, noNullPrototype: true },
	);
	const property = fc.property(anyFact, own, (fact, metadata) => {
		fc.pre(!Object.keys(fact).some((name) => name in metadata));
		const request = { chatId: '49151', text: ' failed ', metadata };
		const repeated = { ...fact, metadata, request, text: 'failed' };
		const requestBody = Buffer.from(JSON.stringify(request));
		expect(failureIn(answer(200, repeated), 'sent', { requestBody })?.kind).toBe(kindOf(fact));
	});
	fc.assert(property, { numRuns: NUM_RUNS });
});

test('the error of an unknown response ends with the line that makes such a response a success', () => {
	const anyBody = fc.oneof(anyFact, gatewayLike(), fc.record({ message: sentence }));
	let lines = 0;
	const property = fc.property(anyBody, fc.constantFrom(...ALL), (body, confirmation) => {
		const failure = failureIn(answer(200, body), confirmation);
		if (failure?.kind !== 'unclear' || !failure.line) return;
		lines += 1;
		const { description } = errorMessage(failure);
		expect(description.endsWith(`of the credential: ${failure.line}`)).toBe(true);
		const declared = readDeclared(failure.line);
		expect(declared.error).toBeUndefined();
		expect(failureIn(answer(200, body), confirmation, { declared })).toBeUndefined();
	});
	fc.assert(property, { numRuns: NUM_RUNS });
	expect(lines).toBeGreaterThan(50);
});

test.each(['{}', '[{}]', '{"data":null}'])(
	'empty JSON is no success until it is declared: %s',
	(body) => {
		for (const confirmation of ALL) {
			const failure = failureIn(response(body), confirmation);
			const { line } = failure?.kind === 'unclear' ? failure : {};
			expect(line).toBe(`${confirmation === 'sent' ? 'sent' : 'done'}: response = ${body}`);
			const declared = readDeclared(line);
			expect(failureIn(response(body), confirmation, { declared })).toBeUndefined();
			expect(failureIn(response(''), confirmation)).toBeUndefined();
		}
	},
);

test.each<[unknown]>([[{ success: false, messageId: 'A' }], [{ ok: true, status: 'failed' }]])(
	'no line would make every denial a success: %j',
	(body) => {
		expect(failureIn(answer(200, body), 'sent')).toMatchObject({
			kind: 'unclear',
			line: undefined,
		});
	},
);

test.each([
	['an endless name', `{"${'is'.repeat(8_000_000)}":true}`, 'unclear'],
	['endless errors', `${'{"error":'.repeat(5_000)}1${'}'.repeat(5_000)}`, 'rejected'],
	['an endless list of errors', `{"error":[${'0,'.repeat(1_000)}0]}`, 'rejected'],
])('%s overflows no stack', (_, body, outcome) => {
	expect(outcomeIn(response(body))).toBe(outcome);
});

test('an unknown response quotes what it says', () => {
	const said = (body: unknown) => errorMessage(failureIn(answer(200, body), 'sent')!).description;
	expect(said({ data: { status: 'on its way' } })).toMatch(
		/^It is unknown whether.* The response says `status`: "on its way"\. If this means success,/,
	);
	expect(said({ id: 7, ref: 8, message: 'Mensagem enviada' })).toContain(
		'The response says only `message`: "Mensagem enviada".',
	);
	expect(said('pong')).toContain('The response says `response`: "pong".');
	expect(said({ state: 'phase7' })).toMatch(/: sent: state = phase7$/);
	expect(said({ message: 'Ref 77 of 12:30 noted' })).toMatch(
		/: sent: message = Ref \* of \* noted$/,
	);
});

test('a refusal says which field denies it', () => {
	const details = (body: unknown) =>
		failureDetails({ failure: failureIn(answer(200, body), 'sent')! });
	expect(details({ delivery: 1, status: 'failed' })).toEqual({
		...{ cause: 'denied', retry: 'later', because: 'status = failed' },
	});
	const { description } = errorMessage(failureIn(answer(200, { status: 'failed' }), 'sent')!);
	expect(description).toContain('Because `status` is `failed`.');
});
