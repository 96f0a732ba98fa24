// `npm start`: a real n8n with this node, and the sandbox with its phone page. Runs before anything is installed.
import { requireNode } from '../tools/install.mjs';
import { UserError } from '../tools/userError.mjs';
import { lastPorts, runningIn, startRegularMode } from './modes/regularMode.mjs';
import { packageIn } from './n8n/communityPackage.mjs';
import { untilFree } from './process/freePort.mjs';
import { stopAll } from './process/launch.mjs';
import { planSteps } from './process/progress.mjs';
import {
	afterCrash,
	alreadyRunning,
	announcement,
	errorMessage,
	help,
	summary,
	unknownArgument,
} from './texts.mjs';
import { installAll, missingSteps } from './workspace/install.mjs';
import { acquireLock } from './workspace/lock.mjs';
import { defaultHome } from './workspace/paths.mjs';
import { makePrivate } from './workspace/privateFolder.mjs';
import { markRunning, markStopped } from './workspace/runMarker.mjs';

let isStarted = false;
let isStopping = false;

requireNode();
const [argument] = process.argv.slice(2);
if (argument === undefined) {
	stopOnSignals();
	try {
		await start();
	} catch (error) {
		if (!isStopping) await fail(/** @type {Error} */ (error));
	}
} else if (argument === '--help' || argument === '-h') {
	console.log(help());
} else {
	console.error(unknownArgument(argument));
	process.exitCode = 1;
}

async function start() {
	if (!acquireLock(defaultHome)) {
		throw new UserError(alreadyRunning(runningIn(defaultHome)));
	}
	makePrivate(defaultHome);
	const missing = missingSteps();
	/** @type {import('./process/progress.mjs').Step[]} */
	const steps = [...missing, 'start', 'examples'];
	if (!packageIn(defaultHome).isCurrent) steps.splice(missing.length, 0, 'build');
	planSteps(steps);
	console.log(announcement(steps));
	await installAll();
	if (markRunning(defaultHome)) {
		console.log(afterCrash);
		const { n8n, sandbox } = lastPorts(defaultHome) ?? {};
		// Its programs end when they notice, which takes n8n some seconds. Two n8n must not use the same database.
		for (const port of [n8n, sandbox]) if (port) await untilFree(port);
	}
	isStarted = true;
	const live = await startRegularMode({ home: defaultHome });
	console.log(summary(live));
	throw new UserError(await live.exited);
}

/** @param {Error} error */
async function fail(error) {
	await stopPrograms();
	console.error(`\n${errorMessage(error)}\n`);
	process.exit(1);
}

async function stopPrograms() {
	await stopAll();
	if (isStarted) markStopped(defaultHome);
}

function stopOnSignals() {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		process.on(signal, () => void stop());
	}
}

async function stop() {
	if (isStopping) return;
	isStopping = true;
	console.log('\n  Stopping …');
	await stopPrograms();
	console.log('  Stopped.');
	process.exit(0);
}
