// One item per row of the file, with the line on which it starts, and why it cannot be sent. A problem of the whole file is one item.
const { recordsOf, separatorOf } = require('./shared/csv.js');

/** Case and spaces of their names in the file do not matter. The file can have others, too. */
const COLUMNS = ['phone', 'name', 'appointment'];

/** How Excel shows a long number, and saves it in the file. */
const SHORTENED = /^[+-]?\d([.,]\d+)?E[+-]?\d+$/i;

const { csv } = $('Text of the file').first().json;
const [header, ...records] = recordsOf(csv, separatorOf(csv));

const plain = (name) => name.replace(/\s/g, '').toLowerCase();
const nameOf = (name) => COLUMNS.find((column) => column === plain(name)) ?? name;
const found = (header?.cells ?? []).map((name) => name.trim());
const names = found.map(nameOf);

const quoted = (list) => list.map((each) => `'${each}'`).join(', ');

function problemOfFile() {
	if (records.length === 0) return 'The file has no rows';
	const missing = COLUMNS.filter((column) => !names.includes(column));
	if (missing.length > 0)
		return `The file has no column ${quoted(missing)}. Its columns are ${quoted(found.filter(Boolean))}`;
	const twice = COLUMNS.filter((column) => names.indexOf(column) !== names.lastIndexOf(column));
	return twice.length > 0 ? `The file has more than one column ${quoted(twice)}` : '';
}

function problemOf({ cells, isOpen }, row) {
	if (isOpen) return 'A quotation mark is not closed';
	// Otherwise each cell after it would be read as that of the next column.
	if (cells.slice(names.length).some(Boolean)) {
		return `The row has ${cells.length} cells, and the header ${names.length}. Put a text that has the separator in quotation marks`;
	}
	const phone = row.phone.trim();
	if (SHORTENED.test(phone)) {
		return `Excel has shortened phone to '${phone}': its last digits are lost. Format the column as Number with 0 decimals in the original sheet, and save the file again`;
	}
	const empty = COLUMNS.filter((column) => row[column].trim() === '');
	return empty.map((column) => `${column} is empty`).join(', ');
}

function itemOf(record) {
	const values = names.map((name, index) => [name, record.cells[index] ?? '']);
	const row = Object.fromEntries(values.filter(([name]) => name !== ''));
	return { json: { ...row, row: record.line, problem: problemOf(record, row) } };
}

const problem = problemOfFile();
if (!problem) return records.map(itemOf);
return [{ json: { row: header?.line ?? 1, phone: '', name: '', problem, isWholeFile: true } }];
