'use strict';

const { execFileSync } = require('node:child_process');
const { rmSync } = require('node:fs');

const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');

async function clean() {
	rmSync('dist', { recursive: true, force: true });
}

async function compile() {
	execFileSync(
		process.execPath,
		[require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.build.json'],
		{
			stdio: 'inherit',
		},
	);
}

/** Nothing is installed beside a published node: libraries move into the one file that uses them. */
async function bundleLibraries() {
	await esbuild.build({
		entryPoints: ['gateway/markdown.ts', 'gateway/phoneNumber.ts', 'gateway/qrImage.ts'],
		outdir: 'dist/gateway',
		allowOverwrite: true,
		// The comments and the indentation of a Markdown parser are a quarter of its size.
		minifyWhitespace: true,
		bundle: true,
		format: 'cjs',
		platform: 'neutral',
		mainFields: ['module', 'main'],
		target: 'node20.19',
		legalComments: 'inline',
		logLevel: 'warning',
	});
}

function copyIconsAndCodex() {
	return src('nodes/**/*.{svg,json}', { encoding: false }).pipe(dest('dist/nodes'));
}

exports.build = series(clean, parallel(series(compile, bundleLibraries), copyIconsAndCodex));
