import type { INodeExecutionData } from 'n8n-workflow';

import { requiredText } from '../../../gateway/inputValues';
import { isObject } from '../../../gateway/json';
import {
	imageIn,
	imageOf,
	type NoQrCode,
	type QrCode,
	qrCodeIn,
	rejectedQrCode,
	withoutImages,
} from '../../../gateway/responses/qrCode';
import type { Image } from '../../../gateway/files/qrImage';
import { endpoints } from '../../../gateway/wire/endpoints';
import type { GatewayResponse } from '../../../gateway/wire/response';
import { choice, shownFor, text } from '../fields/field';
import { choiceOf, fieldValue } from '../fields/read';
import type { Item } from '../operation/item';
import { requestOperation } from '../operation/operation';
import { itemJson } from '../operation/outputItems';

const qrOutput = choice('qrOutput', 'Output', 'png', [
	['data', 'Text Only', 'The text encoded in the QR code'],
	['png', 'Text and PNG Image', 'For chats, emails and most web pages'],
])('What to output. The node draws the image from the text.');

export const outputDataFieldName = text('outputDataFieldName', 'Output Data Field Name', {
	required: true,
	default: 'data',
	example: 'data',
	hint: 'The name of the output binary field to put the image in',
})();

export const outputFieldOf = ({ field }: Item) =>
	requiredText(
		fieldValue(outputDataFieldName, field),
		'Output Data Field Name',
		"Enter the name of the field to put the image in, usually 'data'.",
	);

const qrFileName = ({ extension }: Image) => `qr.${extension}`;

export async function imageOutput(item: Item, image: Image) {
	const { helpers } = item.context;
	const { bytes, mimeType } = image;
	return {
		[outputFieldOf(item)]: await helpers.prepareBinaryData(bytes, qrFileName(image), mimeType),
	};
}

/** Describes the image in the JSON, too, because an AI agent gets nothing from a result that is only binary. */
async function imageItem(
	item: Item,
	image: Image,
	json: INodeExecutionData['json'],
): Promise<INodeExecutionData> {
	const { mimeType, bytes } = image;
	const details = { fileName: qrFileName(image), mimeType, fileSize: bytes.length };
	return { json: { ...json, ...details }, binary: await imageOutput(item, image) };
}

const HINTS: Record<NoQrCode['reason'], string> = {
	alreadyOnline:
		'The session is already online: there is no code to scan. To link another phone, use Session > Terminate, then Session > Start.',
	link: 'The gateway sent a link instead of the QR code. Use the other of Session > Get QR Code and Session > Get QR Image.',
	noneYet:
		'There is no QR code yet. Use Session > Start if the session is not running, then try again in a few seconds.',
};

function noQrCodeItem({ reason, status }: NoQrCode): INodeExecutionData {
	const json = { qr: null, available: false, reason, hint: HINTS[reason] };
	return { json: status === undefined ? json : { ...json, status } };
}

/** Turns an error response about a missing QR code into a result, so that workflows can branch on it. */
function readRejected(response: GatewayResponse): INodeExecutionData[] | undefined {
	const none = rejectedQrCode(response);
	return none && [noQrCodeItem(none)];
}

export const qr = requestOperation({
	option: ['qr', 'Get QR Code', 'Get QR code'],
	description: 'Get the QR code that pairs the phone, as text or image',
	endpoint: endpoints.qr,
	/** Checks the fields before the request is sent. */
	request(item) {
		if (choiceOf(qrOutput, item.field) !== 'data') outputFieldOf(item);
		return {};
	},
	async read(response, item) {
		const code = qrCodeIn(response);
		if (code.kind === 'none') return [noQrCodeItem(code)];
		if (code.kind === 'image') {
			return [await imageItem(item, code.image, { qr: null, available: true })];
		}
		const json = { ...itemJson(code.fields), available: true };
		if (choiceOf(qrOutput, item.field) === 'data') return [{ json }];
		return [await imageItem(item, imageOf(code), json)];
	},
	readRejected,
	properties: [qrOutput, ...shownFor({ qrOutput: ['png'] }, outputDataFieldName)],
});

export const getQrImage = requestOperation({
	option: ['qrImage', 'Get QR Image', 'Get QR code as image'],
	description: 'Get the QR code as the image that the gateway draws',
	endpoint: endpoints.qrImage,
	request(item) {
		outputFieldOf(item);
		return {};
	},
	/** Returns the gateway's image. Draws one if the gateway sends only the text. */
	async read(response, item) {
		const image = imageIn(response);
		const code: QrCode | NoQrCode = image ? { kind: 'image', image } : qrCodeIn(response);
		if (code.kind === 'none') return [noQrCodeItem(code)];
		const fields = withoutImages(response.data);
		const json = { ...(isObject(fields) ? itemJson(fields) : {}), available: true };
		return [await imageItem(item, imageOf(code), json)];
	},
	readRejected,
	properties: [outputDataFieldName],
});
