import { type Confirmation, failureInResponse, outcomeOf } from '../../../gateway/replies/outcome';
import { response } from '../../harness/responses';
import { RESPONSES } from './responses';

interface Row {
	meaning: string;
	to: Confirmation;
	status: number;
	type?: string;
	body: string;
}

function rowsOf(table: string): Row[] {
	let request: Pick<Row, 'to' | 'status' | 'type'> = { to: 'sent', status: 200 };
	const lines = table.replace(/\n\t/g, '').split('\n');
	return lines.flatMap((line): Row[] => {
		const [, to, status, type] = /^== (\w+) (\d+) ?(.*)$/.exec(line) ?? [];
		if (to) request = { to: to as Confirmation, status: Number(status), type };
		if (/^(== |# |$)/.test(line)) return [];
		const [, meaning = '', body = ''] = /^(\w+) *(.*)$/.exec(line) ?? [];
		return [{ ...request, meaning, body }];
	});
}

const REQUEST = Buffer.from('{"chatId":"447700900123","type":"text","text":"A text of its own"}');

function meaningOf({ to, status, type, body }: Row): string {
	const received = response(body, type ? { 'Content-Type': type } : {}, status);
	// As the node: with the body of the request.
	const failure = failureInResponse(received, to, REQUEST);
	if (failure) return failure.kind === 'unclear' ? 'unknown' : 'rejected';
	return to === 'sent' ? outcomeOf(received, REQUEST) : 'done';
}

const LONG: Row[] = [
	{ to: 'sent', status: 200, body: 'a1'.repeat(8_000_000), meaning: 'unknown' },
	{
		...{ to: 'sent', status: 200, type: 'text/html', meaning: 'unknown' },
		body: `<html><head><style>${'p {} '.repeat(300)}</style></head>Message sent</html>`,
	},
];

test.each(
	[...rowsOf(RESPONSES), ...LONG].map(
		(row) => [row.to, row.status, row.body.slice(0, 200), row.meaning, row] as const,
	),
)('what was to be %s, with %i %s, is %s', (_to, _status, _body, meaning, row) => {
	expect(meaningOf(row)).toBe(meaning);
});
