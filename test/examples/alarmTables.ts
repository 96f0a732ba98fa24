import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type Example, example } from '../harness/exampleCode';
import { type Condition, matching } from '../simulation/dataTable';
import { type Behaviour, plainNodes, SimulatedWorkflow } from '../simulation/simulatedWorkflow';

export const OUTBOX = 'Messaging outbox';
export const FULL = 'Data table size limit exceeded: 200MB used, limit is 200MB';

/**
 * The data tables of an n8n. As in n8n 2.41, full ones can be read and deleted from, and created, but neither inserted into nor updated.
 * If the workflow is to go on after an error, the node outputs its input, as if nothing had happened.
 */
export class Tables {
	isFull = false;
	/** What each node has read, in number of rows. */
	readonly read: Record<string, number> = {};
	readonly #rows = new Map<string, IDataObject[]>();
	#lastId = 0;

	rowsOf(table: string): IDataObject[] {
		if (!this.#rows.has(table)) this.#rows.set(table, []);
		return this.#rows.get(table)!;
	}

	insert(table: string, row: IDataObject): IDataObject {
		const now = new Date().toISOString();
		const stored = { id: ++this.#lastId, createdAt: now, updatedAt: now, ...row };
		this.rowsOf(table).push(stored);
		return stored;
	}

	/** What the Data Table node does. */
	readonly node: Behaviour = async (context, items) => {
		const output: INodeExecutionData[] = [];
		for (const [item, { json }] of items.entries()) {
			try {
				const rows = this.#call(context, item, json);
				output.push(...rows.map((row) => ({ json: { ...row }, pairedItem: { item } })));
			} catch (error) {
				if (!context.continueOnFail()) throw error;
				const isInsert = context.getNodeParameter('operation', 0) === 'insert';
				output.push({ json: isInsert ? { json } : json });
			}
		}
		return await Promise.resolve([output]);
	};

	#call(context: IExecuteFunctions, item: number, input: IDataObject): IDataObject[] {
		const parameter = <Value>(name: string, fallback?: unknown) =>
			context.getNodeParameter(name, item, fallback) as Value;
		const operation = parameter<string>('operation');
		if (operation === 'create') return [{}];
		const writes = ['insert', 'update', 'upsert'].includes(operation);
		if (writes && this.isFull) throw new Error(FULL);
		const table = parameter<{ value: string }>('dataTableId').value;
		const conditions = parameter<Condition[]>('filters.conditions', []).map((each) =>
			asNumbers(each),
		);
		const found = this.rowsOf(table).filter((row) => matching(conditions)(asNumbersIn(row)));
		const values = () => parameter<{ value: IDataObject }>('columns').value;
		switch (operation) {
			case 'get': {
				const rows = ordered(found, context).slice(0, limitOf(context));
				this.read[context.getNode().name] = rows.length;
				return rows;
			}
			case 'rowExists':
				return found.length > 0 ? [input] : [];
			case 'deleteRows':
				this.#rows.set(
					table,
					this.rowsOf(table).filter((row) => !found.includes(row)),
				);
				return found;
			case 'upsert':
				return found.length > 0 ? found : [this.insert(table, values())];
			case 'update':
				return found.map((row) => Object.assign(row, values()));
			case 'insert':
				return [this.insert(table, values())];
			default:
				throw new Error(`There is no ${operation}`);
		}
	}
}

function limitOf(context: IExecuteFunctions): number {
	const limit: number = context.getNodeParameter('limit', 0, 50);
	return context.getNodeParameter('returnAll', 0, false) === true ? Infinity : limit;
}

function ordered(rows: IDataObject[], context: IExecuteFunctions): IDataObject[] {
	if (context.getNodeParameter('orderBy', 0, false) !== true) return rows;
	const column = context.getNodeParameter('orderByColumn', 0) as string;
	const sign = context.getNodeParameter('orderByDirection', 0) === 'DESC' ? -1 : 1;
	return [...rows].sort((a, b) => sign * (a[column]! < b[column]! ? -1 : 1));
}

const TIMES = ['createdAt', 'updatedAt', 'nextAttemptAt', 'sentAt', 'sendAt', 'expiresAt'];
const asNumber = (value: unknown) => (typeof value === 'string' ? Date.parse(value) : value);
const asNumbers = (each: Condition): Condition =>
	TIMES.includes(each.keyName) ? { ...each, keyValue: asNumber(each.keyValue) } : each;
function asNumbersIn(row: IDataObject): IDataObject {
	const numbers = { ...row };
	for (const time of TIMES) numbers[time] = asNumber(row[time]) as number;
	return numbers;
}

/** An example in n8n's own engine, with these tables. `edit` is what a user changes in it. */
export function exampleWith(
	file: string,
	trigger: string,
	tables: Tables,
	behaviours: Record<string, Behaviour> = {},
	edit = (nodes: Example['nodes']) => nodes,
): SimulatedWorkflow {
	const { nodes, connections } = structuredClone(example(file));
	const edited = edit(nodes);
	const isLeft = ({ node }: { node: string }) => edited.some(({ name }) => name === node);
	for (const { main } of Object.values(connections)) {
		for (const [output, next] of main!.entries()) main![output] = next.filter(isLeft);
	}
	return new SimulatedWorkflow({ nodes: edited, connections }, trigger, {
		...plainNodes,
		scheduleTrigger: async (_, items) => await Promise.resolve([items]),
		dataTable: tables.node,
		...behaviours,
	});
}
