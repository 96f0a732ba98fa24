// One item per line of the alert: what needs a person and was in no alert before, without recipients and texts. What was in one is
// kept in the memory of the workflow, because full data tables cannot store it. n8n saves this memory for published workflows only.
const { NO_VALUE } = require('./shared/missing.js');
const { isStuck } = require('./shared/rows.js');
const { rowsOf } = require('./shared/tables.js');
const { timeOf } = require('./shared/times.js');

const WHAT = {
	unknown: 'may have been sent or not',
	pending: 'still waits to be sent',
	expired: 'was not sent in time',
	deferred: 'waits in the gateway until the session is online',
};
const found = (node) => rowsOf($(node).all());

// It changes no row, so it outputs nothing, except after an error: then n8n's Data Table node outputs its input.
const cannotStore = $('Room left?').all().length > 0;
const [due] = found('Oldest due row');
const standsStill = due !== undefined && found('Sent lately').length === 0;
const stuck = found('Released rows').some(isStuck);
// A person who pauses a campaign gives no reason.
const paused = found('Paused campaigns').filter(({ reason }) => reason);
const rows = [
	...['Unknown rows', 'Old pending rows', 'Old rows with a time', 'Expired rows'],
	'Old deferred rows',
].flatMap(found);

const lines = [
	cannotStore &&
		'The data tables are full or cannot be changed, so nothing is stored or sent. Delete rows, or raise N8N_DATA_TABLES_MAX_SIZE_BYTES',
	standsStill &&
		`The outbox stands still: row ${due.id} has been due since ${timeOf(due.nextAttemptAt)}, and nothing has been sent in the last hour. Check the executions of “11. Outbox: send stored requests”`,
	stuck &&
		'The outbox makes no progress: rows were released three times or more without an attempt. Their reason says why. Check the executions of “11. Outbox: send stored requests”',
	...paused.map(
		({ name, updatedAt, reason }) =>
			`The campaign '${name}' has paused itself, since ${timeOf(updatedAt)}. ${reason}`,
	),
	...rows.map(
		({ id, status, createdAt, sendAt }) =>
			`Row ${id} ${WHAT[status]}, since ${timeOf(sendAt ?? createdAt)}`,
	),
]
	.filter(Boolean)
	// A campaign can have any name, and the alert leaves also if that looks like a missing value.
	.map((line) => line.split(NO_VALUE).join('…'));

const memory = $getWorkflowStaticData('global');
const alerted = (memory.alerted ?? []).filter((line) => lines.includes(line));
// What is over can be in an alert again.
memory.alerted = alerted;
return lines.filter((line) => !alerted.includes(line)).map((line) => ({ json: { line } }));
