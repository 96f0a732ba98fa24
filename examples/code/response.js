// What became of the request, by the row as it is now. n8n also leads a change that failed to the first output.
const { responseTo } = require('./shared/requestResponse.js');
const { rowsOf } = require('./shared/tables.js');

const decided = $('Decide').first().json;
const [row] = $('Row now').isExecuted ? rowsOf($('Row now').all()) : [decided];
return [{ json: responseTo(decided, row) }];
