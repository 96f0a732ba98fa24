// Which rows of the list get no message, and why. Nothing of the rows themselves: so there is nothing to forget, and nothing that a
// stranger has written. Their run is that of the draft, which has none if no row is valid.
const run = $('Check').all(0).length > 0 ? $execution.id : '-';

/** Which row of the list it was. `pairedItem` of an input item would be its own index. */
const rowOf = ({ pairedItem }) => (pairedItem?.item ?? pairedItem?.[0]?.item ?? pairedItem) + 1;

/** Text has the reason of a text. An error that is not about the recipient is about a setting. */
function reasonOf({ reason, error }) {
	if (reason) return reason;
	if (/^'Chat ID'/.test(error)) return 'The number is invalid';
	return String(error).replace(/ \[item \d+\]/, '');
}

return $('Check')
	.all(1)
	.map((item, index) => ({
		json: { row: rowOf(item), reason: reasonOf(item.json), run },
		pairedItem: { item: index },
	}));
