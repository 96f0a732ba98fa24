import { errorMessage } from '../../../gateway/failures/errorMessage';
import { readDeclared } from '../../../gateway/responses/declared';
import { sessionIn } from '../../../gateway/responses/sessionStatus';
import { failureIn, outcomeIn, response } from '../../harness/responses';

const LINES = `
sent: message = Mensagem enviada*
failed: result = 1
deferred: situacao = FILA
duplicate: Código = J-*-9

Done: response=deleted  it
`;

const judgedBy = (lines: string, body: string, status = 200) =>
	outcomeIn(response(body, {}, status), { declared: readDeclared(lines) });

test.each([
	['sent', '{"message":"Mensagem  ENVIADA para 49151"}', 200],
	['sent', '{"data":{"Message":"Mensagem enviada"}}', 200],
	['rejected', '{"success":true,"result":1}', 200],
	['sent', '{"success":true,"result":11}', 200],
	['rejected', '{"message":"Mensagem enviada","error":"x"}', 200, 'failed: error = *\n'],
	['deferred', '{"situacao":"fila","success":true}', 200],
	['duplicate', '{"código":"J-77-9"}', 200],
	['unclear', '{"código":"J-9"}', 200],
	['unclear', `{"código":"J-${'7'.repeat(500)}-9"}`, 200],
	['unclear', '{"message":"Sua Mensagem enviada"}', 200],
	// The owner knows the gateway better than its HTTP status.
	['sent', '{"message":"Mensagem enviada"}', 400],
	['rejected', '{"result":"1"}', 500],
])('%s: %s with %i', (outcome, body, status, first = '') => {
	expect(judgedBy(`${first}${LINES}`, body, status)).toBe(outcome);
});

test('the first line that fits counts', () => {
	const body = '{"a":"x","b":"y"}';
	expect(judgedBy('failed: a = x\nsent: b = y', body)).toBe('rejected');
	expect(judgedBy('sent: b = y\nfailed: a = x', body)).toBe('sent');
});

test('done is about other requests than messages, and sent only about messages', () => {
	const declared = readDeclared(LINES);
	const of = (body: string, confirmation: 'sent' | 'deleted') =>
		failureIn(response(body), confirmation, { declared })?.kind;
	expect(of('Deleted it', 'deleted')).toBeUndefined();
	expect(of('Deleted it', 'sent')).toBe('unclear');
	expect(of('{"message":"Mensagem enviada"}', 'deleted')).toBe('unclear');
});

test('online is the status of the session', () => {
	const received = response('{"success":true,"estado":"LIGADO"}');
	const declared = readDeclared('online: estado = ligado');
	expect(failureIn(received, undefined, { declared })).toBeUndefined();
	expect(sessionIn(received).status).toBe('ONLINE');
	expect(sessionIn(response('{"estado":"LIGADO"}')).status).toBeUndefined();
});

test.each([
	['{"estado":2}', '2', 'unknown'],
	['{"estado":"not ready"}', 'NOT READY', 'offline'],
	['{"estado":2,"status":"DISCONNECTED"}', 'DISCONNECTED', 'offline'],
	['{"estado":1,"status":"DISCONNECTED"}', 'ONLINE', 'online'],
	['{"other":2}', undefined, 'unknown'],
])('a line about online says where the status is: %s', (body, status, phase) => {
	const received = response(body);
	failureIn(received, undefined, { declared: readDeclared('online: estado = 1') });
	expect(sessionIn(received)).toMatchObject({ status, phase });
});

test.each([
	['sent message = x', 'line 1: sent message = x'],
	['sent: message = x\n\nqueued: y = z', 'line 3: queued: y = z'],
	['sent: message =', 'line 1: sent: message ='],
	['sent: = x', 'line 1: sent: = x'],
	[7, 'it is not text'],
])('%j cannot be read, so no response is a success', (lines, reason) => {
	const declared = readDeclared(lines);
	expect(declared.error?.message).toBe(
		`'Meaning of Responses' of the credential cannot be read (${reason})`,
	);
	const failure = failureIn(response('{"success":true}'), 'sent', { declared })!;
	expect(failure.kind).toBe('unclear');
	expect(errorMessage(failure).description).toContain(declared.error!.message);
	expect(outcomeIn(response('{"error":"x"}', {}, 400), { declared })).toBe('rejected');
});
