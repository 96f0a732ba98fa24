import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';

import { Settings } from 'luxon';
import { WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeType,
	Workflow,
} from 'n8n-workflow';

import { additionalData, description } from '../harness/engine';
import type { VirtualClock } from '../harness/virtualClock';
import type { Condition, Table } from './dataTable';

/** What a node does with its input items. */
export type Behaviour = (
	context: IExecuteFunctions,
	items: INodeExecutionData[],
) => Promise<INodeExecutionData[][]>;

interface WorkflowFile {
	nodes: INode[];
	connections: object;
}

export const readWorkflow = (name: string) =>
	JSON.parse(readFileSync(join(__dirname, `../../workflows/${name}.json`), 'utf8')) as WorkflowFile;

/** Runs the workflow of a file in n8n's own engine. Only what its nodes do is simulated: `behaviours`, by their types. */
export class SimulatedWorkflow {
	readonly #workflow: Workflow;

	constructor(file: WorkflowFile, behaviours: Record<string, Behaviour>) {
		const { nodes, connections } = file;
		const steps = nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
		const types = new Map(
			steps.map(({ type }) => [type, nodeType(type, behaviours[type.split('.').at(-1)!])]),
		);
		this.#workflow = new Workflow({
			id: 'outbox',
			active: true,
			nodes: structuredClone(steps),
			connections: connections as never,
			nodeTypes: {
				getByName: (name: string) => types.get(name)!,
				getByNameAndVersion: (name: string) => types.get(name)!,
				getKnownTypes: () => ({}),
			},
			settings: { executionOrder: 'v1', timezone: 'UTC' },
		});
		// Without descriptions of its parameters, n8n leaves a node none.
		for (const { name, parameters } of steps) this.#workflow.nodes[name]!.parameters = parameters;
	}

	/** The `seconds` of the schedule that runs the whole workflow. */
	get everySeconds(): number {
		const { rule } = this.trigger.parameters as { rule: { interval: IDataObject[] } };
		return rule.interval[0]!.secondsInterval as number;
	}

	get trigger(): INode {
		return Object.values(this.#workflow.nodes).find(
			({ type, parameters }) =>
				type.endsWith('.scheduleTrigger') && 'secondsInterval' in firstInterval(parameters),
		)!;
	}

	async execute(executionId: string): Promise<void> {
		const data = createRunExecutionData({
			executionData: {
				nodeExecutionStack: [
					{ node: this.trigger, data: { main: [[{ json: {} }]] }, source: null },
				],
			},
		});
		const account = { baseUrl: '', token: '', secret: '' };
		const engine = new WorkflowExecute(additionalData({ account, executionId }), 'trigger', data);
		const run = await engine.processRunExecutionData(this.#workflow);
		const { error } = run.data.resultData;
		if (error) throw new Error(`${error.message}: ${JSON.stringify(error)}`.slice(0, 2_000));
	}
}

const firstInterval = (parameters: INode['parameters']) =>
	(parameters.rule as { interval: [object] }).interval[0];

function nodeType(name: string, behaviour?: Behaviour): INodeType {
	return {
		description: { ...description(name), credentials: [] },
		async execute(this: IExecuteFunctions) {
			if (!behaviour) throw new Error(`The simulation has no ${name}`);
			return await behaviour(this, this.getInputData());
		},
	};
}

/** What expressions and Code nodes see as the time. */
export function useClock(clock: VirtualClock): void {
	Settings.now = () => clock.date();
	Settings.defaultZone = 'utc';
}

const each = (items: INodeExecutionData[], list: (item: number) => IDataObject[]) =>
	items.flatMap((_, item) => list(item).map((json) => ({ json, pairedItem: { item } })));

type Code = (...values: unknown[]) => INodeExecutionData[];
const functions = new Map<string, Code>();
const VISIBLE = ['$', '$input', '$now', '$execution', '$runIndex', 'DateTime'];

/** Nodes that have nothing to do with time. */
export const plainNodes: Record<string, Behaviour> = {
	async set(context, items) {
		const { assignments } = context.getNodeParameter('assignments', 0) as {
			assignments: Array<{ name: string; value: unknown }>;
		};
		const json = Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
		return [each(items, () => [json as IDataObject])];
	},
	async code(context) {
		const jsCode = (context.getNode().parameters as { jsCode: string }).jsCode;
		functions.set(jsCode, functions.get(jsCode) ?? (compileFunction(jsCode, VISIBLE) as Code));
		const data = context.getWorkflowDataProxy(0);
		return [functions.get(jsCode)!(...VISIBLE.map((name) => data[name] as unknown))];
	},
	async if(context, items) {
		const outputs: INodeExecutionData[][] = [[], []];
		for (const [item, { json }] of items.entries()) {
			outputs[isTrue(context.getNodeParameter('conditions', item)) ? 0 : 1]!.push({
				...{ json, pairedItem: { item } },
			});
		}
		return outputs;
	},
	async switch(context, items) {
		const outputs: INodeExecutionData[][] = [];
		for (const [item, { json }] of items.entries()) {
			const { values } = context.getNodeParameter('rules', item) as {
				values: Array<{ conditions: unknown }>;
			};
			const found = values.findIndex(({ conditions }) => isTrue(conditions));
			const output = found === -1 ? values.length : found;
			for (let index = 0; index <= values.length; index++) outputs[index] ??= [];
			outputs[output]!.push({ json, pairedItem: { item } });
		}
		return outputs;
	},
	async sort(context, items) {
		const { sortField } = context.getNodeParameter('sortFieldsUi', 0) as {
			sortField: [{ fieldName: string }];
		};
		const value = ({ json }: INodeExecutionData) => json[sortField[0].fieldName] as number;
		const paired = items.map(({ json }, item) => ({ json, pairedItem: { item } }));
		return [paired.sort((a, b) => value(a) - value(b))];
	},
};

/** All conditions of the examples are expressions that are true or false. */
const isTrue = (filter: unknown) =>
	(filter as { conditions: Array<{ leftValue: unknown }> }).conditions.every(
		({ leftValue }) => leftValue === true,
	);

/** `transaction` runs its argument when the database has got to it. `onUpdate` sees each update before it is written. */
export const dataTable =
	(
		tables: Record<string, Table>,
		transaction: <Value>(context: IExecuteFunctions, run: () => Value) => Promise<Value>,
		now: () => number,
		onUpdate: (
			context: IExecuteFunctions,
			table: Table,
			ids: number[],
			values: IDataObject,
		) => void,
	): Behaviour =>
	async (context, items) => {
		const operation: string = context.getNodeParameter('operation', 0);
		if (operation === 'create') return [await transaction(context, () => each(items, () => [{}]))];
		const output: INodeExecutionData[] = [];
		for (const item of items.keys()) {
			const parameter = (name: string, fallback?: unknown): unknown =>
				context.getNodeParameter(name, item, fallback);
			const table = tables[(parameter('dataTableId') as { value: string }).value]!;
			const conditions = parameter('filters.conditions', []) as Condition[];
			if (parameter('matchType') !== 'allConditions') throw new Error('Not implemented');
			const list = await transaction(context, () => {
				switch (operation) {
					case 'get': {
						const limit = parameter('returnAll', false) ? Infinity : parameter('limit', 50);
						return table.get(conditions, limit as number);
					}
					case 'update': {
						const { value } = parameter('columns') as { value: IDataObject };
						onUpdate(
							context,
							table,
							table.find(conditions).map(({ id }) => id),
							value,
						);
						return table.update(conditions, value, now());
					}
				}
				throw new Error(`The simulation has no ${operation}`);
			});
			output.push(...list.map((json) => ({ json, pairedItem: { item } })));
		}
		return [output];
	};
