/** Room for the pictures of an afternoon, and no more however many come in. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_FILES = 1_000;

/** The bytes of the last files, by their SHA-256. In memory only: they are for looking at, not for keeping. */
export class RecentFiles {
	readonly #files = new Map<string, Buffer>();
	#length = 0;

	keep(sha256: string, bytes: Buffer): void {
		this.#drop(sha256);
		if (bytes.length > MOST_BYTES) return;
		this.#files.set(sha256, bytes);
		this.#length += bytes.length;
		for (const oldest of this.#files.keys()) {
			if (this.#length <= MOST_BYTES && this.#files.size <= MOST_FILES) return;
			this.#drop(oldest);
		}
	}

	get(sha256: string): Buffer | undefined {
		return this.#files.get(sha256);
	}

	clear(): void {
		this.#files.clear();
		this.#length = 0;
	}

	#drop(sha256: string): void {
		this.#length -= this.#files.get(sha256)?.length ?? 0;
		this.#files.delete(sha256);
	}
}
