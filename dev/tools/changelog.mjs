const UNRELEASED = '## [Unreleased]\n';
const RELEASED = /^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/m;

/**
 * The text of the 'Unreleased' section.
 * @param {string} changelog
 */
export function unreleased(changelog) {
	const [, after] = changelog.split(UNRELEASED);
	return after?.split(/^## /m)[0]?.trim();
}

/**
 * The latest version that has a date.
 * @param {string} changelog
 */
export function newestRelease(changelog) {
	return RELEASED.exec(changelog)?.[1];
}

/**
 * @param {string} changelog
 * @param {string} version
 * @param {string} date
 */
export function release(changelog, version, date) {
	return changelog.replace(UNRELEASED, `${UNRELEASED}\n## [${version}] - ${date}\n`);
}
