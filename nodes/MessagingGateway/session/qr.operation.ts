import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import { pictureIn } from '../../../gateway/picture';
import { qrPicture } from '../../../gateway/qrPicture';
import { itemJson, reading } from '../items';
import { qrTextIn } from './code';
import { noQr, withoutQr } from './noQr';
import { asBinary, described, outputDataFieldName } from './picture';

export const properties: INodeProperties[] = updateDisplayOptions(
	{ show: { resource: ['session'], operation: ['qr'] } },
	[
		{
			displayName: 'Output',
			name: 'qrOutput',
			type: 'options',
			options: [
				{ name: 'Text Only', value: 'data', description: 'The text that the QR code stands for' },
				{
					name: 'Text and PNG Picture',
					value: 'png',
					description: 'For chats, e-mails and most pages',
				},
				{ name: 'Text and SVG Picture', value: 'svg', description: 'Sharp at every size' },
			],
			default: 'data',
			description: 'What to put out. Pictures are drawn here, from the text.',
		},
		{ ...outputDataFieldName, displayOptions: { show: { qrOutput: ['png', 'svg'] } } },
	],
);

export const read = reading(
	async function (answer) {
		const code = qrTextIn(answer);
		if (code === undefined) {
			const given = pictureIn(answer);
			if (!given) return [withoutQr(answer)];
			const json = { qr: null, available: true, ...described(given) };
			return [{ json, binary: await asBinary(this, given) }];
		}

		const json = { ...itemJson(code), available: true };
		const output = this.getNodeParameter('qrOutput', 'data') as 'data' | 'png' | 'svg';
		if (output === 'data') return [{ json }];
		const drawn = qrPicture(String(code.qr), output);
		return [{ json: { ...json, ...described(drawn) }, binary: await asBinary(this, drawn) }];
	},
	{ expected: noQr },
);
