// What Jest does again for each test file, although a worker needs it once.
const { AsyncLocalStorage } = require('node:async_hooks');
const vm = require('node:vm');

const { TestEnvironment } = require('jest-environment-node');

/** @type {Map<string, vm.Script>} */
const scripts = new Map();
const { compileFunction } = vm;
// Only PGlite uses `import()`: Node.js warns about it.
const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;

/**
 * Compiles the code of each library once: a Script runs in any number of contexts.
 * @type {typeof vm.compileFunction}
 */
vm.compileFunction = (code, parameters = [], options = {}) => {
	const { filename = '', parsingContext } = options;
	if (!parsingContext || !/[\\/]node_modules[\\/]/.test(filename)) {
		return compileFunction(code, parameters, options);
	}
	let script = scripts.get(filename);
	if (!script) {
		const options = { filename };
		script = new vm.Script(
			`(function (${parameters.join()}) {${code}\n})`,
			/pglite/.test(filename) ? { ...options, importModuleDynamically } : options,
		);
	}
	return /** @type {ReturnType<typeof compileFunction>} */ (script.runInContext(parsingContext));
};

/** @type {Set<AsyncLocalStorage<unknown>>} */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;

/**
 * Jest uses a storage per test file, and leaves it on. Each one makes every promise of the later files slower.
 * @this {AsyncLocalStorage<unknown>}
 */
AsyncLocalStorage.prototype.run = function (/** @type {Parameters<typeof run>} */ ...args) {
	storages.add(this);
	return run.apply(this, args);
};

module.exports = class extends TestEnvironment {
	/** @override */
	async teardown() {
		for (const storage of storages) storage.disable();
		storages.clear();
		await super.teardown();
	}
};
