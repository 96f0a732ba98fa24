/** The report of example 4 as a file: no program that opens it takes a cell for a formula. */
import fc from 'fast-check';

import { EXAMPLES, type Fields, runCode } from '../harness/exampleCode';

const HEADER = ['phone', 'name', 'appointment'];
const SEPARATORS = [',', ';', '\t'];

/** `report.csv`, if the uploaded file had this separator. */
function fileOf(rows: Fields[], separator: string): string {
	const nodes = { 'Text of the file': [{ csv: `${HEADER.join(separator)}\n` }] };
	const input = rows.map((fields) => ({
		...{ row: 2, phone: '1', name: '', result: 'sent', reason: '', ...fields },
	}));
	return runCode('Cells as text', { nodes, input })[0]!.csv as string;
}

/**
 * A cell that is a formula, whatever the separator with which the file is read, and with or without quotation marks. Some programs leave
 * out spaces, quotation marks, control characters and invisible ones before a cell.
 */
const FORMULA = /(?<=^|[\r\n,;\t"])[\s\p{C}"]*[=+\-@＝＋－＠].{0,9}/gu;
const formulasIn = (rows: Fields[]) =>
	SEPARATORS.flatMap((separator) => fileOf(rows, separator).match(FORMULA) ?? []);

test.each(['=', '+', '-', '@', '＝', '＋', '－', '＠'])('a cell with %s is no formula', (sign) => {
	const before = ['', ' ', '\t', '\n', '\r\n', '\u0000', '\u00a0', '\u200b', '"', '""', '\u0000 "'];
	const starts = ['', 'Ada;', 'Ada,', 'Ada\t', 'Ada";"', 'Ada\n', 'Ada |', ';,'];
	const names = starts.flatMap((start) =>
		before.map((each) => `${start}${each}${sign}cmd|'/C calc'!A0`),
	);
	expect(formulasIn(names.map((name) => ({ name })))).toEqual([]);
});

test('no text becomes a formula', () => {
	const unit = fc.constantFrom(...'=+-@＝＠aÄ1 ,;\t\n\r"\'|\u0000\u200b');
	const text = fc.string({ unit, maxLength: 12 });
	const property = fc.property(text, text, text, (phone, name, reason) => {
		expect(formulasIn([{ phone, name, reason }, { name }])).toEqual([]);
	});
	fc.assert(property, { seed: 1, numRuns: 200 });
});

test.each(SEPARATORS)('has the separator of the uploaded file: %j', (separator) => {
	const name = 'Jean-Luc; "Countess"\tof, 9 - 10, ada@example.com, 1+1=2';
	const [header, row] = fileOf([{ phone: '+44 7700 900123', name }], separator).split('\n');
	expect(header).toBe(['row', 'phone', 'name', 'result', 'reason'].join(separator));
	const quoted = `"${name.replaceAll('"', '""')}"`;
	expect(row).toBe(['2', "'+44 7700 900123", quoted, 'sent', ''].join(separator));
});

test('no other node writes a file for office programs, except for the sample', () => {
	const tables = EXAMPLES.flatMap(({ nodes }) => nodes).filter(
		({ type, parameters: { operation = 'csv', options } }) =>
			type === 'n8n-nodes-base.convertToFile' &&
			[operation, (options as Fields).fileName].some((each) =>
				/(csv|tsv|xlsx?|ods)$/.test(each as string),
			),
	);
	expect(tables.map(({ name }) => name)).toEqual(['Sample file', 'Report as CSV']);
});
