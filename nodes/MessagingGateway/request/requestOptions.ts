import type { INodeProperties } from 'n8n-workflow';

/** n8n adds these to declarative nodes without a webhook only. The error messages refer to them. */
export const requestOptions = (
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
		{
			displayName: 'Ignore SSL Issues (Insecure)',
			name: 'allowUnauthorizedCerts',
			type: 'boolean',
			noDataExpression: true,
			default: false,
			description: 'Whether to connect even if SSL certificate validation is not possible',
		},
		{
			displayName: 'Proxy',
			name: 'proxy',
			type: 'string',
			default: '',
			placeholder: 'e.g. http://myproxy:3128',
			description:
				'HTTP proxy to use, e.g. http://myproxy:3128, or http://user:password@myproxy:3128 if it requires a password',
		},
		{
			displayName: 'Timeout',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 10000,
			description: timeoutDescription,
		},
	],
});

/** As n8n declares it. */
export const batching: INodeProperties = {
	displayName: 'Batching',
	name: 'batching',
	placeholder: 'Add Batching',
	type: 'fixedCollection',
	typeOptions: { multipleValues: false },
	default: { batch: {} },
	options: [
		{
			displayName: 'Batching',
			name: 'batch',
			values: [
				{
					displayName: 'Items per Batch',
					name: 'batchSize',
					type: 'number',
					typeOptions: { minValue: -1 },
					default: 50,
					description: 'How many items to send before a break. -1 or 0 mean 1.',
				},
				{
					displayName: 'Batch Interval (Milliseconds)',
					name: 'batchInterval',
					type: 'number',
					typeOptions: { minValue: 0 },
					default: 1000,
					description: 'How long the break is. 0 for none.',
				},
			],
		},
	],
};
