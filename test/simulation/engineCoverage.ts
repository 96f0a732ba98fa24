import { readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';

/** The files whose every branch a simulation must reach, in the bundle that main.mjs makes. */
const ENGINE = /^(nodes\/MessagingGateway\/sending\/|gateway\/errors\/retryPolicy\.ts)/;
/** A comment that esbuild writes before each file. */
const FILE = /^ *\/\/ (\S+\.ts)$/gm;

/** Which code of the engine has run, as V8 counts it. Only for a bundle. */
export class EngineCoverage {
	private constructor(private readonly session: Session) {}

	static async start(): Promise<EngineCoverage> {
		const session = new Session();
		session.connect();
		await session.post('Profiler.enable');
		// Without counts, V8 still optimizes the code.
		await session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true });
		return new EngineCoverage(session);
	}

	/** The code that has never run: its file, its line and how it begins. */
	async unreached(): Promise<string[]> {
		const { result } = await this.session.post('Profiler.takePreciseCoverage');
		this.session.disconnect();
		const bundle = result.find(({ url }) => url.endsWith(process.argv[1]!));
		if (!bundle) throw new Error('The coverage of the bundle is missing');
		const source = readFileSync(process.argv[1]!, 'utf8');
		const files = [...source.matchAll(FILE)].map(({ index, [1]: name }) => ({
			index,
			name: name!,
		}));
		const fileAt = (offset: number) => files.findLast(({ index }) => index < offset)?.name ?? '';
		return (
			rangesNotRun(bundle.functions)
				.map(({ startOffset, endOffset }) => ({
					file: fileAt(startOffset),
					before: source.slice(source.lastIndexOf('\n', startOffset) + 1, startOffset).trim(),
					code: source.slice(startOffset, endOffset).replaceAll(/\s+/g, ' ').slice(0, 100),
				}))
				// What follows a `return` in a `try` may be an empty line.
				.filter(({ file, code }) => ENGINE.test(file) && /\S/.test(code))
				.map(({ file, before, code }) => `${file}: ${before} ${code}`)
		);
	}
}

const rangesNotRun = (functions: Profiler.FunctionCoverage[]) =>
	functions.flatMap(({ ranges }) => ranges).filter(({ count }) => count === 0);
