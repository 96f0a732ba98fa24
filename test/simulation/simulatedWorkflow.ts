import { compileFunction } from 'node:vm';

import { WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type Expression,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type IWorkflowDataProxyData,
	Workflow,
} from 'n8n-workflow';

import { additionalData, description } from '../harness/engine';
import type { Example } from '../harness/exampleCode';

/** What a node does with its input items. */
export type Behaviour = (
	context: IExecuteFunctions,
	items: INodeExecutionData[],
) => Promise<INodeExecutionData[][]>;

/** Runs the workflow of an example in n8n's own engine. Only what its nodes do is simulated: `behaviours`, by their types. */
export class SimulatedWorkflow {
	readonly #workflow: Workflow;

	constructor(
		{ nodes, connections }: Pick<Example, 'nodes' | 'connections'>,
		private readonly trigger: string,
		behaviours: Record<string, Behaviour>,
	) {
		const steps = nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
		const types = new Map(
			steps.map(({ type }) => [type, nodeType(type, behaviours[type.split('.').at(-1)!])]),
		);
		this.#workflow = new Workflow({
			id: 'outbox',
			active: true,
			nodes: structuredClone(steps),
			connections: connections as never,
			nodeTypes: nodeTypesIn(types),
			settings: { executionOrder: 'v1', timezone: 'UTC' },
		});
		// Without descriptions of its parameters, n8n leaves a node none.
		for (const { name, parameters } of steps) this.#workflow.nodes[name]!.parameters = parameters;
		shareGlobals(this.#workflow.expression as unknown as { expression: Expression });
	}

	/** `json` is what the trigger outputs. */
	async execute(executionId: string, json: IDataObject = {}): Promise<void> {
		const node = this.#workflow.nodes[this.trigger]!;
		const data = createRunExecutionData({
			executionData: {
				nodeExecutionStack: [{ node, data: { main: [[{ json }]] }, source: null }],
			},
		});
		const account = { baseUrl: '', token: '', secret: '' };
		const engine = new WorkflowExecute(additionalData({ account, executionId }), 'trigger', data);
		const run = await engine.processRunExecutionData(this.#workflow);
		const { error } = run.data.resultData;
		if (error) throw new Error(`${error.message}: ${JSON.stringify(error)}`.slice(0, 2_000));
	}
}

/** n8n copies some 100 globals for each expression, which would take a third of the time of a simulation: all share these. */
function shareGlobals({ expression }: { expression: Expression }): void {
	const resolve = expression.resolveSimpleParameterValue.bind(expression);
	const globals = {} as IWorkflowDataProxyData;
	resolve('={{ 1 }}', globals);
	const ignored = { has: () => true, set: () => true, defineProperty: () => true };
	expression.resolveSimpleParameterValue = (value, data, asString) => {
		const get = (_: object, name: string): unknown => (name in globals ? globals : data)[name];
		return resolve(
			value,
			new Proxy<IWorkflowDataProxyData>(globals, { ...ignored, get }),
			asString,
		);
	};
}

/** As n8n's Workflow asks for them. */
export const nodeTypesIn = (types: Map<string, INodeType>) => ({
	getByName: (name: string) => types.get(name)!,
	getByNameAndVersion: (name: string) => types.get(name)!,
	getKnownTypes: () => ({}),
});

function nodeType(name: string, behaviour?: Behaviour): INodeType {
	return {
		description: { ...description(name), credentials: [] },
		async execute(this: IExecuteFunctions) {
			if (!behaviour) throw new Error(`The simulation has no ${name}`);
			return await behaviour(this, this.getInputData());
		},
	};
}

/** An output item for each input item. */
export const paired = (
	items: INodeExecutionData[],
	jsonOf: (json: IDataObject, item: number) => IDataObject,
): INodeExecutionData[] =>
	items.map(({ json, binary }, item) => ({
		...{ json: jsonOf(json, item), pairedItem: { item } },
		...(binary && { binary }),
	}));

function distributed(
	items: INodeExecutionData[],
	outputs: number,
	outputOf: (item: number) => number,
): INodeExecutionData[][] {
	const all = paired(items, (json) => json);
	const places = all.map((_, item) => outputOf(item));
	return Array.from({ length: outputs }, (_, output) =>
		all.filter((_, item) => places[item] === output),
	);
}

type Code = (...values: unknown[]) => INodeExecutionData[];
const functions = new Map<string, Code>();
const VISIBLE = [
	...['$', '$input', '$now', '$execution', '$runIndex', 'DateTime', '$getWorkflowStaticData'],
];

/** Nodes that have nothing to do with time. */
export const plainNodes: Record<string, Behaviour> = {
	async set(context, items) {
		const valuesFor = (item: number) => {
			const { assignments } = context.getNodeParameter('assignments', item) as {
				assignments: Array<{ name: string; value: IDataObject[string] }>;
			};
			return Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
		};
		return [paired(items, (_, item) => valuesFor(item))];
	},
	async code(context) {
		const jsCode = (context.getNode().parameters as { jsCode: string }).jsCode;
		functions.set(jsCode, functions.get(jsCode) ?? (compileFunction(jsCode, VISIBLE) as Code));
		const data = context.getWorkflowDataProxy(0);
		const own: Record<string, unknown> = {
			$getWorkflowStaticData: (type: string) => context.getWorkflowStaticData(type),
		};
		return [functions.get(jsCode)!(...VISIBLE.map((name) => own[name] ?? (data[name] as unknown)))];
	},
	async if(context, items) {
		return distributed(items, 2, (item) =>
			isTrue(context.getNodeParameter('conditions', item)) ? 0 : 1,
		);
	},
	async switch(context, items) {
		const rules = (item: number) =>
			(context.getNodeParameter('rules', item) as { values: Array<{ conditions: unknown }> })
				.values;
		const fallback = rules(0).length;
		return distributed(items, fallback + 1, (item) => {
			const found = rules(item).findIndex(({ conditions }) => isTrue(conditions));
			return found === -1 ? fallback : found;
		});
	},
	async sort(context, items) {
		const { sortField } = context.getNodeParameter('sortFieldsUi', 0) as {
			sortField: [{ fieldName: string }];
		};
		const value = ({ json }: INodeExecutionData) => json[sortField[0].fieldName] as number;
		return [paired(items, (json) => json).sort((a, b) => value(a) - value(b))];
	},
};

/** All conditions of the examples are expressions that are true or false, or a text that is empty. */
export const isTrue = (filter: unknown) =>
	(
		filter as { conditions: Array<{ leftValue: unknown; operator: { operation: string } }> }
	).conditions.every(({ leftValue, operator }) =>
		operator.operation === 'empty' ? leftValue === '' : leftValue === true,
	);
