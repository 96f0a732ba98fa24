import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { endpoints } from '../../../gateway/wire/endpoints';
import { imageIn, withoutImages } from '../../../gateway/replies/image';
import { isObject } from '../../../gateway/json';
import { qrCodeIn } from '../../../gateway/replies/qrCode';
import { qrImage as drawQrImage } from '../../../gateway/replies/qrImage';
import type { GatewayResponse } from '../../../gateway/wire/response';
import { itemJson } from '../request/items';
import type { Operation } from '../request/operation';
import { requestOperation } from '../request/routing';
import { imageDetails, imageOutput, outputDataFieldName } from './binaryOutput';
import { noQrCodeItem, readRejectedQrCode } from './noQrCode';

/** Draws the image itself if the gateway sends only the text, as JSON. */
async function read(response: GatewayResponse, context: IExecuteSingleFunctions) {
	const fields = withoutImages(response.data);
	const code = qrCodeIn(response);
	const drawn =
		code.kind === 'text' && isObject(fields) ? drawQrImage(code.text, 'png') : undefined;
	const image = imageIn(response) ?? drawn;
	if (!image) {
		return [noQrCodeItem(code.kind === 'none' ? code : { kind: 'none', reason: 'noneYet' })];
	}
	const json = {
		...(isObject(fields) ? itemJson(fields) : {}),
		available: true,
		...imageDetails(image),
	};
	return [{ json, binary: await imageOutput(context, image) }];
}

export const qrImage: Operation = {
	option: {
		name: 'Get QR Image',
		value: 'qrImage',
		action: 'Get QR image of session',
		description: 'Get the QR code as the image that the gateway draws',
	},
	...requestOperation(endpoints.qrImage, { read, readRejected: readRejectedQrCode }),
	properties: [outputDataFieldName],
};
