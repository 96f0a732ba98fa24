'use strict';

const { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { basename, dirname, join, relative } = require('node:path');

const { cyclonedxEsbuildPlugin } = require('@cyclonedx/cyclonedx-esbuild');
const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');

const { n8n } = require('./package.json');

/** @type {import('esbuild').BuildOptions} */
const COMMON = {
	outdir: 'dist',
	bundle: true,
	format: 'cjs',
	platform: 'neutral',
	mainFields: ['module', 'main'],
	target: 'node20.19',
	charset: 'utf8',
	loader: { '.css': 'text' },
	logLevel: 'warning',
};

async function clean() {
	rmSync('dist', { recursive: true, force: true });
}

/**
 * One file, because a hundred small ones take three times as long to load, and because both nodes and the credential share state.
 * The files that n8n loads only pass on a class. It is readable: names stay, and a comment says where each source file begins.
 */
async function bundle() {
	const entries = [...n8n.credentials, ...n8n.nodes];
	const sources = entries.map((path) => path.replace(/^dist\/(.*)\.js$/, './$1'));
	await esbuild.build({
		...COMMON,
		stdin: {
			contents: sources.map((path) => `export * from '${path}';`).join('\n'),
			sourcefile: 'package.ts',
			resolveDir: __dirname,
		},
		entryNames: 'package',
		external: ['crypto', 'n8n-workflow', '*.library'],
	});
	for (const path of entries) {
		mkdirSync(dirname(path), { recursive: true });
		const shared = relative(dirname(path), 'dist/package.js').replaceAll('\\', '/');
		const name = basename(path).split('.')[0];
		writeFileSync(path, `'use strict';\n\nexports.${name} = require('${shared}').${name};\n`);
	}
}

/** Nothing is installed beside a published node, so the package contains its libraries: each is loaded when it is first used. */
async function bundleLibraries() {
	const { metafile } = await esbuild.build({
		...COMMON,
		entryPoints: [
			'gateway/text/markdown.library.ts',
			'gateway/text/phoneNumber.library.ts',
			'gateway/files/qrImage.library.ts',
			'nodes/MessagingGateway/ask/translations.library.ts',
		],
		entryNames: '[name]',
		alias: { entities: './gateway/text/namedEntities.ts' },
		legalComments: 'inline',
		metafile: true,
		plugins: [
			cyclonedxEsbuildPlugin({
				outputFile: 'sbom.cdx.json',
				outputReproducible: true,
				logLevel: 'silent',
			}),
		],
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
	return src(['nodes/**/*.{svg,json}', '!**/{outputSchemas,translations}.json'], {
		encoding: false,
	}).pipe(dest('dist/nodes'));
}

/** One file per operation, where n8n looks for the fields that the editor offers before the first run. */
async function writeOutputSchemas() {
	const schemas = require('./nodes/MessagingGateway/outputSchemas.json');
	for (const [operation, { $ref = operation }] of Object.entries(schemas)) {
		const path = `dist/nodes/MessagingGateway/__schema__/v1.0.0/${operation}.json`;
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, JSON.stringify(schemas[$ref]));
	}
}

/** Without checking types, which `npm test` does. */
exports.build = series(
	clean,
	parallel(bundle, bundleLibraries, copyIconsAndCodex, writeOutputSchemas),
);
