import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { endpoints } from '../../../gateway/wire/endpoints';
import { qrCodeIn } from '../../../gateway/replies/qrCode';
import { qrImage } from '../../../gateway/replies/qrImage';
import type { GatewayResponse } from '../../../gateway/wire/response';
import { itemJson } from '../request/items';
import type { Operation } from '../request/operation';
import { requestOperation } from '../request/routing';
import { imageDetails, imageOutput, outputDataFieldName } from './binaryOutput';
import { noQrCodeItem, readRejectedQrCode } from './noQrCode';

async function read(response: GatewayResponse, context: IExecuteSingleFunctions) {
	const code = qrCodeIn(response);
	if (code.kind === 'none') return [noQrCodeItem(code)];
	if (code.kind === 'image') {
		const json = { qr: null, available: true, ...imageDetails(code.image) };
		return [{ json, binary: await imageOutput(context, code.image) }];
	}
	const json = { ...itemJson(code.fields), available: true };
	const output = context.getNodeParameter('qrOutput', 'png') as 'data' | 'png' | 'svg';
	if (output === 'data') return [{ json }];
	const image = qrImage(code.text, output);
	const binary = await imageOutput(context, image);
	return [{ json: { ...json, ...imageDetails(image) }, binary }];
}

export const qr: Operation = {
	option: {
		name: 'Get QR Code',
		value: 'qr',
		action: 'Get QR code of session',
		description: 'Get the QR code that pairs the phone, as text or image',
	},
	...requestOperation(endpoints.qr, { read, readRejected: readRejectedQrCode }),
	properties: [
		{
			displayName: 'Output',
			name: 'qrOutput',
			type: 'options',
			options: [
				{ name: 'Text Only', value: 'data', description: 'The text encoded in the QR code' },
				{
					name: 'Text and PNG Image',
					value: 'png',
					description: 'For chats, emails and most web pages',
				},
				{ name: 'Text and SVG Image', value: 'svg', description: 'Sharp at every size' },
			],
			default: 'png',
			description: 'What to output. The node draws the image from the text.',
		},
		{ ...outputDataFieldName, displayOptions: { show: { qrOutput: ['png', 'svg'] } } },
	],
};
