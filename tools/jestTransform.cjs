// Compiles TypeScript for Jest, file by file and without checking types.
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');

const { transformSync, version } = require('esbuild');

/** How esbuild defines exports, and the same so that jest.spyOn can replace them. */
const DEFINE = 'var __defProp = Object.defineProperty;';
const REPLACEABLE =
	'var __defProp = (to, name, how) => Object.defineProperty(to, name, { ...how, configurable: true });';

const itself = readFileSync(__filename);

/** @type {import('@jest/transform').SyncTransformer} */
module.exports = {
	process(source, path) {
		const { code } = transformSync(source, {
			loader: 'ts',
			format: 'cjs',
			target: 'node20.19',
			sourcemap: 'inline',
			sourcefile: path,
		});
		return { code: code.replace(DEFINE, REPLACEABLE) };
	},
	getCacheKey: (source, path) =>
		createHash('sha256').update(itself).update(`${version}\0${path}\0${source}`).digest('hex'),
};
