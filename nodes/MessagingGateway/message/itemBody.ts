import type {
	IBinaryData,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { withTries } from '../exchange';
import { type AutomaticKey, automaticKeys, type Content } from './automaticKey';
import { optionsOf } from './fieldValues';
import { triesOf } from './sendSettings';

export interface ItemFile {
	about: IBinaryData;
	size: () => Promise<number>;
	bytes: () => Promise<Buffer>;
}

/** One item, as both doors show it: the declarative engine and the send engine. */
export interface Item {
	field: (name: string, fallback?: unknown) => unknown;
	file: (fieldName: string) => ItemFile;
	automaticKey: (content: Content) => string;
}

/** The bytes of an operation's request body, from the fields of one item. */
export type BodyBuilder = (item: Item) => Buffer | Promise<Buffer>;

/** A message that is ready to be sent; what it weighs is loaded when its turn comes. */
export interface Outgoing {
	/** The chat it goes to: messages to one chat keep their order. */
	chat: string;
	/** Whether the gateway would notice a second one. */
	isRepeatable: boolean;
	body: BodyOf;
}

type BodyOf = () => Buffer | Promise<Buffer>;

/** Reads the fields of one item, and refuses what cannot be sent. */
export type Opener = (item: Item) => Outgoing;

export const JSON_HEADERS = { 'Content-Type': 'application/json' };

const withBody = async (request: IHttpRequestOptions, body: ReturnType<BodyOf>) => ({
	...request,
	headers: { ...request.headers, ...JSON_HEADERS },
	body: await body,
});

/** For look-ups. */
export function putBody(build: BodyBuilder) {
	return async function (this: IExecuteSingleFunctions, request: IHttpRequestOptions) {
		return await withBody(request, build(singleItem(this)));
	};
}

/** For messages, through the door that n8n takes when the node is used as a tool. */
export function putMessage(open: Opener) {
	return async function (this: IExecuteSingleFunctions, request: IHttpRequestOptions) {
		const item = singleItem(this);
		const { body, isRepeatable } = open(item);
		const tries = { ...triesOf(optionsOf(item)), isRepeatable };
		return withTries(await withBody(request, body()), tries);
	};
}

function singleItem(context: IExecuteSingleFunctions): Item {
	const { helpers } = context;
	return {
		field: (name, fallback) => context.getNodeParameter(name, fallback),
		file: (fieldName) =>
			fileOf(
				helpers.assertBinaryData(fieldName),
				helpers,
				async () => await helpers.getBinaryDataBuffer(fieldName),
			),
		automaticKey: (content) =>
			automaticKeys(context)(context.getItemIndex(), context.getInputData(), content),
	};
}

/** The items of a run, for the send engine. */
export function itemsOf(context: IExecuteFunctions): (itemIndex: number) => Item {
	const { helpers } = context;
	const inputs = context.getInputData();
	// Without an expression in it, a field is the same for every item, and need not be read ten thousand times.
	const varying = Object.entries(context.getNode().parameters)
		.filter(([, value]) => JSON.stringify(value ?? '').includes('"='))
		.map(([name]) => name);
	const fixed = new Map<string, unknown>();
	let keys: AutomaticKey | undefined;
	return (itemIndex) => ({
		field(name, fallback) {
			if (fixed.has(name)) return fixed.get(name);
			const value: unknown = context.getNodeParameter(name, itemIndex, fallback);
			if (!varying.includes(name)) fixed.set(name, value);
			return value;
		},
		file: (fieldName) =>
			fileOf(
				helpers.assertBinaryData(itemIndex, fieldName),
				helpers,
				async () => await helpers.getBinaryDataBuffer(itemIndex, fieldName),
			),
		automaticKey(content) {
			keys ??= automaticKeys(context);
			return keys(itemIndex, inputs[itemIndex]!, content);
		},
	});
}

function fileOf(
	about: IBinaryData,
	helpers: Pick<IExecuteFunctions['helpers'], 'getBinaryMetadata'>,
	bytes: ItemFile['bytes'],
): ItemFile {
	const { id, data } = about;
	return {
		about,
		/** Without loading the file. n8n has not always put down the number of bytes. */
		async size() {
			if (id === undefined) return Buffer.byteLength(data, 'base64');
			return about.bytes ?? (await helpers.getBinaryMetadata(id)).fileSize;
		},
		bytes,
	};
}
