// What became of the request, by the row that PostgreSQL has returned.
const { responseTo } = require('./shared/requestResponse.js');
const { isSameMessage } = require('./shared/rows.js');
const { rowsOf } = require('./shared/tables.js');

const asked = $('Check request').first().json;
const [row] = rowsOf($input.all());

function change() {
	if (asked.cancel) return row ? 'withdraw' : 'unknown';
	return row && (row.replaced || !isSameMessage(row, asked)) ? 'replace' : 'none';
}

return [{ json: responseTo({ ...asked, change: change() }, row) }];
