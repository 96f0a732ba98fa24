import type { IBinaryData, IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';

import type { Download } from '../../../gateway/files/downloadedFile';
import type { Result } from '../../../gateway/replies/failure';
import { itemExpression } from '../fields/itemExpression';
import { download } from '../request/download';
import { automaticKeys, type AutomaticKey, type MessageContent } from './automaticKey';

interface ItemFile {
	metadata: IBinaryData;
	size: () => Promise<number>;
	load: () => Promise<Buffer>;
}

/** One input item, the same in a workflow and as a tool. */
export interface InputItem {
	field: (name: string, fallback?: unknown) => unknown;
	file: (fieldName: string) => ItemFile;
	download: (url: URL, maxBytes: number) => Promise<Result<Download>>;
	automaticKey: (content: MessageContent) => string;
}

export function singleItem(context: IExecuteSingleFunctions): InputItem {
	const { helpers } = context;
	// One for all attempts: without an execution ID, each one makes new keys.
	let keys: AutomaticKey | undefined;
	return {
		field: (name, fallback) => context.getNodeParameter(name, fallback),
		file: (fieldName) =>
			itemFile(
				helpers.assertBinaryData(fieldName),
				helpers,
				async () => await helpers.getBinaryDataBuffer(fieldName),
			),
		download: async (url, maxBytes) => await download(context, url, maxBytes),
		automaticKey(content) {
			keys ??= automaticKeys(context);
			return keys(context.getItemIndex(), context.getInputData(), content);
		},
	};
}

/**
 * The items of a run. Reading a field with n8n is slow, so one without an expression is read once, and one with a
 * simple expression is computed here.
 */
export function itemReader(context: IExecuteFunctions): (itemIndex: number) => InputItem {
	const { helpers } = context;
	const inputs = context.getInputData();
	const parameters = Object.entries(context.getNode().parameters);
	const expressions = new Map(parameters.map(([name, value]) => [name, itemExpression(value)]));
	const withExpression = parameters
		.filter(([, value]) => JSON.stringify(value ?? '').includes('"='))
		.map(([name]) => name);
	const fixedFields = new Map<string, unknown>();
	let keys: AutomaticKey | undefined;
	return (itemIndex) => ({
		field(name, fallback) {
			if (fixedFields.has(name)) return fixedFields.get(name);
			const computed = expressions.get(name)?.(inputs[itemIndex]!.json);
			if (computed !== undefined) return computed;
			const value: unknown = context.getNodeParameter(name, itemIndex, fallback);
			if (!withExpression.includes(name)) fixedFields.set(name, value);
			return value;
		},
		file: (fieldName) =>
			itemFile(
				helpers.assertBinaryData(itemIndex, fieldName),
				helpers,
				async () => await helpers.getBinaryDataBuffer(itemIndex, fieldName),
			),
		download: async (url, maxBytes) => await download(context, url, maxBytes),
		automaticKey(content) {
			keys ??= automaticKeys(context);
			return keys(itemIndex, inputs[itemIndex]!, content);
		},
	});
}

function itemFile(
	metadata: IBinaryData,
	helpers: Pick<IExecuteFunctions['helpers'], 'getBinaryMetadata'>,
	load: ItemFile['load'],
): ItemFile {
	const { id, data, bytes } = metadata;
	return {
		metadata,
		/** Without loading the file. Older n8n does not store the number of bytes. */
		async size() {
			if (id === undefined) return Buffer.byteLength(data, 'base64');
			return bytes ?? (await helpers.getBinaryMetadata(id)).fileSize;
		},
		load,
	};
}
