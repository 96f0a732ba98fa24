import type { IBinaryData, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import type { Picture } from '../../../gateway/picture';

export const outputDataFieldName: INodeProperties = {
	displayName: 'Output Data Field Name',
	name: 'outputDataFieldName',
	type: 'string',
	default: 'data',
	required: true,
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the picture in',
};

export const fieldOf = (context: IExecuteSingleFunctions) =>
	(context.getNodeParameter('outputDataFieldName', 'data') as string) || 'data';

export async function asBinary(
	context: IExecuteSingleFunctions,
	{ bytes, mimeType, extension }: Picture,
	field = fieldOf(context),
): Promise<Record<string, IBinaryData>> {
	const name = `qr.${extension}`;
	return { [field]: await context.helpers.prepareBinaryData(bytes, name, mimeType) };
}

/** An agent gets nothing from a result that is binary only, so the picture is told about in JSON, too. */
export const described = ({ bytes, mimeType, extension }: Picture) => ({
	fileName: `qr.${extension}`,
	mimeType,
	fileSize: bytes.length,
});
