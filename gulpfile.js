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

/** Nothing is installed beside a published node: each library moves into the one file that uses it. */
async function bundleLibraries() {
	await esbuild.build({
		entryPoints: ['gateway/phoneNumber.ts', 'gateway/qrImage.ts'],
		outdir: 'dist/gateway',
		allowOverwrite: true,
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
