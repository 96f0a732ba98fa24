/** Example 4 in n8n's own engine: whatever becomes of the rows of a file, the report has each of them once. */
import fc from 'fast-check';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Behaviour } from '../simulation/simulatedWorkflow';
import { exampleWith } from './exampleWith';
import { Tables } from './tables';

/** By the result in the report: which row, as its phone number says. A number has several spellings here: its last letter. */
const FATES = ['incomplete', 'invalid', 'opted out', 'offline', 'unknown', 'not sent', 'sent'];
const fateOf = ({ phone }: IDataObject) => FATES[Number((phone as string)[0])];

const failed = (json: IDataObject, item: number): INodeExecutionData => ({
	json,
	pairedItem: { item },
});

const gateway: Behaviour = async (context, items) => {
	await Promise.resolve();
	const isCheck = context.getNodeParameter('operation', 0, 'send') === 'check';
	const output = items.map(({ json }, item) => {
		const fate = fateOf(json);
		if (isCheck && fate === 'invalid') return failed({ error: "'Chat ID' is wrong" }, item);
		if (isCheck) {
			const identity = (json.phone as string).slice(0, -1);
			return {
				json: { identity, chatId: identity, text: 'Hello', input: json },
				pairedItem: { item },
			};
		}
		const details: Record<string, IDataObject> = {
			...{
				offline: { cause: 'offline' },
				unknown: { retry: 'check' },
				'not sent': { retry: 'never' },
			},
		};
		if (details[fate!]) return failed({ error: 'No', details: details[fate!] }, item);
		return { json: { outcome: 'sent' }, pairedItem: { item } };
	});
	return [output];
};

const mayIWrite: Behaviour = async (_, items) => {
	await Promise.resolve();
	const output = items.map(({ json }, item) =>
		fateOf(json) === 'opted out'
			? failed({ error: 'This person has opted out' }, item)
			: { json, pairedItem: { item } },
	);
	return [output];
};

const merge: Behaviour = async (context) => {
	await Promise.resolve();
	const count = context.getNodeParameter('numberInputs', 0) as number;
	return [Array.from({ length: count }, (_, input) => context.getInputData(input)).flat()];
};

/** What the report says about the rows of a file with these phone numbers. */
async function reportOf(phones: string[], isAsked: boolean): Promise<IDataObject[]> {
	const lines = phones.map((phone) => `${phone},Ada,${phone.startsWith('0') ? '' : 'Monday'}`);
	const csv = ['phone,name,appointment', ...lines].join('\n');
	let report: IDataObject[] = [];
	const workflow = exampleWith(
		'4-bulk-send-from-csv',
		'Text of the file',
		new Tables(),
		{
			extractFromFile: async () => await Promise.resolve([[{ json: { csv } }]]),
			messagingGateway: gateway,
			executeWorkflow: mayIWrite,
			merge,
			convertToFile: async (context) => {
				report = (
					context.getWorkflowDataProxy(0).$ as (node: string) => {
						all: () => INodeExecutionData[];
					}
				)('Report')
					.all()
					.map(({ json }) => json);
				return await Promise.resolve([[]]);
			},
		},
		(nodes) =>
			nodes.map((node) => (node.name === 'May I write?' ? { ...node, disabled: !isAsked } : node)),
	);
	await workflow.execute('1');
	return report;
}

test.each([
	['6a,6b', ['sent: ', 'skipped: same as row 2']],
	[
		'0a,1a,2a,3a,4a,5a,6a',
		['not sent', 'not sent', 'skipped', 'no phone online', 'unknown', 'not sent', 'sent'],
	],
])('the rows %s become %j', async (phones, results) => {
	const report = await reportOf(phones.split(','), true);
	expect(report.map(({ result, reason }) => `${result as string}: ${reason as string}`)).toEqual(
		results.map((each) => expect.stringContaining(each) as string),
	);
});

test('each row is in the report once', async () => {
	const phone = fc
		.tuple(fc.nat(6), fc.nat(3), fc.constantFrom('a', 'b'))
		.map((parts) => parts.join(''));
	const phones = fc.array(phone, { minLength: 1, maxLength: 12 });
	const property = fc.asyncProperty(phones, fc.boolean(), async (rows, isAsked) => {
		const report = await reportOf(rows, isAsked);
		expect(report.map((row) => [row.row, row.phone])).toEqual(
			rows.map((each, index) => [index + 2, each]),
		);
		const sent = report.filter(({ result }) => result === 'sent');
		expect(new Set(sent.map((row) => (row.phone as string).slice(0, -1))).size).toBe(sent.length);
	});
	await fc.assert(property, { seed: 1, numRuns: 15 });
});
