// What each row of the batch becomes after Send, or because its claim was too old to send it. One statement writes all of them.
const { afterSend, unsent } = require('./shared/afterSend.js');
const { batchOf, sizeAfter } = require('./shared/batchSize.js');
const { secondsSince } = require('./shared/claims.js');
const { releasedBecause } = require('./shared/rows.js');

const items = $input.all();
const rows = items.map(({ json }, index) => {
	const row = $('Fresh?').itemMatching(index).json;
	const isSent = json.outcome !== undefined || json.error !== undefined;
	const result = isSent
		? afterSend(row, json)
		: unsent(row, releasedBecause(row, 'n8n was too slow'));
	return {
		id: row.id,
		...result,
		isAgain: result.status === 'pending' && json.outcome === undefined,
	};
});
const { claimedBy, askedAt } = $('Claim').first().json;
const again = rows.filter(({ isAgain }) => isAgain).length;
const batch = batchOf(rows.length, secondsSince(askedAt), items, again);
const earlier = Array.from({ length: $runIndex }, (_, run) => $('Outcomes').all(0, run)[0]);
const size = sizeAfter(
	batch,
	earlier.map(({ json }) => json.batch),
);
return [{ json: { claimedBy, batch, size, rows: JSON.stringify(rows) } }];
