/**
 * Calls that a model makes, and their human review.
 * Versions: tools in all versions, the review since n8n 2.6, n8n Agents since 2.32 (n8n's file node-execution/ephemeral-node-executor.js:
 * no workflow ID and no execution ID), the Assistant's runs of a single node since 2.41 (node-execution/execute-node.service.js).
 * n8n's issue: none known. What the reviewer sees and what n8n runs after the approval come from different data.
 * If n8n changes: run `npm run test:live -- humanReview mcpReview agents`. Every check of a review fails closed: without the planned
 * call, nothing is sent. A call that is not recognised has no limits and no key of its own.
 * Checked with n8n 2.41.1.
 */
import type { IExecuteFunctions, IRunExecutionData, ITaskMetadata } from 'n8n-workflow';

import { InvalidInput } from '../../../gateway/inputValues';
import { isObject } from '../../../gateway/json';

/** n8n has no public API for the tool call that waits for a review. */
interface ReviewContext extends IExecuteFunctions {
	runExecutionData?: IRunExecutionData;
}

interface PlannedCall {
	toolName: string;
	originalInput: unknown;
}

/**
 * Returns whether a model makes the call: as a tool of an agent or an MCP server, whose type ends in Tool (HitlTool is the review of a
 * call), or as n8n's Assistant, which runs a node alone, in a temporary workflow that has this name.
 */
export const isModelCall = (context: Pick<IExecuteFunctions, 'getNode' | 'getWorkflow'>): boolean =>
	/(?<!Hitl)Tool$/.test(context.getNode().type) ||
	context.getWorkflow().name === `Execute node ${context.getNode().type}`;

/** Returns whether the node is the human review of an agent's tool calls. */
export const isToolReview = (context: IExecuteFunctions): boolean =>
	context.getNode().type.endsWith('HitlTool');

/**
 * Throws InvalidInput unless the reviewer sees exactly what runs. n8n runs the tool `toolName` with `originalInput`. The review shows
 * `$tool` instead, which the model can change with fields that it adds to its call, and which n8n loses when a review times out.
 */
export function checkToolCall(context: ReviewContext, run: number): void {
	const { name } = context.getNode();
	const [agent, ...others] = (
		context.runExecutionData?.executionData?.nodeExecutionStack ?? []
	).filter(({ metadata }) => plannedAction(metadata, name, run) !== undefined);
	const planned = plannedAction(agent?.metadata, name, run);
	const { hitl } = (planned?.metadata ?? {}) as { hitl?: PlannedCall };
	const field = planned && hitl && decisiveField(planned.input, hitl.originalInput);
	if (hitl && field !== undefined) {
		throw new InvalidInput(
			`The call of the tool '${hitl.toolName}' was not sent for review: its field '${field}' could change what the reviewer sees, what runs or the decision`,
			"The model added this field to its call. Texts that it reads, such as a customer's message, can make it do so. In a review, a parameter of a tool cannot be named 'tool', and one named 'query' must be a text.",
		);
	}
	const items = agent?.node.executeOnce ? 1 : agent?.data.main?.[0]?.length;
	if (items !== undefined && items > 1) {
		throw new InvalidInput(
			`The tool call was not sent for review: the agent has ${items} input items, and n8n would run an approved call for each of them`,
			'Put the agent into a Loop Over Items node with a batch size of 1.',
		);
	}
	const seen = context.evaluateExpression(SEEN, 0);
	// When a review times out, n8n can give the calls of two nested agents the same run, and so the same link.
	const isOnlyCall = others.length === 0;
	if (hitl && isOnlyCall && seen === JSON.stringify([hitl.toolName, hitl.originalInput])) return;
	throw new InvalidInput(
		'The tool call was not sent for review: n8n shows the reviewer another tool or other parameters than it would run',
		'The model may have added the name of another tool to its call. n8n also loses a call if an earlier one of the same step was not answered within its time limit. Let the agent try again.',
	);
}

const plannedAction = (metadata: ITaskMetadata | undefined, node: string, run: number) =>
	metadata?.subNodeExecutionData?.actions.find(
		({ nodeName, runIndex }) => nodeName === node && runIndex === run,
	)?.action;

const SEEN = '{{ JSON.stringify([$tool?.name, $tool?.parameters]) }}';

/** Returns a field that can change the review: `query` hides all others from expressions, `tool` runs another tool of an MCP server. */
function decisiveField(call: object, parameters: unknown): string | undefined {
	const added = ['query', 'approved', 'data'].find((name) => Object.hasOwn(call, name));
	if (added !== undefined || !isObject(parameters)) return added;
	if (typeof parameters.query === 'object' && parameters.query !== null) return 'query';
	return ['tool', '__proto__'].find((name) => Object.hasOwn(parameters, name));
}
