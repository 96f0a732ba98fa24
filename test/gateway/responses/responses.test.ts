import type { Confirmation } from '../../../gateway/responses/dialect';
import { judged } from '../../../gateway/responses/outcome';
import { response } from '../../harness/responses';
import { RESPONSES } from './responses';

interface Row {
	meaning: string;
	rule: string;
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
		const [, meaning = '', rule = '', body = ''] = /^(\w+) +(\w+) *(.*)$/.exec(line) ?? [];
		return [{ ...request, meaning, rule, body }];
	});
}

const REQUEST = Buffer.from('{"chatId":"447700900123","type":"text","text":"A text of its own"}');

/** Returns the meaning, and the rule that decided. A success has evidence, or an empty body. */
function meaningOf({ to, status, type, body }: Row): [meaning: string, rule: string] {
	const received = response(body, type ? { 'Content-Type': type } : {}, status);
	const result = judged(received, { confirmation: to, requestBody: REQUEST });
	if ('value' in result) return [to === 'sent' ? result.value.outcome! : 'done', 'evidence'];
	const { failure } = result;
	if (failure.kind !== 'rejected' && failure.kind !== 'unclear') throw new Error(failure.kind);
	return [failure.kind === 'unclear' ? 'unknown' : 'rejected', failure.rule];
}

const LONG: Row[] = [
	{
		...{ to: 'sent', status: 200, meaning: 'unknown', rule: 'unknownWord' },
		body: 'a1'.repeat(8_000_000),
	},
	{
		...{ to: 'sent', status: 200, type: 'text/html', meaning: 'unknown', rule: 'webPage' },
		body: `<html><head><style>${'p {} '.repeat(300)}</style></head>Message sent</html>`,
	},
];

const ROWS = [...rowsOf(RESPONSES), ...LONG];

test.each(
	ROWS.map((row) => [row.to, row.status, row.body.slice(0, 200), row.meaning, row] as const),
)('what was to be %s, with %i %s, is %s', (_to, _status, _body, meaning, row) => {
	expect(meaningOf(row)).toEqual([meaning, row.rule]);
});
