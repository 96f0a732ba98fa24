// Chooses the rows that this run claims next: the oldest ones of one number. One update claims them all, so they are what lies between
// two IDs. Without rows, the run ends.
const { numberOf } = require('./shared/claims.js');
const { rowsOf } = require('./shared/tables.js');

/** Neither Pause nor an opt-out reaches what is being sent, so a batch has only what the pace sends in this time. */
const PACE_SECONDS = 15;

/** Without a pace, as many as the gateway can take. */
const atPace = (perMinute) =>
	perMinute > 0 ? Math.max(1, Math.floor((perMinute * PACE_SECONDS) / 60)) : Infinity;

/** Two spellings of a number end in the same digits. Messages to one chat are sent one after the other, which takes longer. */
const chatOf = ({ recipient }) => String(recipient).replace(/\D/g, '').slice(-7) || recipient;

/** The rows before the first one to a chat that is in the batch already. A row with the same ID as another one is not sent. */
function chosenOf(rows, most) {
	const chats = new Map();
	const chosen = [];
	for (const row of rows) {
		const other = chats.get(chatOf(row));
		const isRepeated = other && row.requestId && row.requestId === other.requestId;
		if (!isRepeated && (other || chats.size === most)) break;
		if (!other) chats.set(chatOf(row), row);
		chosen.push(row);
	}
	return chosen;
}

function nextBatch() {
	const orders = rowsOf($('Oldest pending').all());
	const due = orders.length > 0 ? orders : rowsOf($('Oldest of campaigns').all());
	const { skipped } = $(orders.length > 0 ? 'Next batch' : 'Skipped numbers').first().json;
	const first = due.find((row) => !skipped.includes(numberOf(row)));
	if (first === undefined) return [];
	const number = numberOf(first);
	const campaign = first.campaign || '';
	const { sizes = {} } = $('Results').isExecuted ? $('Results').first().json : {};
	// The first batch of a number is one row, which shows how fast its gateway is.
	const most = sizes[number] ?? 1;
	const { messagesPerMinute } = $('Settings').first().json;
	const mostSent = campaign ? Math.min(most, atPace(messagesPerMinute)) : most;
	const same = due.filter((row) => numberOf(row) === number && (row.campaign || '') === campaign);
	// Rules decides which rows of a campaign wait, and releases those that are too many to be sent in one batch.
	const rows = chosenOf(same, campaign ? same.length : mostSent);
	const ids = rows.map(({ id }) => id);
	const keyName = campaign ? 'person' : 'requestId';
	return [
		{
			...{ number, campaign, mostSent, ids, fromId: ids[0], toId: ids.at(-1), keyName },
			...{ keys: rows.map((row) => row[keyName]), tokens: rows.map(({ token }) => token) },
			day: $now.toISODate(),
		},
	];
}

return nextBatch().map((json) => ({ json }));
