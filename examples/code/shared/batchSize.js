// How many rows a batch has, by how fast the gateway was.
const { isLimit } = require('./afterSend.js');

const MAX_ROWS = 20;
const BATCH_SECONDS = 45;

/** So many batches of a run, before the last one, are remembered. */
const TRIED_LATELY = 8;

/** Whether one of the last batches of this run, with more rows, took too long or could not send all of them. */
const wasTooLarge = (rows, earlier) =>
	earlier
		.slice(-TRIED_LATELY)
		.some((batch) => batch.rows > rows && (batch.isFailed || batch.seconds > BATCH_SECONDS));

/**
 * How many rows the next batch has. A claim lasts five minutes, so a batch is so small that it takes 45 seconds if the gateway is
 * as fast as it was, and at most four times as large as the last one. A gateway that needs long for a message may send many at once: so
 * one row more is tried now and then. After a row that has to be sent again, it is a single row. If nothing was sent, this run sends
 * nothing more for the number, except at a rate limit: Send waits for it. A test counts as sent.
 */
function sizeAfter({ rows, seconds, isFailed, isStopped }, earlier) {
	if (isFailed) return isStopped ? 0 : 1;
	const next = Math.min(4 * rows, MAX_ROWS, Math.floor((rows * BATCH_SECONDS) / seconds));
	const isStuck = next <= rows && rows < MAX_ROWS && seconds <= BATCH_SECONDS;
	return isStuck && !wasTooLarge(rows, earlier) ? rows + 1 : Math.max(1, next);
}

/** How a batch went. `outputs` are those of Send, and `again` is how many of its rows have to be sent again. */
const batchOf = (rows, seconds, outputs, again) => ({
	...{ rows, seconds: Math.max(1, seconds), isFailed: again > 0 },
	isStopped: again === rows && !outputs.some(({ json }) => isLimit(json.details)),
});

module.exports = { sizeAfter, batchOf };
