import { existsSync } from 'node:fs';

import { installPackages, mayInstallPackages } from './debian.mjs';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'];
const CHROME = [
	'/usr/bin/google-chrome',
	'/opt/google/chrome/chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
	'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

/** The path of a browser for the tests: Chromium, installed where that is ours to do, else a Chrome. */
export function findChromium() {
	const found = CHROMIUM.find(existsSync);
	if (found) return found;
	if (mayInstallPackages()) return installed();
	const chrome = CHROME.find(existsSync);
	if (chrome) return chrome;
	console.error(
		'The browser tests need Chromium or Chrome. Debian: sudo apt-get install chromium. Others: install Google Chrome.',
	);
	process.exit(1);
}

function installed() {
	if (installPackages('Chromium', 'chromium')) return CHROMIUM[0];
	console.error(
		'apt-get could not install Chromium; above is why. Put that right, or install it by hand.',
	);
	process.exit(1);
}
