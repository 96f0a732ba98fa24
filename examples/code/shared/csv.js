// CSV files as office programs write them: cells in quotation marks can contain separators, line breaks and doubled quotation marks.

/**
 * The next cell, by separator: what is in quotation marks, the mark that closes them, what follows, and how the cell ends. The first
 * separator wins if the header does not decide. Excel writes semicolons where the comma is the decimal separator.
 */
const CELLS = {
	',': /(?:"([^"]*(?:""[^"]*)*)("|$))?([^,\r\n]*)(,|\r\n|\r|\n|$)/y,
	';': /(?:"([^"]*(?:""[^"]*)*)("|$))?([^;\r\n]*)(;|\r\n|\r|\n|$)/y,
	'\t': /(?:"([^"]*(?:""[^"]*)*)("|$))?([^\t\r\n]*)(\t|\r\n|\r|\n|$)/y,
};
const LINE_BREAK = /\r\n|\r|\n/g;

/** The records of a text that are not empty: their cells, and the line on which they start. */
function* recordsOf(text, separator) {
	const cell = CELLS[separator];
	cell.lastIndex = text.startsWith('\ufeff') ? 1 : 0;
	let line = 1;
	let record = { line, cells: [], isOpen: false };
	while (cell.lastIndex < text.length || record.cells.length > 0) {
		const [all, quoted, closing, plain, end] = cell.exec(text);
		record.cells.push((quoted ?? '').replaceAll('""', '"') + plain);
		record.isOpen ||= closing === '';
		line += all.match(LINE_BREAK)?.length ?? 0;
		if (end === separator) continue;
		if (record.cells.join('') !== '' || record.cells.length > 1) yield record;
		record = { line, cells: [], isOpen: false };
	}
}

/** The one that gives the first record the most cells. */
function separatorOf(text) {
	const cellsWith = (separator) => recordsOf(text, separator).next().value?.cells.length ?? 0;
	return Object.keys(CELLS).reduce((best, each) =>
		cellsWith(each) > cellsWith(best) ? each : best,
	);
}

const withQuotes = (cell) =>
	/[",;\t\r\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell);

/** Records of cells as a text. */
const csvOf = (records, separator) =>
	records.map((cells) => `${cells.map(withQuotes).join(separator)}\n`).join('');

module.exports = { recordsOf, separatorOf, csvOf };
