declare module 'commonmark-spec' {
	export const tests: Array<{ markdown: string; number: number; section: string }>;
}
