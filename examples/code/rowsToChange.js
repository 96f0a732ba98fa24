// The rows of the outbox that are about this person, and what happens to each. A row that is being sent has to wait until it is sent.
const { FINISHED } = require('./shared/states.js');
const { rowsOf } = require('./shared/tables.js');
const { plain } = require('./shared/texts.js');

const ACTIONS = ['Show what is stored', 'Stop messages', 'Allow messages', 'Forget'];

const { identity, input } = $('Check').first().json;
const action = ACTIONS.find((each) => plain(each) === plain(input.action));
if (action === undefined)
	throw new Error(`'action' is '${input.action}'. Use one of: ${ACTIONS.join(', ')}.`);

function stepOf({ status }) {
	if (action !== 'Forget') return 'keep';
	return status === 'sending' ? 'wait' : 'change';
}

/** A row without the person stays for the daily cap and the report of its campaign, but is not sent any more. */
function statusAfter({ status, sentAt }) {
	if (FINISHED.includes(status)) return status;
	return sentAt ? 'unknown' : 'stopped';
}

// Rows of campaigns have the identity. The others have the number as it was entered: Check has read each of them.
const spellings = new Set(
	$input
		.all()
		.filter(({ json }) => json.identity === identity)
		.map(({ json }) => json.input.recipient),
);
const rows = [
	...rowsOf($('With identity').all()),
	...rowsOf($('Without identity').all()).filter(({ recipient }) => spellings.has(recipient)),
];

const run = $runIndex;
if (rows.length === 0) return [{ json: { run, step: 'none' } }];
return rows.map((row) => {
	const { id, status, campaign, createdAt, text } = row;
	return {
		json: {
			run,
			id,
			step: stepOf(row),
			status,
			statusAfter: statusAfter(row),
			campaign,
			createdAt,
			text,
		},
	};
});
