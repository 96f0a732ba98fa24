import { createHmac } from 'node:crypto';

import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import { filterOf } from '../simulation/dataTable';
import { type Behaviour, isTrue, paired, plainNodes } from '../simulation/simulatedWorkflow';
import type { Tables } from './tables';

/** The HMAC secret of the credential of Crypto nodes. */
export const SECRET = 'secret of the examples';

const passOn: Behaviour = async (_, items) => [paired(items, (json) => json)];
const START = [
	'manualTrigger',
	'scheduleTrigger',
	'formTrigger',
	'webhook',
	'executeWorkflowTrigger',
];

interface Assignment {
	name: string;
	value: unknown;
	type: string;
}

type Parameter = <Value = string>(name: string, fallback?: unknown) => Value;
/** Outputs an item for each input item, with the parameters for that item. */
const each =
	(behaviour: (parameter: Parameter, item: INodeExecutionData) => INodeExecutionData): Behaviour =>
	async (context, items) => [
		items.map((item, index) => {
			const parameter = (name: string, fallback?: unknown): unknown =>
				context.getNodeParameter(name, index, fallback);
			return { ...behaviour(parameter as Parameter, item), pairedItem: { item: index } };
		}),
	];

const binary = (bytes: Buffer, fileName: string, mimeType = 'text/plain') => ({
	data: { data: bytes.toString('base64'), fileName, mimeType },
});
const textIn = (item: INodeExecutionData) =>
	Buffer.from(item.binary!.data!.data, 'base64').toString();

function csv(text: string): IDataObject[] {
	const [header = '', ...lines] = text.trim().split('\n');
	return lines.map((line) => {
		const cells = line.split(',');
		return Object.fromEntries(header.split(',').map((name, index) => [name, cells[index] ?? '']));
	});
}

/** What n8n's own nodes do, as far as the examples use them, by their types. `call` runs the example with an ID, as a sub-workflow, `visit` opens a link. */
export function nodesOfN8n(
	tables: Tables,
	answers: unknown[],
	call: (id: string, items: IDataObject[]) => Promise<IDataObject[]>,
	visit: (link: string) => Promise<IDataObject>,
): Record<string, Behaviour> {
	const answered = (names: string[]) =>
		each((parameter, { json }) => {
			answers.push(Object.fromEntries(names.map((name) => [name, parameter<unknown>(name, '')])));
			return { json };
		});
	return {
		...plainNodes,
		...Object.fromEntries(
			[...START, 'noOp', 'wait', 'messagingGatewayTrigger'].map((name) => [name, passOn]),
		),
		respondToWebhook: answered(['responseBody', 'options']),
		form: answered(['completionTitle', 'completionMessage', 'responseText']),
		async stopAndError(context) {
			throw new Error(context.getNodeParameter('errorMessage', 0) as string);
		},
		set: each((parameter, { json }) => {
			if (parameter('mode', '') === 'raw') {
				const output = parameter<unknown>('jsonOutput');
				return { json: (typeof output === 'string' ? JSON.parse(output) : output) as IDataObject };
			}
			const all = parameter<Assignment[]>('assignments.assignments');
			const converted = all.map(({ name, value, type }) => [
				...[name, type === 'number' ? Number(value) : value],
			]);
			const own = Object.fromEntries(converted) as IDataObject;
			return { json: { ...(parameter<boolean>('includeOtherFields', false) && json), ...own } };
		}),
		async filter(context, items) {
			const all = paired(items, (json) => json);
			return [all.filter((_, item) => isTrue(context.getNodeParameter('conditions', item)))];
		},
		html: async (context, items) => [
			items.map(({ json }, item) => {
				const template = context.getNodeParameter('html', item) as string;
				const html = template.replace(
					/\{\{.*?\}\}/gs,
					(code) => context.evaluateExpression(code, item) as string,
				);
				return { json: { ...json, html }, pairedItem: { item } };
			}),
		],
		crypto: each((parameter, { json }) => {
			const name = parameter('dataPropertyName');
			if (parameter('action') === 'generate') return { json: { ...json, [name]: 'f'.repeat(64) } };
			const hmac = createHmac('sha256', parameter('secret', SECRET)).update(parameter('value'));
			return { json: { ...json, [name]: hmac.digest(parameter<'hex'>('encoding')) } };
		}),
		convertToFile: each((parameter, { json }) => {
			const fileName = parameter('options.fileName', 'file');
			const content = json[parameter('sourceProperty', '')] as string | undefined;
			const encoding = parameter('operation', '') === 'toBinary' ? 'base64' : 'utf8';
			const mimeType = parameter('options.mimeType', 'text/plain');
			return {
				json: {},
				binary: binary(Buffer.from(content ?? JSON.stringify(json), encoding), fileName, mimeType),
			};
		}),
		async extractFromFile(context, items) {
			const operation: unknown = context.getNodeParameter('operation', 0);
			if (operation === 'csv')
				return [
					items.flatMap((item, index) =>
						csv(textIn(item)).map((json) => ({ json, pairedItem: { item: index } })),
					),
				];
			return await each((parameter, item) => {
				const content = operation === 'text' ? textIn(item) : item.binary!.data!.data;
				const kept = parameter('options.keepSource', '');
				const json = { ...(kept ? item.json : {}), [parameter('destinationKey')]: content };
				return kept === 'both' ? { json, binary: item.binary } : { json };
			})(context, items);
		},
		async splitOut(context, items) {
			const field = context.getNodeParameter('fieldToSplitOut', 0) as string;
			return [
				items.flatMap(({ json }, item) =>
					(json[field] as IDataObject[]).map((entry) => ({ json: entry, pairedItem: { item } })),
				),
			];
		},
		async removeDuplicates(context, items) {
			const field = context.getNodeParameter('fieldsToCompare', 0) as string;
			const values = items.map(({ json }) => json[field]);
			return [
				paired(items, (json) => json).filter((_, index) => values.indexOf(values[index]) === index),
			];
		},
		async merge(context) {
			const count = context.getNodeParameter('numberInputs', 0) as number;
			return [
				Array.from({ length: count }, (_, input) => context.getInputData(input) ?? []).flat(),
			];
		},
		async httpRequest(context) {
			const parameter = (name: string): unknown => context.getNodeParameter(name, 0, '');
			if (parameter('method') === '') return [[{ json: await visit(parameter('url') as string) }]];
			const request = { method: 'POST', url: parameter('url'), body: parameter('jsonBody') };
			const send = context.helpers.httpRequestWithAuthentication.bind(context);
			const body: unknown = await send('messagingGatewayApi', request as IHttpRequestOptions);
			return [[{ json: body as IDataObject }]];
		},
		async executeWorkflow(context, items) {
			const { value: id } = context.getNodeParameter('workflowId', 0) as { value: string };
			const inputs = (item: number) => context.getNodeParameter('workflowInputs.value', item);
			const output = await call(
				id,
				items.map((_, item) => inputs(item) as IDataObject),
			);
			return [output.map((json, item) => ({ json, pairedItem: { item } }))];
		},
		dataTable: dataTableNode(tables),
	};
}

export const FULL = 'Data table size limit exceeded: 200MB used, limit is 200MB';

/** If the workflow is to go on after an error, n8n's node outputs its input, as if nothing had happened. */
export const dataTableNode =
	(tables: Tables): Behaviour =>
	async (context, items) => {
		const outputOf = (json: IDataObject, item: number): IDataObject[] => {
			try {
				return rowsOf(context, item, json, tables);
			} catch (error) {
				if (!context.continueOnFail()) throw error;
				return [context.getNodeParameter('operation', 0) === 'insert' ? { json } : json];
			}
		};
		const output = items.flatMap(({ json }, item) =>
			outputOf(json, item).map((row) => ({ json: row, pairedItem: { item } })),
		);
		return await Promise.resolve([output]);
	};

function rowsOf(
	context: IExecuteFunctions,
	item: number,
	json: IDataObject,
	tables: Tables,
): IDataObject[] {
	const parameter = (name: string, fallback?: unknown): unknown =>
		context.getNodeParameter(name, item, fallback);
	const operation = parameter('operation') as string;
	if (operation === 'create') return [{}];
	const isWrite = ['insert', 'update', 'upsert'].includes(operation);
	if (isWrite && tables.isFull) throw new Error(FULL);
	const table = tables.table((parameter('dataTableId') as { value: string }).value);
	const filter = filterOf(parameter);
	const now = Date.now();
	const values = () => (parameter('columns') as { value: IDataObject }).value;
	switch (operation) {
		case 'get': {
			const limit = parameter('returnAll', false) ? Infinity : (parameter('limit', 50) as number);
			const rows = ordered(table.get(filter), parameter).slice(0, limit);
			tables.read[context.getNode().name] = rows.length;
			return rows;
		}
		case 'rowExists':
			return table.get(filter).length > 0 ? [json] : [];
		case 'rowNotExists':
			return table.get(filter).length === 0 ? [json] : [];
		case 'insert':
			return [table.insert(values(), now)];
		case 'update':
			return table.update(filter, values(), now);
		case 'upsert': {
			const updated = table.update(filter, values(), now);
			return updated.length > 0 ? updated : [table.insert(values(), now)];
		}
		case 'deleteRows':
			return table.delete(filter);
		default:
			throw new Error(`runExample has no ${operation}`);
	}
}

function ordered(
	rows: IDataObject[],
	parameter: (name: string, fallback?: unknown) => unknown,
): IDataObject[] {
	if (parameter('orderBy', false) !== true) return rows;
	const column = parameter('orderByColumn') as string;
	const sign = parameter('orderByDirection') === 'DESC' ? -1 : 1;
	return rows.toSorted((a, b) => sign * (a[column]! < b[column]! ? -1 : 1));
}
