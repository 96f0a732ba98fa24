import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

/** n8n's request options. HTTP Request nodes still pass the older form, with `uri`. */
export type HookRequest = Omit<IHttpRequestOptions, 'url'> & {
	url?: string;
	uri?: string;
	form?: unknown;
	formData?: unknown;
};

export function withoutHeaders(names: string[], headers: IDataObject): IDataObject {
	const unwanted = new Set(names.map((name) => name.toLowerCase()));
	return Object.fromEntries(
		Object.entries(headers).filter(([name]) => !unwanted.has(name.toLowerCase())),
	);
}
