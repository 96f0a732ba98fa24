import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const RELEASE = '/etc/os-release';

/** Whether to install packages is ours to decide: on Debian, as root, which is how CI runs. */
export function mayInstallPackages() {
	return isDebian() && process.getuid() === 0;
}

/** Whether they are there now. What apt-get has to say about it goes to the terminal. */
export function installPackages(what, ...packages) {
	console.log(`Installing ${what} with apt-get, a minute or two …`);
	aptGet('update');
	return aptGet('install', '--yes', '--no-install-recommends', ...packages);
}

function isDebian() {
	return existsSync(RELEASE) && /^ID=debian$/m.test(readFileSync(RELEASE, 'utf8'));
}

function aptGet(...args) {
	const { status } = spawnSync('apt-get', ['-qq', ...args], {
		stdio: ['ignore', 'ignore', 'inherit'],
		env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
	});
	return status === 0;
}
