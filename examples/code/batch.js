// Chooses the rows that this run claims next: the oldest ones of one number that no run is sending. Without rows, the run ends.

const { rowsOf } = require('./shared/tables.js');

/** Then the next run goes on, because n8n keeps the data of all batches of a run in memory. */
const MAX_BATCHES = 40;

const numberOf = (row) => row.number || '';

/** Two spellings of a number end in the same digits. Messages to one chat are sent one after the other, which takes longer. */
const chatOf = ({ recipient }) => String(recipient).replace(/\D/g, '').slice(-7) || recipient;

/** The due rows of campaigns, and whether each can only wait. Those are last. */
function dueOfCampaigns() {
	const numbers = $('Numbers')
		.all()
		.map(({ json }) => json.number);
	const sessions = $('Session status').all();
	const isOnline = (row) => sessions[numbers.indexOf(numberOf(row))]?.json.online === true;
	// Rows that belong to no number of Settings: Rules says why they are not sent.
	const unlisted = rowsOf($('Campaign message due?').all()).filter(
		({ number }) => !numbers.includes(number),
	);
	const rows = [...rowsOf($('Oldest of campaigns').all()), ...unlisted];
	return rows.map((row) => ({ ...row, waits: !isOnline(row) })).sort((a, b) => a.waits - b.waits);
}

function nextBatch() {
	const held = rowsOf($('Held rows').all());
	// Another branch of this run has yet to write the results of its rows.
	if (held.some(({ claimedBy }) => claimedBy === $execution.id)) return [];
	const last = $('Results').isExecuted ? $('Results').first().json : {};
	const isFree = (row) =>
		!held.some((other) => numberOf(other) === numberOf(row)) &&
		(row.waits || !(last.number === numberOf(row) && last.nextBatch === 0));

	const due = rowsOf($('Oldest pending').all());
	if ($('Campaign message due?').isExecuted) due.push(...dueOfCampaigns());
	const first = due.find(isFree);
	if (first === undefined) return [];
	const chats = new Map();
	for (const row of due) {
		if (numberOf(row) !== numberOf(first)) continue;
		if (!row.campaign === !first.campaign && !chats.has(chatOf(row))) chats.set(chatOf(row), row);
	}
	// The first batch of a number is one row, which shows how fast its gateway is.
	const mostSent = last.number === numberOf(first) ? last.nextBatch : 1;
	// Rules decides which rows of a campaign wait, and releases those that are too many to be sent in one batch.
	const rows = [...chats.values()].slice(0, first.campaign ? chats.size : mostSent);
	return rows.map(({ id }) => ({ id, mostSent }));
}

if ($runIndex >= MAX_BATCHES) return [];
return nextBatch().map((json) => ({ json }));
