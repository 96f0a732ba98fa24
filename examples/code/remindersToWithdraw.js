// The waiting reminders of an appointment that the recipient does not come to: nothing is sent any more.
const { rowsOf } = require('./shared/tables.js');

const { id, asked } = $('Decide answer').first().json;
const isStored = Number.isInteger($('Store answer').first().json.id);
const isOff = isStored && ['cancel', 'another time'].includes(asked);
return rowsOf($input.all())
	.filter(({ requestId }) => isOff && requestId.startsWith(`appointment ${id} `))
	.map((row) => ({ json: { id: row.id } }));
