import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const RELEASE = '/etc/os-release';

/** True on Debian as root, as in CI. Elsewhere the user decides what to install. */
export function mayInstallPackages() {
	return isDebian() && process.getuid?.() === 0;
}

/**
 * Returns whether the installation succeeded. apt-get prints its errors to the terminal.
 * @param {string} title
 * @param {...string} packages
 */
export function installPackages(title, ...packages) {
	console.log(`Installing ${title} with apt-get (1–2 minutes) …`);
	aptGet('update');
	return aptGet('install', '--yes', '--no-install-recommends', ...packages);
}

function isDebian() {
	return existsSync(RELEASE) && /^ID=debian$/m.test(readFileSync(RELEASE, 'utf8'));
}

/** @param {...string} args */
function aptGet(...args) {
	const { status } = spawnSync('apt-get', ['-qq', ...args], {
		stdio: ['ignore', 'ignore', 'inherit'],
		env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
	});
	return status === 0;
}
