import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../.github/workflows');
const TARBALL = 'n8n-nodes-messaging-gateway-1.2.3.tgz';
// printf 'the tarball' | sha256sum
const SHA256 = '9444287dee246d8a40b79422081a10430102ae982462a7c7e713e729b593d2d5';

/** A workflow without its comments, and its jobs by name. */
function workflow(file: string) {
	const text = readFileSync(join(FOLDER, file), 'utf8').replace(/^\s*#.*\n/gm, '');
	const [, jobs = ''] = text.split('\njobs:\n');
	const named = jobs.split(/^(?= {2}\S)/m).map((job) => [/\w+/.exec(job)![0], job] as const);
	return { text, jobs: new Map(named) };
}

const stepsOf = (job: string) =>
	job
		.replace(/[^]*?^ {4}steps:\n/m, '')
		.split(/^ {6}- /m)
		.slice(1);
const commandOf = (step: string) =>
	/^\s*run: \|\n([^]*?)(?=^ {0,8}\S|$(?![^]))/m.exec(step)?.[1] ??
	/^\s*run: (.*)/m.exec(step)?.[1] ??
	'';

const { text, jobs } = workflow('publish.yml');
const publish = jobs.get('publish') ?? '';
const build = jobs.get('build') ?? '';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-publish-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs the step that contains a command as GitHub does on Linux. */
function runStep(job: string, contains: string, environment: Record<string, string>) {
	const step = stepsOf(job).find((candidate) => commandOf(candidate).includes(contains)) ?? '';
	return spawnSync('bash', ['-e', '-c', commandOf(step)], {
		cwd: folder,
		encoding: 'utf8',
		env: { PATH: process.env.PATH, ...environment },
	});
}

describe('the publish workflow', () => {
	test('gives the right to publish to one job only', () => {
		expect([...jobs.keys()]).toEqual(['test', 'all', 'build', 'publish', 'release']);
		expect(text).toMatch(/^permissions: \{\}$/m);
		const privileged = [...jobs].filter(([, job]) => job.includes('id-token'));
		expect(privileged.map(([name]) => name)).toEqual(['publish']);
		expect(publish).toMatch(/^ {4}permissions:\n {6}id-token: write\n {4}\w/m);
		expect(publish).toMatch(/^ {4}environment: npm$/m);
		expect(publish).toMatch(/^ {4}needs: \[test, all, build\]$/m);
		expect(build).toMatch(/^ {4}permissions:\n {6}contents: read\n {4}\w/m);
	});

	test('runs nothing of the repository or its dependencies in that job', () => {
		const [node, download, verify, upload, ...more] = stepsOf(publish);
		expect(more).toEqual([]);
		expect(node).toMatch(/^uses: actions\/setup-node@/);
		expect(download).toMatch(/^uses: actions\/download-artifact@/);
		// A malicious dependency in the build could add an .npmrc. npm would read it in the working directory.
		expect(download).toMatch(/^ {10}path: artifact$/m);
		expect(commandOf(verify ?? '')).toContain('sha256sum');
		expect(commandOf(upload ?? '').trim()).toBe(
			'npm publish --provenance --access public --ignore-scripts "./artifact/$TARBALL"',
		);
		expect(publish).not.toMatch(
			/checkout|npm (ci|install|run|test|exec)|npx|node |working-directory|\bcd\b/,
		);
		expect(build).toContain('node dev/tools/releaseDry.mjs "$GITHUB_REF_NAME"');
	});

	test('hands name and digest of the tarball from one job to the other', () => {
		writeFileSync(join(folder, TARBALL), 'the tarball');
		const output = join(folder, 'output');
		expect(runStep(build, 'sha256sum', { GITHUB_OUTPUT: output }).status).toBe(0);
		expect(readFileSync(output, 'utf8')).toBe(`tarball=${TARBALL}\nsha256=${SHA256}\n`);
		for (const name of ['tarball', 'sha256']) {
			expect(build).toContain(`      ${name}: \${{ steps.digest.outputs.${name} }}\n`);
			const variable = name.toUpperCase();
			expect(publish).toContain(`      ${variable}: \${{ needs.build.outputs.${name} }}\n`);
		}
	});

	test('publishes only the tarball that was built', () => {
		const verify = () => runStep(publish, 'sha256sum', { TARBALL, SHA256 }).status;
		expect(verify()).not.toBe(0);
		mkdirSync(join(folder, 'artifact'));
		writeFileSync(join(folder, 'artifact', TARBALL), 'another tarball');
		expect(verify()).not.toBe(0);
		writeFileSync(join(folder, 'artifact', TARBALL), 'the tarball');
		expect(verify()).toBe(0);
		expect(runStep(publish, 'sha256sum', { TARBALL, SHA256: '' }).status).not.toBe(0);
	});

	test('attaches the SBOM of that tarball to the release', () => {
		const release = jobs.get('release') ?? '';
		mkdirSync(join(folder, 'package/dist'), { recursive: true });
		writeFileSync(join(folder, 'package/dist/sbom.cdx.json'), 'the SBOM');
		spawnSync('tar', ['-czf', TARBALL, 'package'], { cwd: folder });
		writeFileSync(join(folder, 'gh'), '#!/bin/sh\necho "$@" > calls\n', { mode: 0o755 });
		const run = (sha256: string) =>
			runStep(release, 'gh release', {
				PATH: `${folder}:${process.env.PATH}`,
				TARBALL,
				SHA256: sha256,
				GITHUB_REF_NAME: 'v1.2.3',
			}).status;
		expect(run(SHA256)).not.toBe(0);
		expect(readdirSync(folder)).not.toContain('calls');
		const tarball = readFileSync(join(folder, TARBALL));
		const sha256 = createHash('sha256').update(tarball).digest('hex');
		expect(run(sha256)).toBe(0);
		const calls = readFileSync(join(folder, 'calls'), 'utf8');
		expect(calls).toMatch(/^release create v1\.2\.3 .*sbom\.cdx\.json\n$/);
		// The log of the workflow, which also has it, is deleted after some time.
		expect(calls).toContain(sha256);
	});
});

test.each(readdirSync(FOLDER))(
	'%s pins each action, and passes no expression to a shell',
	(file) => {
		const { text, jobs } = workflow(file);
		const actions = [...text.matchAll(/uses: (?!\.\/)(\S+)/g)].map(([, action]) => action);
		expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action ?? ''))).toEqual([]);
		const commands = [...jobs.values()].flatMap(stepsOf).map(commandOf);
		expect(commands.filter((command) => command.includes('${{'))).toEqual([]);
	},
);
