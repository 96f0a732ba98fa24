// One item per row that needs a person, with what the alert says about it: no numbers and no texts.
const { timeOf } = require('./shared/times.js');

const WHAT = {
	unknown: 'may have been sent or not',
	pending: 'still waits to be sent',
	deferred: 'waits in the gateway until the session is online',
};

// A table without such rows outputs an empty item.
const rows = ['Unknown rows', 'Old pending rows', 'Old deferred rows']
	.flatMap((node) => $(node).all())
	.filter(({ json }) => json.id !== undefined);
return rows.map(({ json: { id, status, createdAt } }) => ({
	json: {
		row: id,
		status,
		line: `Row ${id} ${WHAT[status]}, since ${timeOf(createdAt)}`,
	},
}));
