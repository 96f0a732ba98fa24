// Types and lint in one process, so that TypeScript analyses the project once. Looks again only at the files that can differ from
// the last time that everything passed. --changed: lints only what differs from the last commit.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { ESLint } from 'eslint';
import ts from 'typescript';

import { allFiles, changedFiles } from './changedFiles.mjs';
import { root } from './install.mjs';

const CONFIGURATION = ['eslint.config.mjs', 'tsconfig.json', 'package-lock.json'];
const onlyChanged = process.argv.includes('--changed');

const builder = createBuilder();
const affected = checkTypes();
const isClean = await lint();
// It says what was analysed, so it must not be written while something is wrong or was left out.
if (isClean && process.exitCode === undefined && !onlyChanged) builder.emit();

function createBuilder() {
	const version = createHash('sha256');
	for (const path of CONFIGURATION) version.update(readFileSync(join(root, path)));
	const cache = `node_modules/.cache/messaging-gateway/${version.digest('hex')}.tsbuildinfo`;
	const config = ts.getParsedCommandLineOfConfigFile(
		join(root, 'tsconfig.json'),
		{ incremental: true, tsBuildInfoFile: join(root, cache) },
		{ ...ts.sys, onUnRecoverableConfigFileDiagnostic: (error) => print([error]) },
	);
	if (!config) process.exit(1);
	print(config.errors);
	return ts.createIncrementalProgram({
		rootNames: config.fileNames,
		options: config.options,
		createProgram: ts.createEmitAndSemanticDiagnosticsBuilderProgram,
	});
}

/** Returns the files of the project that can have other types than before. */
function checkTypes() {
	/** @type {string[]} */
	const files = [];
	print([
		...builder.getOptionsDiagnostics(),
		...builder.getGlobalDiagnostics(),
		...builder.getSyntacticDiagnostics(),
	]);
	for (;;) {
		const next = builder.getSemanticDiagnosticsOfNextAffectedFile();
		if (!next) return files;
		print(next.result);
		const sources = 'fileName' in next.affected ? [next.affected] : next.affected.getSourceFiles();
		files.push(...sources.map(({ fileName }) => relative(root, fileName).replaceAll('\\', '/')));
	}
}

/** @param {readonly ts.Diagnostic[]} diagnostics */
function print(diagnostics) {
	if (diagnostics.length === 0) return;
	process.exitCode = 1;
	console.log(
		ts.formatDiagnosticsWithColorAndContext(diagnostics, {
			getCanonicalFileName: (name) => name,
			getCurrentDirectory: () => root,
			getNewLine: () => '\n',
		}),
	);
}

async function lint() {
	const program = builder.getProgram();
	const eslint = new ESLint({
		cwd: root,
		warnIgnored: false,
		// Without it, no files mean all files.
		passOnNoPatterns: true,
		overrideConfig: {
			files: ['**/*.{ts,mjs}'],
			languageOptions: { parserOptions: { projectService: false, programs: [program] } },
		},
	});
	const results = await eslint.lintFiles(filesToLint(program));
	const found = results.filter(({ messages }) => messages.length > 0);
	if (found.length === 0) return true;
	const formatter = await eslint.loadFormatter('stylish');
	console.log(await formatter.format(found));
	process.exitCode = 1;
	return false;
}

/** @param {ts.Program} program */
function filesToLint(program) {
	const files = onlyChanged ? changedFiles() : allFiles();
	if (!files) return ['.'];
	const analysed = new Set(affected);
	return files
		.filter((path) => /\.(ts|[cm]?js|json)$/.test(path))
		.filter((path) => analysed.has(path) || !program.getSourceFile(join(root, path)));
}
