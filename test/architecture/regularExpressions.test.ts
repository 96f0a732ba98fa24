import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import {
	createSourceFile,
	forEachChild,
	isCallExpression,
	isIdentifier,
	isNewExpression,
	isRegularExpressionLiteral,
	type Node,
	ScriptTarget,
} from 'typescript';

import { depth } from '../harness/depth';
import { files, read, root } from './repository';

/**
 * Runs every regular expression of the source, and of the examples, against texts that make backtracking ones slow. JavaScript
 * runs in one thread, so a slow one blocks all of n8n. A linear one takes a few ms for 1 MB, a quadratic one minutes.
 */

const MEGABYTE = 1024 * 1024;
/** In CPU time. On a machine with seven times as many processes as cores, a linear one took more than 100 ms. */
const MAX_CPU_MS = 1_000;
/** Every text is tried with this length first. A quadratic expression takes 64,000 times as long for 1 MB as for 4 kB. */
const SHORT = 4 * 1024;
/** For SHORT; a linear expression takes less than 0.1 ms. */
const MAX_SHORT_CPU_MS = 10;
/** How many texts are tried with each expression, evenly chosen. */
const MAX_TEXTS = depth(200, Infinity);
/** How many of the slowest texts are tried with 1 MB. */
const SLOWEST = depth(1, 30);
/** Ends exponential ones. A linear one takes up to two seconds for all texts, and much longer on a busy machine. */
const TIMEOUT_MS = 240_000;

const FOLDERS = [
	'nodes',
	'credentials',
	'gateway',
	'dev/gatewayCheck',
	'dev/sandbox',
	'dev/live',
	'examples/code',
];
const sources = files
	.filter((path) => FOLDERS.some((folder) => path.startsWith(`${folder}/`)))
	.filter((path) => /\.[cm]?[jt]s$/.test(path));

const literals: Array<[place: string, pattern: string]> = [];
const constructed: string[] = [];

for (const path of sources) {
	const source = createSourceFile(path, read(path), ScriptTarget.Latest, true);
	const visit = (node: Node): void => {
		if (isRegularExpressionLiteral(node)) {
			const { line } = source.getLineAndCharacterOfPosition(node.getStart());
			literals.push([`${path}:${line + 1}`, node.text]);
		}
		const isCall = isNewExpression(node) || isCallExpression(node);
		if (isCall && isIdentifier(node.expression) && node.expression.text === 'RegExp') {
			constructed.push(path);
		}
		forEachChild(node, visit);
	};
	visit(source);
}

/** What a module constructs when it is loaded. */
function constructedBy(module: string): typeof literals {
	const found: typeof literals = [];
	const original = globalThis.RegExp;
	class Recorded extends original {
		constructor(pattern: string | RegExp, flags?: string) {
			super(pattern, flags);
			found.push([module, String(this)]);
		}
	}
	globalThis.RegExp = Recorded as RegExpConstructor;
	try {
		jest.isolateModules(() => jest.requireActual<object>(join(root, module)));
	} finally {
		globalThis.RegExp = original;
	}
	return found;
}
const ENDPOINTS = constructedBy('gateway/wire/endpoints.ts');

test('finds the regular expressions', () => {
	expect(literals.length).toBeGreaterThan(80);
	expect(literals.map(([, pattern]) => pattern)).toContain(String.raw`/^https?:\/\//i`);
	expect([...new Set(constructed)]).toEqual([
		// Those of fileTypes.json read 16 bytes.
		'gateway/files/fileType.ts',
		'gateway/text/phoneNumber.library.ts',
		'gateway/wire/endpoints.ts',
	]);
	expect(ENDPOINTS.length).toBeGreaterThan(10);
});

/** The longest exit code in the metadata of the phone numbers. */
const EXIT_CODE = String.raw`/^(?:001[14-689]|14(?:1[14]|34|4[17]|[56]6|7[47]|88)0011)/`;

const EXPRESSIONS: typeof literals = [
	...literals,
	...ENDPOINTS,
	['gateway/text/phoneNumber.library.ts', EXIT_CODE],
];

test(
	'every regular expression is fast for every text',
	() => {
		const slow = EXPRESSIONS.flatMap(([place, pattern]) => {
			const text = slowText(regExpOf(pattern));
			return text === undefined ? [] : [`${place}: ${pattern} is slow for ${text}`];
		});
		expect(slow).toEqual([]);
	},
	// All of them together take a minute on an idle machine. Only a broken one takes this long.
	10 * TIMEOUT_MS,
);

function regExpOf(pattern: string): RegExp {
	const [, source = '', flags] = /^\/(.*)\/(\w*)$/s.exec(pattern) ?? [];
	return new RegExp(source, flags);
}

/** Describes a text for which the expression is slow. */
function slowText(expression: RegExp): string | undefined {
	let current = '';
	const measure = (text: HostileText, length: number, limit: number) => {
		current = `${JSON.stringify(text)}, ${length} characters`;
		return cpuMs(expression, textOf(text, length), limit);
	};
	const search = () => {
		const measured: Array<{ text: HostileText; ms: number }> = [];
		for (const text of chosen(texts(expression))) {
			const ms = measure(text, SHORT, MAX_SHORT_CPU_MS);
			if (ms > MAX_SHORT_CPU_MS) return current;
			measured.push({ text, ms });
		}
		measured.sort((a, b) => b.ms - a.ms);
		// A million matches take time by themselves.
		const limit = expression.global ? 10 * MAX_CPU_MS : MAX_CPU_MS;
		const isSlow = ({ text }: { text: HostileText }) => measure(text, MEGABYTE, limit) > limit;
		return measured.slice(0, SLOWEST).some(isSlow) ? current : undefined;
	};
	try {
		return runInNewContext('search()', { search }, { timeout: TIMEOUT_MS }) as string | undefined;
	} catch (error) {
		return `${current}: ${String(error)}`;
	}
}

const textOf = ([prefix, unit, suffix]: HostileText, length: number) =>
	prefix + unit.repeat(Math.ceil(length / unit.length)) + suffix;

/** If it is above the limit, the least of three measurements: a garbage collection may fall into one. */
function cpuMs(expression: RegExp, text: string, limit: number): number {
	let least = Infinity;
	for (let run = 0; run < 3 && least > limit; run++) {
		const before = process.cpuUsage();
		expression.lastIndex = 0;
		if (expression.global) text.replace(expression, '');
		else expression.exec(text);
		const { user, system } = process.cpuUsage(before);
		least = Math.min(least, (user + system) / 1000);
	}
	return least;
}

/** What leads into the expression, what is repeated, and what keeps it from matching at the end. */
type HostileText = readonly [prefix: string, unit: string, suffix: string];

const CHARACTERS = [...'aA0-./ \n\r\t<>!?;:,="\\_+eE()[]{}@#%&\'*~\u200b\u2010\u00a0…'];
const SUFFIXES = ['', '\u0001', '\n', '!'];

function chosen(all: HostileText[]): HostileText[] {
	const step = Math.ceil(all.length / MAX_TEXTS);
	// The suffixes take turns, so an even step would leave some of them out.
	const odd = step % 2 === 0 ? step + 1 : step;
	return all.filter((_, index) => index % odd === 0);
}

/** Combines the parts of the expression: its literal texts, and characters of its classes. */
function texts(expression: RegExp): HostileText[] {
	const parts = partsOf(expression);
	const hasLoop = /[*+]|\{\d+,\d*\}/.test(expression.source);
	const samples = parts.map((part) => part[0]!);
	const windows = (longest: number) =>
		samples.flatMap((_, from) =>
			Array.from({ length: longest }, (_unused, more) =>
				samples.slice(from, from + more + 1).join(''),
			),
		);
	const starts = samples.map((_, at) => samples.slice(0, at + 1).join(''));
	const prefixes = hasLoop ? ['', ...starts, ...windows(3)] : [''];
	const units = [...parts.flat(), ...windows(hasLoop ? 4 : 1), samples.join('')];
	return unique(prefixes).flatMap((prefix) =>
		unique(units)
			.filter((unit) => unit !== '')
			.flatMap((unit) => SUFFIXES.map((suffix) => [prefix, unit, suffix] as const)),
	);
}

/** Per part, the texts that it matches; the first one is used in combinations. */
function partsOf({ source, flags }: RegExp): string[][] {
	const part =
		/\[\^\]|\[(?:\\.|[^\]\\])*\]|\\[dDsSwW]|\.|\(\?<?[:=!]|\{\d+(?:,\d*)?\}|\\[bB]|[()|^$*+?]|((?:\\u[\da-f]{4}|\\[^dswb]|[^\\[\](){}|^$*+?.])+)/gi;
	const all: string[][] = [];
	for (const [text, literal] of source.matchAll(part)) {
		if (literal !== undefined) all.push([plain(literal)]);
		else if (/^(\[|\\[dDsSwW]|\.$)/.test(text)) {
			const member = new RegExp(`^${text}$`, flags.replace('g', ''));
			const members = CHARACTERS.filter((character) => member.test(character));
			if (members.length > 0) all.push(members);
		}
	}
	return all;
}

const plain = (literal: string) =>
	literal.replace(/\\(u[\da-f]{4}|.)/gi, (_, code: string) => {
		if (code.startsWith('u')) return String.fromCharCode(parseInt(code.slice(1), 16));
		return { n: '\n', r: '\r', t: '\t' }[code] ?? code;
	});

const unique = (all: string[]) => [...new Set(all)];
