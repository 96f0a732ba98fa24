import { existsSync } from 'node:fs';

import { installPackages, mayInstallPackages } from './debian.mjs';

const CHROMIUM = '/usr/bin/chromium';
const CHROME = [
	'/usr/bin/google-chrome',
	'/opt/google/chrome/chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
	'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

/** The path of Chromium, installed first on a Debian machine that this process may change, or else of Chrome. */
export function findChromium() {
	const chromium = [CHROMIUM, '/usr/bin/chromium-browser'].find((path) => existsSync(path));
	if (chromium) return chromium;
	if (mayInstallPackages()) {
		if (installPackages('Chromium', 'chromium')) return CHROMIUM;
		fail('apt-get could not install Chromium. Fix the error above, or install Chromium yourself.');
	}
	const chrome = CHROME.find((path) => existsSync(path));
	if (chrome) return chrome;
	fail(
		'The browser tests require Chromium or Chrome. On Debian, run sudo apt-get install chromium. Elsewhere, install Google Chrome.',
	);
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
	console.error(message);
	process.exit(1);
}
