import type { IBinaryData } from 'n8n-workflow';

import type { Download } from '../../../gateway/files/downloadedFile';
import type { Result } from '../../../gateway/replies/failure';
import { itemExpression } from '../fields/itemExpression';
import { download } from '../request/download';
import { itemContext, type ItemsContext } from '../request/routing';
import { automaticKeys, type AutomaticKey, type MessageContent } from './automaticKey';

interface ItemFile {
	metadata: IBinaryData;
	/** Without loading the file. */
	size: () => Promise<number>;
	load: () => Promise<Buffer>;
}

/** One input item, the same in a workflow and as a tool. */
export interface InputItem {
	field: (name: string, fallback?: unknown) => unknown;
	file: (fieldName: string) => ItemFile;
	download: (url: URL, maxBytes: number) => Promise<Result<Download>>;
	/** Stays the same for all attempts, of which each may load another file. */
	automaticKey: (content: MessageContent) => string;
}

/**
 * Reads the items of a run, or of a tool call. Reading a field with n8n is slow, so in a run one without an expression
 * is read once, and one with a simple expression is computed here.
 */
export function itemReader(context: ItemsContext): (itemIndex: number) => InputItem {
	const parameters = 'getItemIndex' in context ? [] : Object.entries(context.getNode().parameters);
	const expressions = new Map(parameters.map(([name, value]) => [name, itemExpression(value)]));
	const withExpression = parameters
		.filter(([, value]) => JSON.stringify(value ?? '').includes('"='))
		.map(([name]) => name);
	const fixedFields = new Map<string, unknown>();
	let keys: AutomaticKey | undefined;
	return (itemIndex) => {
		const item = itemContext(context, itemIndex);
		let key: string | undefined;
		return {
			field(name, fallback) {
				if (fixedFields.has(name)) return fixedFields.get(name);
				const computed = expressions.get(name)?.(item.getInputData().json);
				if (computed !== undefined) return computed;
				const value: unknown = item.getNodeParameter(name, fallback);
				if (!withExpression.includes(name)) fixedFields.set(name, value);
				return value;
			},
			file(fieldName) {
				const { helpers } = item;
				const metadata = helpers.assertBinaryData(fieldName);
				const { id, data, bytes } = metadata;
				return {
					metadata,
					/** Older n8n does not store the number of bytes. */
					async size() {
						if (id === undefined) return Buffer.byteLength(data, 'base64');
						return bytes ?? (await helpers.getBinaryMetadata(id)).fileSize;
					},
					load: async () => await helpers.getBinaryDataBuffer(fieldName),
				};
			},
			download: async (url, maxBytes) => await download(context, url, maxBytes),
			automaticKey(content) {
				keys ??= automaticKeys(context);
				key ??= keys(itemIndex, item.getInputData(), content);
				return key;
			},
		};
	};
}
