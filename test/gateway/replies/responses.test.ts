import { outcomeOf, failureInResponse } from '../../../gateway/replies/outcome';
import { response } from '../../harness/responses';
import { type Meaning, SAID, type Said } from './responses';

const ROWS = SAID.flatMap((said) =>
	said.says.map(([body, meaning]) => {
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		return { ...said, text, meaning };
	}),
);

const REQUEST = Buffer.from('{"chatId":"447700900123","type":"text","text":"A text of its own"}');

function meaningOf({
	to = 'sent',
	status = 200,
	type,
	text,
}: Omit<Said, 'says'> & { text: string }): Meaning {
	const received = response(text, type ? { 'Content-Type': type } : {}, status);
	// As the node: with the body of the request.
	const failure = failureInResponse(received, to, REQUEST);
	if (failure) return failure.kind === 'unclear' ? 'unknown' : 'rejected';
	return to === 'sent' ? outcomeOf(received, REQUEST) : 'done';
}

test('the table has at least 150 responses', () => {
	expect(new Set(ROWS.map(({ to, text }) => `${to} ${text}`)).size).toBeGreaterThanOrEqual(150);
});

test('at most 2 % of the accepted messages in sources are unknown', () => {
	const accepted = ROWS.filter(
		({ from, meaning }) => !/^(Like|Issue)/.test(from) && meaning !== 'rejected',
	);
	const unknown = accepted.filter(({ meaning }) => meaning === 'unknown');
	expect(accepted.length).toBeGreaterThan(50);
	expect(unknown.length / accepted.length).toBeLessThanOrEqual(0.02);
});

test.each(ROWS.map((row) => [row.from, row.to ?? 'sent', row.text.slice(0, 200), row] as const))(
	'%s: what was %s with %s',
	(_from, _to, _text, row) => {
		expect(meaningOf(row)).toBe(row.meaning);
	},
);
