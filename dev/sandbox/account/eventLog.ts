import {
	closeSync,
	ftruncateSync,
	openSync,
	readSync,
	renameSync,
	rmSync,
	writeSync,
} from 'node:fs';

const NEWLINE = 0x0a;
const CHUNK_BYTES = 1 << 20;

/**
 * An append-only file with one JSON event per line. An event is written before the request that
 * caused it gets its response. The log needs no fsync, because data that the kernel has accepted
 * survives a kill -9 of this process.
 */
export class EventLog {
	readonly #file: number;
	#length: number;

	constructor(path: string, events: Iterable<unknown>) {
		// The new log is a temporary file that is renamed at the end, so that a crash leaves the old log intact.
		const temporary = `${path}.new`;
		rmSync(temporary, { force: true });
		this.#file = openSync(temporary, 'a', 0o600);
		this.#length = 0;
		for (const event of events) this.append(event);
		renameSync(temporary, path);
	}

	append(event: unknown): void {
		const line = Buffer.from(`${JSON.stringify(event)}\n`);
		try {
			for (let written = 0; written < line.length;) {
				written += writeSync(this.#file, line, written);
			}
		} catch (error) {
			// A full disk can leave a partial line, and the next event would continue that line.
			ftruncateSync(this.#file, this.#length);
			throw error;
		}
		this.#length += line.length;
	}

	close(): void {
		closeSync(this.#file);
	}
}

export function* readEventLog(path: string): Generator<unknown> {
	let number = 0;
	for (const line of linesOf(path)) {
		number += 1;
		try {
			yield JSON.parse(line);
		} catch (error) {
			if (!(error instanceof SyntaxError)) throw error;
			throw new Error(`Line ${number} of ${path} is damaged. Delete the file to start over.`);
		}
	}
}

/** Yields complete lines only. Text after the last line break is a partial event, whose request got no response. */
function* linesOf(path: string): Generator<string> {
	const file = openIfExists(path);
	if (file === undefined) return;
	const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
	let pieces: Buffer[] = [];
	try {
		for (let length; (length = readSync(file, chunk)) > 0;) {
			let start = 0;
			for (let end; (end = chunk.indexOf(NEWLINE, start)) !== -1 && end < length; start = end + 1) {
				yield Buffer.concat([...pieces, chunk.subarray(start, end)]).toString();
				pieces = [];
			}
			pieces.push(Buffer.from(chunk.subarray(start, length)));
		}
	} finally {
		closeSync(file);
	}
}

function openIfExists(path: string): number | undefined {
	try {
		return openSync(path, 'r');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
		throw error;
	}
}
