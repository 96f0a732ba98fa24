import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext, Script } from 'node:vm';

import { DateTime } from 'luxon';
import type { INode, IWorkflowSettings } from 'n8n-workflow';

export type Fields = Record<string, unknown>;

export interface Example {
	file: string;
	id: string;
	name: string;
	nodes: INode[];
	connections: Record<string, Record<string, Array<Array<{ node: string }>>>>;
	settings: IWorkflowSettings;
	active: boolean;
}

export const FOLDER = join(__dirname, '../../examples');

export const EXAMPLES = readdirSync(FOLDER)
	.filter((name) => name.endsWith('.json'))
	.map((file) => ({
		...(JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Omit<Example, 'file'>),
		file,
	}));

/** By the name of its file without extension. */
export const example = (file: string) => EXAMPLES.find((each) => each.file === `${file}.json`)!;

export const parametersOf = (file: string, node: string) =>
	example(file).nodes.find(({ name }) => name === node)!.parameters;

/** What a Data Table node stores, by column. */
export const columnsOf = (file: string, node: string) =>
	(parametersOf(file, node).columns as { value: Record<string, string> }).value;

/** What an Edit Fields node sets, by field. */
export function fieldsOf(file: string, node: string): Record<string, string> {
	const { assignments } = parametersOf(file, node).assignments as {
		assignments: Array<{ name: string; value: string }>;
	};
	return Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
}

/** The nodes to which each output of a node leads. */
export const nextOf = (file: string, node: string) =>
	(example(file).connections[node]?.main ?? []).map((each) => each.map((next) => next.node));

/** A text with expressions, or a single one, as n8n evaluates it. */
export function evaluate(value: unknown, context: object): unknown {
	const [, single] = /^=\{\{((?:(?!\}\}).)*)\}\}$/s.exec(value as string) ?? [];
	if (single !== undefined) return runInNewContext(`(${single})`, context) as unknown;
	return (value as string)
		.replace(/^=/, '')
		.replace(/\{\{(.*?)\}\}/gs, (_, code: string) => String(runInNewContext(code, context)));
}

/** The code of a Code node of the examples, as n8n runs it. `node dev/tools/workflowCode.mjs` puts it together. */
export function codeOf(name: string): string {
	const isNode = (each: INode) => each.type === 'n8n-nodes-base.code' && each.name === name;
	const node = EXAMPLES.flatMap(({ nodes }) => nodes).find(isNode)!;
	return node.parameters.jsCode as string;
}

const scripts = new Map<string, Script>();
/** Compiled once: some tests run it thousands of times. */
function scriptOf(name: string): Script {
	const script = scripts.get(name) ?? new Script(`(() => {${codeOf(name)}\n})()`);
	scripts.set(name, script);
	return script;
}

interface Run {
	/** What other nodes have output, by output and run if they differ. Undefined: the node was not executed. */
	nodes?: Record<string, Fields[] | ((output: number, run?: number) => Fields[]) | undefined>;
	input?: Fields[];
	now?: string;
	zone?: string;
	/** How often the node ran before. */
	run?: number;
}

/** Runs the code of a node as n8n does. A list without rows has one empty item, as from a node that always outputs data. */
export function runCode<Output = Fields>(name: string, run: Run): Output[] {
	const { nodes = {}, input = [], now = '2026-06-03T12:00:00Z', zone = 'UTC' } = run;
	const $runIndex = run.run ?? 3;
	const itemsOf = (rows: Fields[]) =>
		(rows.length > 0 ? rows : [{}]).map((json, item) => ({ json, pairedItem: { item } }));
	const all = (node: string, output = 0, run?: number) => {
		const rows = nodes[node]!;
		return itemsOf(typeof rows === 'function' ? rows(output, run) : rows);
	};
	const $ = (node: string) => ({
		isExecuted: nodes[node] !== undefined,
		all: (output?: number, run?: number) => all(node, output, run),
		first: () => all(node)[0],
		itemMatching: (index: number) => all(node)[index],
		params: { options: { path: 'campaign' } },
	});
	const $input = { all: () => itemsOf(input), first: () => itemsOf(input)[0] };
	const $now = DateTime.fromISO(now, { zone });
	const $execution = { id: '7' };
	const context = { $, $input, $now, DateTime, Date, $runIndex, $execution };
	const items = scriptOf(name).runInNewContext(context) as Array<{ json: Fields }>;
	return items.map(({ json }) => ({ ...json }) as Output);
}
