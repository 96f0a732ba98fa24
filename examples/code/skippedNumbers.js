// The numbers whose campaigns wait: another run sends for them, nothing is known about their session, or it is offline. The first batch
// of a run also reads rows of numbers that are offline, so that each row gets its reason without delaying those of other numbers.
const { held, skipped } = $('Next batch').first().json;
const sessions = $('Session status').all();
const canMove =
	$('Settings').first().json.whenOffline !== 'wait' && sessions.some(({ json }) => json.online);

function isSkipped(number, online) {
	if (held.includes(number)) return true;
	if (typeof online !== 'boolean') return !canMove;
	return online ? skipped.includes(number) : $runIndex > 0 && !canMove;
}

const numbers = $('Numbers').all();
const waiting = numbers
	.map(({ json }) => json.number)
	.filter((number, index) => isSkipped(number, sessions[index].json.online));
return [{ json: { skipped: waiting } }];
