/** Returns the path of a request line, without the query. */
export function pathOf(url: string): string {
	return url.split('?', 1)[0] ?? '';
}

export function isAtOrBelow(url: string, root: string): boolean {
	return `${pathOf(url)}/`.startsWith(`${root}/`);
}
