import { WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type IRun,
	type IRunExecutionData,
	Workflow,
} from 'n8n-workflow';

import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { type Account, additionalData, description } from '../harness/engine';
import { type Example, EXAMPLES, type Fields } from '../harness/exampleCode';
import { nodeTypesIn } from '../simulation/simulatedWorkflow';
import { nodesOfN8n } from './exampleNodes';
import type { Tables } from './tables';

/**
 * Runs an example in n8n's own engine, with this package's node and a sandbox as the gateway. What n8n's own nodes do is simulated, as
 * far as the examples use them.
 */
export interface ExampleRun {
	file: string;
	/** The node with which it starts, and what that node outputs. */
	trigger: string;
	items?: INodeExecutionData[];
	account: Account;
	tables: Tables;
	/** Nodes that are deactivated in the example. */
	activate?: string[];
	/** Other values in Edit Fields nodes, by node and field. */
	values?: Record<string, Fields>;
	/** The same for the example that it calls. */
	valuesOfCalled?: Record<string, Fields>;
}

export interface ExampleResult {
	run: IRun;
	error?: string;
	/** The JSON of what a node output in its last run, by output. */
	outputs: (node: string) => Fields[][];
	/** What the nodes output that lead to no other node. */
	lastItems: Fields[];
	/** What it responded to a webhook or a form. */
	answers: unknown[];
	/** Continues an execution that waits for an answer. */
	answer: (data: Fields) => Promise<ExampleResult>;
}

const OURS = 'n8n-nodes-messaging-gateway.messagingGateway';
let executions = 0;

export async function runExample(given: ExampleRun): Promise<ExampleResult> {
	const example = EXAMPLES.find(({ file }) => file === `${given.file}.json`)!;
	const answers: unknown[] = [];
	const workflow = workflowOf(example, given, answers);
	const node = workflow.nodes[given.trigger]!;
	const main = [given.items ?? [{ json: {} }]];
	const data = createRunExecutionData({
		executionData: { nodeExecutionStack: [{ node, data: { main }, source: null }] },
	});
	executions += 1;
	return await execute(workflow, given.account, data, answers, String(executions));
}

async function execute(
	workflow: Workflow,
	account: Account,
	data: IRunExecutionData,
	answers: unknown[],
	executionId: string,
): Promise<ExampleResult> {
	const additional = additionalData({ account, executionId });
	const run = await new WorkflowExecute(additional, 'trigger', data).processRunExecutionData(
		workflow,
	);
	const { runData, error } = run.data.resultData;
	const outputs = (name: string) =>
		(runData[name]?.at(-1)?.data?.main ?? []).map((items) => (items ?? []).map(({ json }) => json));
	const isLast = (name: string) => !workflow.connectionsBySourceNode[name]?.main?.flat().length;
	return {
		run,
		error: error?.message,
		outputs,
		lastItems: Object.keys(runData).filter(isLast).flatMap(outputs).flat(),
		answers,
		async answer(answered) {
			const waiting = structuredClone(run.data);
			const [execution] = waiting.executionData!.nodeExecutionStack;
			const shown = waiting.resultData.runData[execution!.node.name]!.pop()!.data!.main![0]![0]!;
			waiting.waitTill = undefined;
			execution!.node.disabled = true;
			execution!.data.main = [
				[{ ...shown, json: { ...shown.json, answered: true, data: answered } }],
			];
			return await execute(workflow, account, waiting, answers, executionId);
		},
	};
}

/** How n8n 2.41 and 1.123 respond at the path of a workflow that is not published. */
const NOT_REGISTERED =
	'{"code":404,"message":"The requested webhook \\"GET page\\" is not registered."}';

/** The paths of the pages of examples, and the triggers that open them. */
const PAGES = [
	['/webhook/opt-out', '13-campaign-opt-out', 'Link opened'],
	['/webhook/appointment', '17-appointments-page', 'Appointment opened'],
] as const;

function workflowOf({ nodes, connections }: Example, given: ExampleRun, answers: unknown[]) {
	const { activate = [], values = {} } = given;
	const steps = structuredClone(nodes.filter(({ type }) => !type.endsWith('.stickyNote')));
	for (const node of steps) {
		if (activate.includes(node.name)) node.disabled = false;
		setValues(node, values[node.name] ?? {});
	}
	const call = async (id: string, asked: IDataObject[]) => {
		const file = EXAMPLES.find((each) => each.id === id)!.file.replace('.json', '');
		const items = asked.map((json) => ({ json }));
		const called = { ...given, file, trigger: 'Asked', items, values: given.valuesOfCalled };
		const { run, error, outputs } = await runExample(called);
		if (error !== undefined) throw new Error(error);
		return outputs(run.data.resultData.lastNodeExecuted!)[0] as IDataObject[];
	};
	const behaviours = nodesOfN8n(given.tables, answers, call, async (link) => {
		const json = { query: Object.fromEntries(new URL(link).searchParams), headers: {} };
		const [, file, trigger] = PAGES.find(([path]) => path === new URL(link).pathname) ?? [];
		if (!file || !trigger) return { statusCode: 404, data: NOT_REGISTERED };
		const opened = { trigger, items: [{ json }], values: {} };
		const visited = await runExample({ ...given, file, ...opened });
		const [page] = visited.answers as Array<{ responseBody: string; options: IDataObject }>;
		return { statusCode: page!.options.responseCode, data: page!.responseBody };
	});
	const typeOf = (type: string): INodeType =>
		type === OURS
			? new MessagingGateway()
			: {
					description: {
						...description(type),
						credentials: type.endsWith('.httpRequest') ? [{ name: 'messagingGatewayApi' }] : [],
					},
					async execute(this: IExecuteFunctions) {
						const behaviour = behaviours[type.split('.').at(-1)!];
						if (!behaviour) throw new Error(`runExample has no ${type}`);
						return await behaviour(this, this.getInputData());
					},
				};
	const types = new Map(steps.map(({ type }) => [type, typeOf(type)]));
	const workflow = new Workflow({
		...{ id: given.file, active: true, nodes: structuredClone(steps) },
		connections: connections as never,
		nodeTypes: nodeTypesIn(types),
		settings: { executionOrder: 'v1', timezone: 'UTC' },
	});
	// Without descriptions of its parameters, n8n leaves a node none.
	for (const { name, type, parameters } of steps) {
		if (type !== OURS) workflow.nodes[name]!.parameters = parameters;
	}
	return workflow;
}

function setValues({ parameters, name }: INode, values: Fields): void {
	const { assignments } = (parameters.assignments ?? {}) as { assignments?: Fields[] };
	for (const [field, value] of Object.entries(values)) {
		const found = assignments?.find((each) => each.name === field);
		if (!found) throw new Error(`${name} has no ${field}`);
		found.value = value;
	}
}
