const UNRELEASED = '## [Unreleased]\n';
const RELEASED = /^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/m;

/** What waits for a release: the text below that heading. */
export function unreleased(changelog) {
	const [, after] = changelog.split(UNRELEASED);
	return after?.split(/^## /m)[0].trim();
}

/** The newest version that has a date. */
export function newestRelease(changelog) {
	return RELEASED.exec(changelog)?.[1];
}

export function release(changelog, version, date) {
	return changelog.replace(UNRELEASED, `${UNRELEASED}\n## [${version}] - ${date}\n`);
}
