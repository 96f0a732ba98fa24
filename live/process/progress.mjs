const SECONDS_BETWEEN_LINES = 15;

/**
 * Prints one line while a long step runs: its title, its progress and the time it has taken. A terminal updates the line.
 * @template Result
 * @param {string} title
 * @param {() => Promise<Result>} work
 * @param {() => string} progress
 */
export async function step(title, work, progress = () => '') {
	const startedAt = Date.now();
	const line = () =>
		[`  ${title}`, progress(), formatDuration(Date.now() - startedAt)].filter(Boolean).join(' · ');
	const isTerminal = process.stdout.isTTY;
	const print = () => process.stdout.write(isTerminal ? `\r\x1b[2K${line()}` : `${line()}\n`);

	print();
	const timer = setInterval(print, isTerminal ? 500 : SECONDS_BETWEEN_LINES * 1000);
	try {
		return await work();
	} finally {
		clearInterval(timer);
		print();
		if (isTerminal) process.stdout.write('\n');
	}
}

/** @param {number} milliseconds */
function formatDuration(milliseconds) {
	const seconds = Math.round(milliseconds / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
