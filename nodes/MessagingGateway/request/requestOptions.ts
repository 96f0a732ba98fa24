import type { INodeProperties } from 'n8n-workflow';

import { group, number, text, toggle } from '../fields/field';

/** n8n adds these to declarative nodes without a webhook only. The error messages refer to them. */
export const requestOptionsField = (
	timeoutDescription: string,
	...others: INodeProperties[]
): INodeProperties => ({
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	isNodeSetting: true,
	placeholder: 'Add Option',
	default: {},
	options: [
		...others,
		toggle('allowUnauthorizedCerts', 'Ignore SSL Issues (Insecure)', { noDataExpression: true })(
			'Whether to connect even if SSL certificate validation is not possible',
		),
		text('proxy', 'Proxy', { example: 'http://myproxy:3128' })(
			'HTTP proxy to use, e.g. http://myproxy:3128, or http://user:password@myproxy:3128 if it requires a password',
		),
		number('timeout', 'Timeout', [1], 10000)(timeoutDescription),
	],
});

/** As n8n declares it. */
export const batchingField = group(
	'batching',
	'Batching',
	{ batch: {} },
	['batch', 'Batching'],
	[
		number(
			'batchSize',
			'Items per Batch',
			[-1],
			50,
		)('How many items to send before a break. -1 or 0 mean 1.'),
		number(
			'batchInterval',
			'Batch Interval (Milliseconds)',
			[0],
			1000,
		)('How long the break is. 0 for none.'),
	],
	{ placeholder: 'Add Batching', typeOptions: { multipleValues: false } },
)();
