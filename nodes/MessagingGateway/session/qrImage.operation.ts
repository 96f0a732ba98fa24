import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import { type Answer, isObject, isWebPage, qrCode } from '../../../gateway/answer';
import { pictureIn, withoutPictures } from '../../../gateway/picture';
import { qrPicture } from '../../../gateway/qrPicture';
import { itemJson, reading } from '../items';
import { noQr, withoutQr } from './noQr';
import { asBinary, described, outputDataFieldName } from './picture';

export const properties: INodeProperties[] = updateDisplayOptions(
	{ show: { resource: ['session'], operation: ['qrImage'] } },
	[outputDataFieldName],
);

export const read = reading(
	async function (answer) {
		const beside = withoutPictures(answer.data);
		const picture = pictureIn(answer) ?? drawnHere(answer, beside);
		if (!picture) return [withoutQr(answer)];
		const json = {
			...(isObject(beside) ? itemJson(beside) : {}),
			available: true,
			...described(picture),
		};
		return [{ json, binary: await asBinary(this, picture) }];
	},
	{ expected: noQr },
);

/** A gateway that answers with the text instead: what it stands for can be drawn. */
function drawnHere(answer: Answer, data: unknown) {
	const code = isObject(data) && !isWebPage(answer) ? qrCode(data) : undefined;
	return code && qrPicture(String(code.qr), 'png');
}
