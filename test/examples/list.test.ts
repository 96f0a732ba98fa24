/** Example 4: how it reads the file, whom it sends to, and what its report says. */
import fc from 'fast-check';

import { missingValue } from '../../nodes/MessagingGateway/fields/missingValues';
import { evaluate, type Fields, parametersOf, runCode } from '../harness/exampleCode';

const FILE = '4-bulk-send-from-csv';

const rowsOf = (csv: string) =>
	runCode('Rows of the file', { nodes: { 'Text of the file': [{ csv }] } });

const HEADER = 'phone,name,appointment';
const ADA = { phone: '1', name: 'Ada', appointment: 'Monday' };

describe('Rows of the file', () => {
	test.each([
		['commas', 'phone,name,appointment\n1,Ada,Monday'],
		['semicolons', 'phone;name;appointment\r\n1;Ada;Monday\r\n'],
		['another case and spaces', ' Phone ,NAME,Appoint ment\n1,Ada,Monday'],
		['a byte order mark', '\ufeff"phone";name;appointment\n1;Ada;Monday'],
		['another order', 'name,appointment,phone\nAda,Monday,1\n'],
		['empty cells at the end, as Excel writes them', 'phone;name;appointment;;\n1;Ada;Monday;;'],
	])('reads a file with %s', (_, csv) => {
		expect(rowsOf(csv)).toEqual([{ ...ADA, row: 2, problem: '' }]);
	});

	test('gives each row the line of the file on which it starts', () => {
		const csv = `\n${HEADER}\n\n1,"Ada\nLovelace",Monday\r\n2,"Grace ""G"" Hopper","9, sharp"\r\r3,Mary,Friday`;
		expect(rowsOf(csv)).toMatchObject([
			{ row: 4, name: 'Ada\nLovelace', problem: '' },
			{ row: 6, name: 'Grace "G" Hopper', appointment: '9, sharp' },
			{ row: 8, name: 'Mary' },
		]);
	});

	test('reads what a program has written, whatever the cells contain', () => {
		const cell = fc.string({ unit: fc.constantFrom(...'ab ",;\t\n\r=\'') });
		const record = fc.tuple(cell, cell, cell);
		const separator = fc.constantFrom(',', ';', '\t');
		const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
		const property = fc.property(fc.array(record), separator, lineEnd, (rows, by, end) => {
			const quoted = rows.map((cells) => cells.map((each) => `"${each.replaceAll('"', '""')}"`));
			const records = [HEADER.split(','), ...quoted].map((cells) => cells.join(by));
			const lines = records.map((_, index) =>
				records.slice(0, index).reduce((line, each) => line + each.split(/\r\n|\r|\n/).length, 1),
			);
			const expected = rows.map(([phone, name, appointment], index) => ({
				...{ row: lines[index + 1], phone, name, appointment },
			}));
			if (rows.length > 0) expect(rowsOf(records.join(end))).toMatchObject(expected);
		});
		fc.assert(property, { seed: 1, numRuns: 300 });
	});

	test.each([
		[
			'Telefon;Name;Termin\n1;Ada;Monday\n2;Grace;Monday',
			"no column 'phone', 'appointment'. Its columns are 'Telefon', 'Name', 'Termin'",
		],
		[`${HEADER},Phone\n1,Ada,Monday,2`, "more than one column 'phone'"],
		[`${HEADER}\n`, 'no rows'],
		['', 'no rows'],
	])('says once what is wrong with the file %j', (csv, problem) => {
		const whole = { phone: '', name: '', row: 1, isWholeFile: true };
		expect(rowsOf(csv)).toEqual([{ ...whole, problem: `The file has ${problem}` }]);
	});

	test.each([
		['1,,Monday', 'name is empty'],
		[' ,"\n",', 'phone is empty, name is empty, appointment is empty'],
		['1,Ada', 'appointment is empty'],
		['1,Ada, Countess,Monday', 'The row has 4 cells, and the header 3. Put a text that'],
		['1,"Ada,Monday\n2,Grace,Monday', 'A quotation mark is not closed'],
		['"4,9151E+11",Ada,Monday', 'Excel has shortened phone: its last digits are lost. '],
		['4.91512345678e11,Ada,Monday', 'Excel has shortened phone: its last digits are lost. '],
	])('does not send the row %j', (row, problem) => {
		const rows = [{ row: 2, problem: expect.stringContaining(problem) as string }];
		expect(rowsOf(`${HEADER}\n${row}`)).toMatchObject(rows);
	});
});

test('skips a second row for the same person, and says which row was first', () => {
	/** The file has columns with names that the workflow uses itself. */
	const own = { phone: 'as entered', error: 'of the file', text: 'of the file' };
	const input = [2, 4, 5].map((row) => ({
		...{ chatId: `${row % 3}@c.us`, identity: row % 3, text: 'Hello', input: { ...own, row } },
	}));
	const row = { phone: 'as entered', text: 'Hello', isChecked: true };
	expect(runCode('Once per person', { input })).toEqual([
		{ ...row, row: 2, chatId: '2@c.us' },
		{ ...row, row: 4, chatId: '1@c.us' },
		{ ...row, row: 5, chatId: '2@c.us', error: 'same as row 2' },
	]);
});

const result = (row: number, fields: Fields = {}) => ({
	...{ row, phone: '+44 7700 900123', name: 'Ada', result: 'sent', reason: '', ...fields },
});

test('the reasons name the column of the file, and no item of the run', () => {
	const reason = "'Chat ID' cannot be 'no number yet' [item 3]";
	expect(runCode('Reasons', { input: [result(5, { reason }), result(6)] })).toEqual([
		result(5, { reason: "'phone' cannot be 'no number yet'" }),
		result(6),
	]);
});

function pageOf(rows: Fields[], isWholeFile = false): string {
	const outputs: Record<string, Fields[]> = {
		...{ Report: rows, 'Rows of the file': [{ isWholeFile }] },
		Counts: runCode('Counts', { input: rows }),
	};
	const $ = (node: string) => {
		const items = outputs[node]!.map((json) => ({ json }));
		return { all: () => items, first: () => items[0] };
	};
	return evaluate(parametersOf(FILE, 'Report page').completionMessage, { $ }) as string;
}

test('the page counts the skipped rows, and lists each', () => {
	const page = pageOf([
		result(2),
		result(3, { result: 'skipped', reason: 'same as row 2' }),
		result(4, { result: 'skipped', reason: 'same as row 2' }),
		result(5, { result: 'not sent', reason: 'name is empty' }),
	]);
	expect(page).toContain(
		'1 of 4 messages were accepted. Skipped: 2 (same person as an earlier row).',
	);
	expect(page).toContain(
		'<td>3</td><td>+44 7700 900123</td><td>skipped</td><td>same as row 2</td>',
	);
});

test('the page counts a missing value of several rows once', () => {
	const codes = ['$json.city', '$json["city"]', "$json['city']"];
	const errors = [3, 4, 7].map((row, at) => {
		const { message } = missingValue('Text', codes[at]!);
		return result(row, { result: 'not sent', reason: `${message} [item ${row - 2}]` });
	});
	const unreadable = result(8, { result: 'not sent', reason: "'Chat ID' cannot be 'x' [item 6]" });
	const page = pageOf(runCode('Reasons', { input: [result(2), ...errors, unreadable] }));
	expect(page).toContain(
		"1 of 5 messages were accepted. Not sent: 3 (The text has no value for 'city'). report.csv",
	);
});

test('the page says in one sentence, without a table, what is wrong with the whole file', () => {
	const [{ problem: reason } = {}] = rowsOf('Telefon,Name\n1,<b>\n2,Ada');
	const page = pageOf([result(1, { result: 'not sent', reason, phone: '', name: '' })], true);
	expect(page).toBe(
		"Nothing was sent. The file has no column 'phone', 'appointment'. Its columns are 'Telefon', 'Name'.",
	);
});
