import type {
	IBinaryData,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';

/** One item, as both doors show it: the declarative engine and the send loop. */
export interface Item {
	field: (name: string, fallback?: unknown) => unknown;
	file: (fieldName: string) => { about: IBinaryData; bytes: () => Promise<Buffer> };
}

/** The bytes of an operation's request body, from the fields of one item. */
export type BodyBuilder = (item: Item) => Buffer | Promise<Buffer>;

export const JSON_HEADERS = { 'Content-Type': 'application/json' };

/** The door that n8n takes when the node is used as a tool, and for look-ups. */
export function putBody(build: BodyBuilder) {
	return async function (
		this: IExecuteSingleFunctions,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const item: Item = {
			field: (name, fallback) => this.getNodeParameter(name, fallback),
			file: (fieldName) => ({
				about: this.helpers.assertBinaryData(fieldName),
				bytes: async () => await this.helpers.getBinaryDataBuffer(fieldName),
			}),
		};
		return {
			...request,
			headers: { ...request.headers, ...JSON_HEADERS },
			body: await build(item),
		};
	};
}

export function itemOf(context: IExecuteFunctions, itemIndex: number): Item {
	return {
		field: (name, fallback) => context.getNodeParameter(name, itemIndex, fallback),
		file: (fieldName) => ({
			about: context.helpers.assertBinaryData(itemIndex, fieldName),
			bytes: async () => await context.helpers.getBinaryDataBuffer(itemIndex, fieldName),
		}),
	};
}
