// Chooses the rows that this run claims next: the oldest ones of one number that no run is sending. Without rows, the run ends.

/** Then the next run goes on, because n8n keeps the data of all batches of a run in memory. */
const MAX_BATCHES = 40;

const rowsOf = (items) => items.map(({ json }) => json).filter(({ id }) => id !== undefined);
const numberOf = (row) => row.number || '';

/** Two spellings of a number end in the same digits. Messages to one chat are sent one after the other, which takes longer. */
const chatOf = ({ recipient }) => String(recipient).replace(/\D/g, '').slice(-7) || recipient;

function nextBatch() {
	const held = rowsOf($('Held rows').all());
	// Another branch of this run has yet to write the results of its rows.
	if (held.some(({ claimedBy }) => claimedBy === $execution.id)) return [];
	const last = $('Results').isExecuted ? $('Results').first().json : {};
	const isFree = (row) =>
		!held.some((other) => numberOf(other) === numberOf(row)) &&
		!(last.number === numberOf(row) && last.nextBatch === 0);

	const due = rowsOf($('Oldest pending').all());
	if ($('Campaign message due?').isExecuted) {
		// Rows that belong to no number of Settings: Rules says why they are not sent.
		const numbers = $('Numbers').all();
		const isListed = (row) => numbers.some(({ json }) => json.number === row.number);
		const unlisted = rowsOf($('Campaign message due?').all()).filter((row) => !isListed(row));
		due.push(...rowsOf($('Oldest of campaigns').all()), ...unlisted);
	}
	const first = due.find(isFree);
	const chats = new Map();
	for (const row of due) {
		if (first === undefined || numberOf(row) !== numberOf(first)) continue;
		if (!row.campaign === !first.campaign && !chats.has(chatOf(row))) chats.set(chatOf(row), row);
	}
	// The first batch of a number is one row, which shows how fast its gateway is.
	const size = first && last.number === numberOf(first) ? last.nextBatch : 1;
	return [...chats.values()].slice(0, size);
}

if ($runIndex >= MAX_BATCHES) return [];
return nextBatch().map((json) => ({ json }));
