// Loads each library once per worker. Jest itself loads them again for each test file: of n8n, half a second and 20 MB.
const { default: JestRuntime } = require('jest-runtime');

/** Has the libraries of all test files. @type {InstanceType<typeof JestRuntime> | undefined} */
let libraries;

/** Jest has its own copies of these. */
const OF_JEST = /^(@jest\/|expect$)/;

/**
 * What Jest's class keeps to itself.
 * @typedef {{
 *   _resolution: { isCoreModule(name: string): boolean, resolveCjs(from: string, name: string): string },
 *   mockState: { shouldMockCjs(from: string, name: string): { shouldMock: boolean } },
 * }} Internals
 */

module.exports = class Runtime extends JestRuntime {
	/** @param {ConstructorParameters<typeof JestRuntime>} given */
	constructor(...given) {
		super(...given);
		libraries ??= new JestRuntime(...given);
	}

	/**
	 * @override
	 * @template T
	 * @param {string} from
	 * @param {string} name
	 * @returns {T}
	 */
	requireModuleOrMock(from, name) {
		const library = this.#libraryOf(from, name);
		return library ? library.requireModule(from, name) : super.requireModuleOrMock(from, name);
	}

	/**
	 * @override
	 * @template T
	 * @param {string} from
	 * @param {string} name
	 * @returns {T}
	 */
	requireActual(from, name) {
		const library = this.#libraryOf(from, name);
		return library ? library.requireActual(from, name) : super.requireActual(from, name);
	}

	/** @param {string} from @param {string} name */
	#libraryOf(from, name) {
		const { _resolution: resolution, mockState } = /** @type {Internals} */ (
			/** @type {unknown} */ (this)
		);
		if (OF_JEST.test(name) || resolution.isCoreModule(name)) return undefined;
		if (mockState.shouldMockCjs(from, name).shouldMock) return undefined;
		const isLibrary = /[\\/]node_modules[\\/]/.test(resolution.resolveCjs(from, name));
		return isLibrary ? libraries : undefined;
	}
};
