/** These limits keep memory bounded, however many files arrive. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_FILES = 1_000;

/** Keeps the bytes of the newest files by SHA-256, for the phone page. They are in memory only. */
export class RecentFiles {
	readonly #files = new Map<string, Buffer>();
	#totalBytes = 0;

	add(sha256: string, bytes: Buffer): void {
		this.#delete(sha256);
		if (bytes.length > MAX_BYTES) return;
		this.#files.set(sha256, bytes);
		this.#totalBytes += bytes.length;
		for (const oldest of this.#files.keys()) {
			if (this.#totalBytes <= MAX_BYTES && this.#files.size <= MAX_FILES) return;
			this.#delete(oldest);
		}
	}

	get(sha256: string): Buffer | undefined {
		return this.#files.get(sha256);
	}

	clear(): void {
		this.#files.clear();
		this.#totalBytes = 0;
	}

	#delete(sha256: string): void {
		this.#totalBytes -= this.#files.get(sha256)?.length ?? 0;
		this.#files.delete(sha256);
	}
}

/** Returns the type of an image by its first bytes, because the MIME type of the client cannot be trusted. */
export function imageType(bytes: Buffer): string | undefined {
	const start = bytes.toString('latin1', 0, 12);
	if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
	if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
	if (/^GIF8[79]a/.test(start)) return 'image/gif';
	if (/^RIFF[^]{4}WEBP/.test(start)) return 'image/webp';
	return undefined;
}
