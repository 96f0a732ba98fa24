interface DataUrl {
	/** In lower case; empty if there is none. */
	mimeType: string;
	isBase64: boolean;
	/** Not decoded. */
	content: string;
}

/** In megabytes of text, the expression would overflow its stack. */
const MAX_PREFIX = 1_000;
const PREFIX = /^data:([\w.+-]{1,127}\/[\w.+-]{1,127})?((?:;[^;,]*)*),/i;

/** The parts of a data URL, such as data:image/png;base64,iVBORw0KGgo. Undefined if the text is none. */
export function dataUrl(text: string): DataUrl | undefined {
	const [prefix, mimeType = '', parameters = ''] = PREFIX.exec(text.slice(0, MAX_PREFIX)) ?? [];
	if (prefix === undefined) return undefined;
	return {
		mimeType: mimeType.toLowerCase(),
		isBase64: /;\s*base64\s*$/i.test(parameters),
		content: text.slice(prefix.length),
	};
}
