/** Judged by its first bytes, never by what its sender says: only these four are shown by the page. */
export function pictureType(bytes: Buffer): string | undefined {
	const start = bytes.toString('latin1', 0, 12);
	if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
	if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
	if (/^GIF8[79]a/.test(start)) return 'image/gif';
	if (/^RIFF[^]{4}WEBP/.test(start)) return 'image/webp';
	return undefined;
}
