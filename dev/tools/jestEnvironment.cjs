// The test files of a worker share one context, so that they can share the libraries (jestRuntime.cjs). Unlike the context of
// jest-environment-node, no proxy is behind its globals: it made n8n's expressions half as fast.
const { AsyncLocalStorage } = require('node:async_hooks');
const vm = require('node:vm');

const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { installCommonGlobals } = require('jest-util');

/** @typedef {import('@jest/environment').JestEnvironmentConfig} Config */
/** @typedef {typeof globalThis} Global */

/** @type {Map<string, { code: string, compiled: ReturnType<typeof vm.compileFunction> }>} */
const files = new Map();
const { compileFunction } = vm;

/**
 * Compiles each file once per worker. Without `import()`, which Jest supports only with a flag of Node.js, except for PGlite.
 * @type {typeof vm.compileFunction}
 */
vm.compileFunction = (code, parameters = [], { filename = '', parsingContext } = {}) => {
	const known = files.get(filename);
	if (known?.code === code) return known.compiled;
	const compiled = /[\\/]pglite[\\/]/.test(filename)
		? compileWithImport(code, parameters, filename, parsingContext)
		: compileFunction(code, parameters, { filename, parsingContext });
	files.set(filename, { code, compiled });
	return compiled;
};

/** @param {string} code @param {readonly string[]} parameters @param {string} filename @param {vm.Context | undefined} context */
function compileWithImport(code, parameters, filename, context) {
	const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
	const script = `(function (${parameters.join()}) {${code}\n})`;
	return /** @type {ReturnType<typeof compileFunction>} */ (
		new vm.Script(script, { filename, importModuleDynamically }).runInContext(context ?? {})
	);
}

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

/** Has the globals of Node.js that are not part of the language. @param {Config['projectConfig']['globals']} globals */
function createGlobal(globals) {
	const global = /** @type {Global} */ (vm.createContext(vm.constants.DONT_CONTEXTIFY));
	for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(globalThis))) {
		if (name in global) continue;
		const { enumerable, configurable } = property;
		const own = { enumerable, configurable, writable: true };
		// Getters and setters of Node.js know only its own global object.
		const accessor = {
			...{ enumerable, configurable },
			get: () => /** @type {unknown} */ (Reflect.get(globalThis, name)),
			set: (/** @type {unknown} */ value) =>
				void Object.defineProperty(global, name, { ...own, value }),
		};
		Object.defineProperty(global, name, property.get ? accessor : property);
	}
	// Those of Buffer and TextEncoder.
	Object.assign(global, { global, Buffer, ArrayBuffer, Uint8Array });
	installCommonGlobals(global, globals);
	global.Error.stackTraceLimit = 100;
	return global;
}

/** Of this worker, as it was before any test. @type {{ global: Global, before: PropertyDescriptorMap } | undefined} */
let worker;

/** The symbols of Jest's own state, which is another one for each test file. */
const OF_JEST = /jest|^[A-Z_]+$/i;

/** Undoes what a test file did to the globals. What a library has added stays. @param {Global} global @param {PropertyDescriptorMap} before */
function restore(global, before) {
	for (const key of Reflect.ownKeys(global)) {
		const old = before[key];
		if (!old && typeof key === 'symbol' && OF_JEST.test(key.description ?? '')) {
			Reflect.deleteProperty(global, key);
		} else if (old?.configurable) {
			Reflect.defineProperty(global, key, old);
		}
	}
}

module.exports = class {
	/** @param {Config} config */
	constructor({ projectConfig: config }) {
		if (!worker) {
			const global = createGlobal(config.globals);
			worker = { global, before: Object.getOwnPropertyDescriptors(global) };
		}
		const { global } = worker;
		this.global = global;
		this.moduleMocker = new ModuleMocker(global);
		this.fakeTimers = new LegacyFakeTimers({
			...{ config, global, moduleMocker: this.moduleMocker },
			timerConfig: { idToRef: (id) => id, refToId: (timer) => timer },
		});
		this.fakeTimersModern = new ModernFakeTimers({ config, global });
	}

	getVmContext() {
		return this.global;
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	async setup() {}

	async teardown() {
		this.fakeTimers.dispose();
		this.fakeTimersModern.dispose();
		if (worker) restore(worker.global, worker.before);
		for (const storage of storages) storage.disable();
		storages.clear();
	}
};
