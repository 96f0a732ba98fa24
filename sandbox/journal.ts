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
const CHUNK = 1 << 20;

/**
 * A file of events, one JSON line each, written before the event is answered for. What was handed to
 * the kernel outlives this process, kill -9 included, so there is no fsync to wait for.
 */
export class Journal {
	readonly #file: number;
	#length: number;

	constructor(path: string, events: Iterable<unknown>) {
		// Aside and renamed: a crash in the middle leaves the old journal whole.
		const draft = `${path}.new`;
		rmSync(draft, { force: true });
		this.#file = openSync(draft, 'a', 0o600);
		this.#length = 0;
		for (const event of events) this.append(event);
		renameSync(draft, path);
	}

	append(event: unknown): void {
		const line = Buffer.from(`${JSON.stringify(event)}\n`);
		try {
			for (let written = 0; written < line.length;) {
				written += writeSync(this.#file, line, written);
			}
		} catch (error) {
			// A full disk may leave half a line, and the next event must not be glued to it.
			ftruncateSync(this.#file, this.#length);
			throw error;
		}
		this.#length += line.length;
	}

	close(): void {
		closeSync(this.#file);
	}
}

export function* readJournal(path: string): Generator<unknown> {
	let number = 0;
	for (const line of linesOf(path)) {
		number += 1;
		try {
			yield JSON.parse(line);
		} catch (error) {
			if (!(error instanceof SyntaxError)) throw error;
			throw new Error(`Line ${number} of ${path} is damaged. Remove the file to start afresh.`);
		}
	}
}

/** Whole lines only. What follows the last line break was torn off by a crash, and never answered. */
function* linesOf(path: string): Generator<string> {
	const file = openExisting(path);
	if (file === undefined) return;
	const chunk = Buffer.allocUnsafe(CHUNK);
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

function openExisting(path: string): number | undefined {
	try {
		return openSync(path, 'r');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
		throw error;
	}
}
