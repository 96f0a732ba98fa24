import fc from 'fast-check';

const codePoint = (min: number, max: number) =>
	fc.integer({ min, max }).map(
		(code) => String.fromCodePoint(code),
		(text) => (typeof text === 'string' ? text.codePointAt(0)! : NaN),
	);

/** Also half of a pair. `unit: 'binary'` of fast-check is the same, but makes a table of a million characters in each test file. */
export const anyCharacter = fc.oneof(
	codePoint(0x20, 0x7e),
	codePoint(0, 0xffff),
	codePoint(0x10000, 0x10ffff),
);

export const anyText = (length: { minLength?: number; maxLength?: number } = {}) =>
	fc.string({ unit: anyCharacter, ...length });

const encoded = () => anyText().map((text) => encodeURIComponent(text.toWellFormed()));

/** As fast-check's `webUrl`, which makes the same table. */
export const anyUrl = () =>
	fc
		.tuple(
			fc.constantFrom('http://', 'https://'),
			fc.domain(),
			fc.array(fc.tuple(fc.constantFrom('/', '/', '/', '?', '#'), encoded()), { maxLength: 6 }),
		)
		.map((parts) => parts.flat(2).join(''));
