'use strict';

const { execFileSync } = require('node:child_process');
const { readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');

async function clean() {
	rmSync('dist', { recursive: true, force: true });
}

/** @param {...string} options */
function tsc(...options) {
	const program = require.resolve('typescript/bin/tsc');
	execFileSync(process.execPath, [program, '-p', 'tsconfig.build.json', ...options], {
		stdio: 'inherit',
	});
}

async function compile() {
	tsc();
}

/** For `npm test`, which has another step that checks the types. */
async function compileOnly() {
	tsc('--noCheck');
}

/** Nothing is installed beside a published node: libraries move into the one file that uses them. */
async function bundleLibraries() {
	const { metafile } = await esbuild.build({
		entryPoints: [
			'gateway/text/markdown.ts',
			'gateway/text/phoneNumber.ts',
			'gateway/replies/qrImage.ts',
		],
		outbase: '.',
		outdir: 'dist',
		allowOverwrite: true,
		// The comments, indentation and names of the libraries are a third of their size.
		minify: true,
		alias: { entities: './gateway/text/namedEntities.ts' },
		bundle: true,
		format: 'cjs',
		platform: 'neutral',
		mainFields: ['module', 'main'],
		target: 'node20.19',
		legalComments: 'inline',
		logLevel: 'warning',
		metafile: true,
	});
	writeFileSync('dist/THIRD_PARTY_LICENSES.txt', licenses(Object.keys(metafile.inputs)));
}

/** The license texts of the libraries that the files belong to. */
function licenses(files) {
	const folders = files.map((file) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0]);
	return [...new Set(folders.filter(Boolean))]
		.sort()
		.map((folder) => {
			const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
			const texts = readdirSync(folder)
				.filter((entry) => /^(licen[cs]e|notice)\b/i.test(entry))
				.map((entry) => readFileSync(join(folder, entry), 'utf8').trim());
			if (texts.length === 0) throw new Error(`${name} has no license file`);
			return `${[`${name} ${version}`, ...texts].join('\n\n')}\n`;
		})
		.join(`\n${'='.repeat(80)}\n\n`);
}

function copyIconsAndCodex() {
	return src('nodes/**/*.{svg,json}', { encoding: false }).pipe(dest('dist/nodes'));
}

const buildWith = (compilation) =>
	series(clean, parallel(series(compilation, bundleLibraries), copyIconsAndCodex));

exports.build = buildWith(compile);
exports.emit = buildWith(compileOnly);
