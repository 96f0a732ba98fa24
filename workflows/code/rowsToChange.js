// The rows of the outbox that are about this person, and what happens to each. A row that is being sent has to wait until it is sent.
const ACTIONS = ['Show what is stored', 'Stop messages', 'Allow messages', 'Forget'];
const FINISHED = ['sent', 'deferred', 'failed', 'unknown', 'opted out', 'stopped'];

const plain = (text) => String(text).trim().toLowerCase();
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
	...$('With identity').all(),
	...$('Without identity')
		.all()
		.filter(({ json }) => spellings.has(json.recipient)),
]
	.map(({ json }) => json)
	.filter(({ id }) => id !== undefined);

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
