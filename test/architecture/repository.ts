import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(__dirname, '../..');

/** The files that git tracks or would track, as they are in the working tree. */
export const files = execFileSync(
	'git',
	['ls-files', '--cached', '--others', '--exclude-standard'],
	{ cwd: root, encoding: 'utf8' },
)
	.split('\n')
	.filter((path) => path && existsSync(join(root, path)));

export const read = (path: string) => readFileSync(join(root, path), 'utf8');

export const documents = files.filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md');

/** As GitHub makes them from the text of each heading. */
export const anchorsOf = (document: string) =>
	[...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
		heading!
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.replace(/\s/g, '-'),
	);
