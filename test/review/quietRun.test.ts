import '../engine';

import { WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeType,
	NodeConnectionTypes,
	Workflow,
} from 'n8n-workflow';

import { MessagingGatewayTrigger } from '../../nodes/MessagingGateway/MessagingGatewayTrigger.node';
import { additionalData, description } from '../engine';

/** What stands behind the trigger: an alert, say. */
class Alert implements INodeType {
	description = description('source');
	readonly sent: INodeExecutionData[] = [];

	async execute(this: IExecuteFunctions) {
		(this.getNode() as unknown as { sent: INodeExecutionData[] }).sent ??= [];
		alerts.push(...this.getInputData());
		return [this.getInputData()];
	}
}

const alerts: INodeExecutionData[] = [];

const node = (name: string, type: string, more: Partial<INode> = {}): INode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
	...more,
});

test.failing(
	'a run that is only for saving starts nothing, with Always Output Data, too',
	async () => {
		const types: Record<string, INodeType> = {
			trigger: new MessagingGatewayTrigger(),
			alert: new Alert(),
		};
		const trigger = node('Trigger', 'trigger', { alwaysOutputData: true });
		const workflow = new Workflow({
			id: 'workflow',
			active: true,
			nodes: [trigger, node('Alert', 'alert')],
			connections: {
				Trigger: { main: [[{ node: 'Alert', type: NodeConnectionTypes.Main, index: 0 }]] },
			},
			nodeTypes: {
				getByName: (name: string) => types[name]!,
				getByNameAndVersion: (name: string) => types[name]!,
				getKnownTypes: () => ({}),
			},
			settings: { executionOrder: 'v1' },
		});
		const more = additionalData({ account: { baseUrl: '', token: '', secret: '' } });
		// As n8n starts the run of a poll: with what it returned, here [[]].
		const data = createRunExecutionData({
			executionData: {
				nodeExecutionStack: [{ node: trigger, data: { main: [[]] }, source: null }],
			},
		});
		await new WorkflowExecute(more, 'trigger', data).processRunExecutionData(workflow);
		expect(alerts).toEqual([]);
	},
);
