/** The report of example 4 as a file: no program that opens it takes a cell for a formula. */
import fc from 'fast-check';

import { EXAMPLES, type Fields, runCode } from '../harness/exampleCode';

const HEADERS: Record<string, string> = {
	',': 'phone,name,appointment',
	';': 'phone;name;appointment',
	'\t': 'phone\tname\tappointment',
};
const SEPARATORS = Object.keys(HEADERS);

/** `report.csv`, if the uploaded file had this separator. */
function fileOf(rows: Fields[], separator: string): string {
	const nodes = { 'Text of the file': [{ csv: `${HEADERS[separator]}\n` }] };
	const [{ csv } = {}] = runCode('Cells as text', { nodes, input: rows });
	return csv as string;
}

/** Reads a file as office programs do: a quotation mark counts only at the start of a cell, and what follows the closing one is kept. */
function read(file: string, separator: string): string[][] {
	const records: string[][] = [[]];
	let cell = '';
	let isQuoted = false;
	const endCell = () => {
		records.at(-1)!.push(cell);
		cell = '';
	};
	for (let at = 0; at < file.length; at++) {
		const character = file[at]!;
		if (isQuoted) {
			if (character !== '"') cell += character;
			else if (file[at + 1] === '"') cell += file[++at]!;
			else isQuoted = false;
		} else if (character === '"' && cell === '') isQuoted = true;
		else if (character === separator) endCell();
		else if (character === '\n' || character === '\r') {
			endCell();
			records.push([]);
		} else cell += character;
	}
	endCell();
	return records;
}

/** Reads a file as programs do that know no quotation marks. */
const split = (file: string, separator: string) =>
	file.split(/[\r\n]/).map((line) => line.split(separator));

/** Some programs leave out spaces, quotation marks, control characters and invisible ones before a cell. */
const isFormula = (cell: string) => /^[\s\p{C}"]*[=+\-@＝＋－＠]/u.test(cell);

function formulasIn(rows: Fields[]): string[] {
	return SEPARATORS.flatMap((written) => {
		const file = fileOf(rows, written);
		return SEPARATORS.flatMap((by) => [...read(file, by).flat(), ...split(file, by).flat()]);
	}).filter(isFormula);
}

const result = (fields: Fields) => ({
	row: 2,
	phone: '1',
	name: '',
	result: 'sent',
	reason: '',
	...fields,
});

test.each(['=', '+', '-', '@', '＝', '＋', '－', '＠'])('a cell with %s is no formula', (sign) => {
	const call = `${sign}cmd|'/C calc'!A0`;
	const before = ['', ' ', '\t', '\n', '\r\n', '\u0000', '\u00a0', '\u200b', '"', '""', '\u0000 "'];
	const starts = ['', 'Ada;', 'Ada,', 'Ada\t', 'Ada";"', 'Ada\n', 'Ada |', ';,'];
	const names = starts.flatMap((start) => before.map((each) => start + each + call));
	expect(formulasIn(names.map((name) => result({ name })))).toEqual([]);
});

test('no text becomes a formula, whatever the separator with which it is read', () => {
	const text = fc.string({
		unit: fc.constantFrom(...'=+-@＝＠aÄ1 ,;\t\n\r"\'|\u0000\u200b'),
		maxLength: 12,
	});
	const property = fc.property(text, text, text, (phone, name, reason) => {
		expect(formulasIn([result({ phone, name, reason }), result({ name })])).toEqual([]);
	});
	fc.assert(property, { seed: 1, numRuns: 200 });
});

test.each(SEPARATORS)('has the separator of the uploaded file: %j', (separator) => {
	const file = fileOf([result({ name: 'Ada; Lovelace, "Countess"\tof' })], separator);
	expect(read(file, separator)).toEqual([
		['row', 'phone', 'name', 'result', 'reason'],
		['2', '1', 'Ada; Lovelace, "Countess"\tof', 'sent', ''],
		[''],
	]);
});

test('changes nothing but the start of what could be a formula', () => {
	const name = 'Jean-Luc, 9 - 10, ada@example.com, 1+1=2';
	const [, row] = read(fileOf([result({ phone: '+44 7700 900123', name })], ';'), ';');
	expect(row).toEqual(['2', "'+44 7700 900123", name, 'sent', '']);
});

/** A file for office programs, by its format or its name. */
const TABLE = /(csv|tsv|xlsx?|ods)$/;

test('no other node writes a file for office programs, except for the sample', () => {
	const sources = EXAMPLES.flatMap(({ nodes, connections }) => {
		const tables = nodes.filter(
			({ type, parameters: { operation = 'csv', options } }) =>
				type === 'n8n-nodes-base.convertToFile' &&
				[operation, (options as Fields).fileName].some((each) => TABLE.test(each as string)),
		);
		const names = tables.map(({ name }) => name);
		return Object.keys(connections).filter((from) =>
			connections[from]!.main?.flat().some(({ node }) => names.includes(node)),
		);
	});
	expect(sources).toEqual(['Sample rows', 'Cells as text']);
});
