import type { IBinaryData, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import type { Image } from '../../../gateway/replies/image';

export const outputDataFieldName: INodeProperties = {
	displayName: 'Output Data Field Name',
	name: 'outputDataFieldName',
	type: 'string',
	default: 'data',
	required: true,
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the image in',
};

export const outputFieldOf = (context: IExecuteSingleFunctions) =>
	(context.getNodeParameter('outputDataFieldName', 'data') as string) || 'data';

const fileName = ({ extension }: Image) => `qr.${extension}`;

export async function imageOutput(
	context: IExecuteSingleFunctions,
	image: Image,
	field = outputFieldOf(context),
): Promise<Record<string, IBinaryData>> {
	const { bytes, mimeType } = image;
	return { [field]: await context.helpers.prepareBinaryData(bytes, fileName(image), mimeType) };
}

/** For the JSON of the item, because an AI agent sees nothing of a binary-only result. */
export const imageDetails = (image: Image) => ({
	fileName: fileName(image),
	mimeType: image.mimeType,
	fileSize: image.bytes.length,
});
