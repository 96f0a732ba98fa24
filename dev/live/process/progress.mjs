/** With it, every line fits into 80 columns. */
const BAR_LENGTH = 10;
const SECONDS_BETWEEN_LINES = 30;
/** Below this, the speed of this machine is not known yet. */
const MEASURED_SECONDS = 20;

/** @typedef {keyof typeof STEPS} Step */

/** How long each step takes on 2 cores. The time left is adjusted to this machine while the steps run. */
const STEPS = {
	project: { title: 'Installing the project', seconds: 30 },
	n8n: { title: 'Installing n8n', seconds: 150 },
	driver: { title: "Building n8n's database driver", seconds: 75 },
	build: { title: 'Building the node', seconds: 10 },
	start: { title: 'Starting n8n and the gateway', seconds: 15 },
	examples: { title: 'Checking the examples', seconds: 3 },
	main: { title: 'Starting the main process of n8n', seconds: 15 },
	workers: { title: 'Starting the webhook process and workers', seconds: 15 },
};

/** @type {Step[]} */
let plan = [];
let startedAt = Date.now();

/**
 * Names the steps that are going to run, in their order, so that the progress covers all of them.
 * @param {Step[]} steps
 */
export function planSteps(steps) {
	plan = steps;
}

/**
 * Shows the progress of all steps while one of them runs. A terminal updates one line.
 * @template Result
 * @param {Step} name
 * @param {() => Promise<Result>} work
 * @param {() => { done: number, total: number }} [counter] Of packages. Without one, the progress follows the time.
 */
export async function step(name, work, counter) {
	if (!plan.includes(name)) planSteps([name]);
	const stepStartedAt = Date.now();
	// Before the first step, npm start may have waited for another one.
	if (name === plan[0]) startedAt = stepStartedAt;
	const { title, seconds } = STEPS[name];
	const { isTTY, columns = 80 } = process.stdout;
	const print = (isFirst = false) => {
		const { done = 0, total = 0 } = counter?.() ?? {};
		const elapsed = (Date.now() - stepStartedAt) / 1000;
		// A step that takes longer than usual, and has counted less, is expected to take half as long again.
		const usual = elapsed / Math.max(seconds, 1.5 * elapsed);
		const fraction = Math.max(usual, done / (total || 1));
		const { percent, left, pace } = progressOf(name, fraction);
		if (isTTY) {
			const line = `  ${bar(percent)}  ${title} · ${left}`;
			process.stdout.write(`\r\x1b[2K${line.slice(0, columns - 1)}`);
		} else if (isFirst) {
			const position = `${plan.indexOf(name) + 1} of ${plan.length}`;
			console.log(`  ${position}  ${title} (${about(seconds * pace)})`);
		} else {
			console.log(`          ${percent} %, ${left}`);
		}
	};

	print(true);
	const timer = setInterval(print, isTTY ? 500 : SECONDS_BETWEEN_LINES * 1000);
	try {
		return await work();
	} catch (error) {
		// Keeps the line, which says where the error happened.
		if (isTTY) process.stdout.write('\n');
		throw error;
	} finally {
		clearInterval(timer);
		if (isTTY && name === plan.at(-1)) process.stdout.write('\r\x1b[2K');
	}
}

/** @param {Step[]} steps */
export function durationOf(steps) {
	return about(sum(steps));
}

/**
 * @param {Step} name
 * @param {number} fraction The part of this step that is done.
 */
function progressOf(name, fraction) {
	const index = plan.indexOf(name);
	const done = sum(plan.slice(0, index)) + STEPS[name].seconds * fraction;
	const remaining = sum(plan) - done;
	const elapsed = (Date.now() - startedAt) / 1000;
	const pace = elapsed < MEASURED_SECONDS ? 1 : elapsed / done;
	return {
		percent: Math.floor((100 * done) / sum(plan)),
		left: `${about(remaining * pace)} left`,
		pace,
	};
}

/** @param {Step[]} steps */
function sum(steps) {
	return steps.reduce((seconds, name) => seconds + STEPS[name].seconds, 0);
}

/** @param {number} percent */
function bar(percent) {
	const filled = Math.round((percent / 100) * BAR_LENGTH);
	const characters = '█'.repeat(filled) + '░'.repeat(BAR_LENGTH - filled);
	return `${characters} ${String(percent).padStart(3)} %`;
}

/** @param {number} seconds */
function about(seconds) {
	if (seconds > 90) return `about ${Math.round(seconds / 60)} minutes`;
	return seconds > 50 ? 'about a minute' : `about ${Math.max(1, Math.ceil(seconds / 10)) * 10} s`;
}
