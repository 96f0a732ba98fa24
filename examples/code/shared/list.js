// The rows of a list in a CSV file, and what is wrong with them.
const { recordsOf, separatorOf } = require('./csv.js');

/** How Excel shows a long number, and saves it in the file. */
const SHORTENED = /^[+-]?\d([.,]\d+)?E[+-]?\d+$/i;

const quoted = (list) => list.map((each) => `'${each}'`).join(', ');

/**
 * The rows with the line on which each starts, and why it cannot be sent, or a problem of the whole file. Case and spaces of the names
 * of `columns` do not matter. The file can have others, too, and a row has to have a value in those of `required`.
 */
function listIn(csv, columns, required = columns) {
	const [header, ...records] = recordsOf(csv, separatorOf(csv));
	const compact = (name) => name.replace(/\s/g, '').toLowerCase();
	const found = (header?.cells ?? []).map((name) => name.trim());
	const names = found.map((name) => columns.find((column) => column === compact(name)) ?? name);

	function problemOfFile() {
		if (records.length === 0) return 'The file has no rows';
		const missing = required.filter((column) => !names.includes(column));
		if (missing.length > 0)
			return `The file has no column ${quoted(missing)}. Its columns are ${quoted(found.filter(Boolean))}`;
		const twice = columns.filter((column) => names.indexOf(column) !== names.lastIndexOf(column));
		return twice.length > 0 ? `The file has more than one column ${quoted(twice)}` : '';
	}

	function problemOf({ cells, isOpen }, row) {
		if (isOpen) return 'A quotation mark is not closed';
		// Otherwise each cell after it would be read as that of the next column.
		if (cells.slice(names.length).some(Boolean)) {
			return `The row has ${cells.length} cells, and the header ${names.length}. Put a text that has the separator in quotation marks`;
		}
		if (SHORTENED.test(row.phone.trim())) {
			return 'Excel has shortened phone: its last digits are lost. Format the column as Number with 0 decimals in the original sheet, and save the file again';
		}
		const empty = required.filter((column) => row[column].trim() === '');
		return empty.map((column) => `${column} is empty`).join(', ');
	}

	function rowOf(record) {
		const values = names.map((name, index) => [name, record.cells[index] ?? '']);
		const row = Object.fromEntries(values.filter(([name]) => name !== ''));
		return { ...row, row: record.line, problem: problemOf(record, row) };
	}

	const problem = problemOfFile();
	return { problem, line: header?.line ?? 1, rows: problem ? [] : records.map(rowOf) };
}

/** The list of a campaign. What else its text needs, Text checks. */
const campaignList = (csv) => listIn(csv, ['phone', 'name', 'timezone'], ['phone']);

module.exports = { listIn, campaignList };
