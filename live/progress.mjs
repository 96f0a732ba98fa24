const SECONDS_BETWEEN_LINES = 15;

/** One line for a step that takes its time: what, how far, how long. Kept up to date where that is possible. */
export async function step(what, work, howFar = () => '') {
	const startedAt = Date.now();
	const line = () =>
		[`  ${what}`, howFar(), lasting(Date.now() - startedAt)].filter(Boolean).join(' · ');
	const inPlace = process.stdout.isTTY;
	const show = () => process.stdout.write(inPlace ? `\r\x1b[2K${line()}` : `${line()}\n`);

	show();
	const clock = setInterval(show, inPlace ? 500 : SECONDS_BETWEEN_LINES * 1000);
	try {
		return await work();
	} finally {
		clearInterval(clock);
		show();
		if (inPlace) process.stdout.write('\n');
	}
}

function lasting(milliseconds) {
	const seconds = Math.round(milliseconds / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
