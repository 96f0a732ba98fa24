// Runs in each test file: writes down which mutations its tests can reach.
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

afterAll(() => {
	const { mutantCoverage } = /** @type {any} */ (globalThis).__stryker__ ?? {};
	const folder = process.env.MUTATION_COVERAGE;
	if (!folder || !mutantCoverage) return;
	const file = expect.getState().testPath ?? '';
	const name = Buffer.from(file).toString('base64url').slice(-200);
	const content = { file, ids: Object.keys(mutantCoverage.static) };
	writeFileSync(join(folder, name), JSON.stringify(content));
	// The test files of a worker share its globals.
	Reflect.deleteProperty(globalThis, '__stryker__');
});
