// Which rows of the list get no message, and why. Nothing of the rows themselves: so there is nothing to forget, and nothing that a
// stranger has written. Their run is that of the draft, which has none if no row is valid.
const run = $('Check').all(0).length > 0 ? $execution.id : '-';

/** Which row of the list it was. `pairedItem` of an input item would be its own index. */
const indexOf = ({ pairedItem }) => pairedItem?.item ?? pairedItem?.[0]?.item ?? pairedItem;
const uploaded = $('Uploaded rows').isExecuted ? $('Uploaded rows').all() : [];
const rowOf = (index) => uploaded[index]?.json.row ?? index + 1;

/** The error quotes the value, and ends with it, or with a reason, in which `': ` never is. */
const WHY = /^'Chat ID' cannot be (?:'.*'|the number \S+): (.*[^'])$/s;
const NUMBERS = /\+\d+/g;

/** Text has the reason of a text. An error that is not about the recipient is about a setting. */
function reasonOf({ reason, error }) {
	if (reason) return reason;
	const problem = String(error).replace(/ \[item \d+\]$/, '');
	if (!problem.startsWith("'Chat ID'")) return problem;
	const [, why] = WHY.exec(problem) ?? [];
	return why ? `The number is invalid: ${why.replace(NUMBERS, '…')}` : 'The number is invalid';
}

return $('Check')
	.all(1)
	.map((item, index) => ({
		json: { row: rowOf(indexOf(item)), reason: reasonOf(item.json), run },
		pairedItem: { item: index },
	}));
