// One item per row of the file, with the line on which it starts, and why it cannot be sent. A problem of the whole file is one item.
const { listIn } = require('./shared/list.js');

/** The file can have others, too. */
const COLUMNS = ['phone', 'name', 'appointment'];

const { problem, line, rows } = listIn($('Text of the file').first().json.csv, COLUMNS);
if (!problem) return rows.map((json) => ({ json }));
return [{ json: { row: line, phone: '', name: '', problem, isWholeFile: true } }];
