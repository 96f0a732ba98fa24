import { WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type INode,
	type INodeExecutionData,
	type INodeType,
	NodeConnectionTypes,
	Workflow,
} from 'n8n-workflow';

import { MessagingGatewayTrigger } from '../../../nodes/MessagingGateway/MessagingGatewayTrigger.node';
import { additionalData, description } from '../../harness/engine';
import { useGateway } from '../../harness/sandboxAccount';
import { json, Polling, QUIET_RUN } from '../../harness/polling';

const gateway = useGateway();

/** The node after the trigger. */
class Alert implements INodeType {
	description = description('source');

	async execute(this: { getInputData(): INodeExecutionData[] }) {
		return [this.getInputData()];
	}
}

const node = (name: string, settings: Partial<INode> = {}): INode => ({
	id: name,
	name,
	type: name,
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
	...settings,
});

/** Runs a workflow as n8n does after a poll; returns the names of the nodes that ran. */
async function ranWith(polled: INodeExecutionData[][], settings: Partial<INode>) {
	const types: Record<string, INodeType> = {
		Trigger: new MessagingGatewayTrigger(),
		Alert: new Alert(),
	};
	const trigger = node('Trigger', settings);
	const workflow = new Workflow({
		id: 'workflow',
		active: true,
		nodes: [trigger, node('Alert')],
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
	const nodeExecutionStack = [{ node: trigger, data: { main: polled }, source: null }];
	const data = createRunExecutionData({ executionData: { nodeExecutionStack } });
	const more = additionalData({ account: gateway.account });
	const run = await new WorkflowExecute(more, 'trigger', data).processRunExecutionData(workflow);
	return Object.keys(run.data.resultData.runData);
}

/** A change that the filter excludes is only stored. */
async function pollWithNothingToReport(settings: Partial<INode>) {
	const parameters = { event: 'statusChanged', toStatuses: ['ONLINE'] };
	const trigger = new Polling(gateway.account, parameters, { settings });
	await trigger.start();
	gateway.setStatus('DISCONNECTED');
	return { trigger, polled: await trigger.poll() };
}

test('a run that only saves the state runs no node after the trigger', async () => {
	const { polled } = await pollWithNothingToReport({});
	expect(polled).toEqual(QUIET_RUN);
	expect(await ranWith(polled!, {})).toEqual(['Trigger']);
});

test('with Always Output Data there is no such run, and nothing is lost while n8n runs', async () => {
	const settings = { alwaysOutputData: true };
	const { trigger, polled } = await pollWithNothingToReport(settings);
	expect(polled).toBeNull();
	expect(await ranWith(QUIET_RUN!, settings)).toEqual(['Trigger', 'Alert']);
	gateway.setStatus('ONLINE');
	const reported = json(await trigger.poll());
	expect(reported).toMatchObject([{ status: 'ONLINE', previousStatus: 'DISCONNECTED' }]);
});
