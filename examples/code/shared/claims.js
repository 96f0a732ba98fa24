// Which rows a run holds, and how long. A claim is a lease of five minutes.
const CLAIM_MINUTES = 5;

/** A row is sent only so soon after its claim that the batch ends long before the claim does. */
const MAX_AGE_SECONDS = 30;

const numberOf = (row) => row.number || '';

const secondsSince = (time) => ($now.toMillis() - Date.parse(time)) / 1000;

/** Whether the run that holds it has lost its claim. */
const isCrashed = ({ updatedAt }) => secondsSince(updatedAt) > CLAIM_MINUTES * 60;

/** Without the clock of the database: a time of the future is another clock's. */
function isFresh(time) {
	const seconds = secondsSince(time);
	return seconds >= 0 && seconds < MAX_AGE_SECONDS;
}

const isTooOld = ({ updatedAt }) => secondsSince(updatedAt) >= MAX_AGE_SECONDS;

module.exports = { numberOf, isCrashed, isTooOld, isFresh, secondsSince };
