// Which numbers this run must not send for. Without an item, the run ends, and the next one goes on.
const { numberOf, isCrashed } = require('./shared/claims.js');
const { rowsOf } = require('./shared/tables.js');

/** n8n keeps the data of all batches of a run in memory. */
const MAX_BATCHES = 40;

if ($runIndex >= MAX_BATCHES) return [];
const { sizes = {} } = $('Results').isExecuted ? $('Results').first().json : {};
const stopped = Object.keys(sizes).filter((number) => sizes[number] === 0);
const held = rowsOf($('Held rows').all())
	.filter((row) => !isCrashed(row))
	.map(numberOf);
return [{ json: { held, skipped: [...new Set([...held, ...stopped])] } }];
