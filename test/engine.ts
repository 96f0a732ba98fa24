import 'reflect-metadata';

import {
	DirectoryLoader,
	type ExecuteContext,
	ExecutionLifecycleHooks,
	RoutingNode,
	WorkflowExecute,
} from 'n8n-core';
import {
	createRunExecutionData,
	type ICredentialDataDecryptedObject,
	type ICredentialsHelper,
	type ICredentialType,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	type IRun,
	type ITaskData,
	type NodeExecutionHint,
	type IWorkflowExecuteAdditionalData,
	NodeConnectionTypes,
	type NodeParameterValueType,
	Workflow,
} from 'n8n-workflow';

import { MessagingGatewayApi } from '../credentials/MessagingGatewayApi.credentials';
import { MessagingGateway } from '../nodes/MessagingGateway/MessagingGateway.node';

export interface Account {
	baseUrl: string;
	token: string;
	secret: string;
	signDeferred?: boolean;
}

export interface RunOptions {
	account: Account;
	parameters?: Record<string, NodeParameterValueType>;
	items?: INodeExecutionData[];
	/** Settings of the node beside its parameters: onError, retryOnFail, … */
	settings?: Partial<INode>;
	nodeType?: INodeType;
	/** n8n runs the routing, not the custom operation, when a declarative node is a tool of an agent. */
	asTool?: boolean;
	credentialType?: ICredentialType;
	executionId?: string;
	/** When the execution was first set up: n8n carries it over to every repeat of the execution. */
	establishedAt?: number;
	/** How often the workflow comes by the node, as a loop does. */
	passes?: number;
	/** How many runs n8n has made up in the place of those that had ended before a crash. */
	recoveredRuns?: number;
}

/** The engine hands errors back as plain copies. */
export interface OutcomeError {
	message: string;
	description?: string;
	name?: string;
	httpCode?: string;
	context?: { itemIndex?: number };
}

export interface Outcome {
	items: INodeExecutionData[];
	/** What left by the Error Output, where the node has one. */
	errorItems: INodeExecutionData[];
	error: OutcomeError | undefined;
	hints: NodeExecutionHint[];
	run: IRun;
}

export interface Execution {
	outcome: Promise<Outcome>;
	/** What a person does with Stop. */
	cancel(): void;
}

const GATEWAY = 'n8n-nodes-messaging-gateway.messagingGateway';
const NODE_NAME = 'Messaging Gateway';

/** What n8n wants to know of every node, and no test cares about. */
export const description = (
	name: string,
	properties: INodeProperties[] = [],
): INodeTypeDescription => ({
	displayName: name,
	name,
	group: ['output'],
	version: 1,
	description: '',
	defaults: {},
	inputs: [NodeConnectionTypes.Main],
	outputs: [NodeConnectionTypes.Main],
	credentials: name === 'source' ? [] : [{ name: 'messagingGatewayApi', required: true }],
	properties,
});

/** Hands over the items that a test starts with. */
class Source implements INodeType {
	description = description('source');

	async execute(this: { getInputData(): INodeExecutionData[] }) {
		return [this.getInputData()];
	}
}

/** Runs one node in n8n's own engine, fed by the given items. */
export const run = async (options: RunOptions): Promise<Outcome> => await start(options).outcome;

export function start(options: RunOptions): Execution {
	const nodeTypes: Record<string, INodeType> = {
		source: new Source(),
		[GATEWAY]: gatewayNode(options),
	};
	const source: INode = {
		id: 'source',
		name: 'Source',
		type: 'source',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const node = {
		id: 'gateway',
		name: NODE_NAME,
		type: GATEWAY,
		typeVersion: 1,
		position: [200, 0],
		parameters: options.parameters ?? {},
		credentials: { messagingGatewayApi: { id: '1', name: 'Account' } },
		...options.settings,
	} as INode;
	const workflow = new Workflow({
		id: 'workflow',
		name: 'Test',
		active: false,
		nodes: [source, node],
		connections: { Source: { main: [[{ node: NODE_NAME, type: 'main', index: 0 }]] } },
		nodeTypes: {
			getByName: (name: string) => nodeTypes[name]!,
			getByNameAndVersion: (name: string) => nodeTypes[name]!,
			getKnownTypes: () => ({}),
		},
		settings: { executionOrder: 'v1' },
	});
	const engine = new WorkflowExecute(
		additionalData(options),
		'manual',
		executionData(source, options),
	);
	const processing = engine.processRunExecutionData(workflow);
	return {
		outcome: processing.then(outcomeOf),
		cancel: () => processing.cancel(),
	};
}

function executionData(node: INode, { items = [{ json: {} }], ...options }: RunOptions) {
	const { establishedAt, passes = 1, recoveredRuns = 0 } = options;
	return createRunExecutionData({
		resultData: {
			runData: recoveredRuns > 0 ? { [NODE_NAME]: recovered(recoveredRuns) } : {},
		},
		executionData: {
			nodeExecutionStack: Array.from({ length: passes }, () => ({
				node,
				data: { main: [items] },
				source: null,
			})),
			runtimeData:
				establishedAt === undefined ? undefined : { version: 1, establishedAt, source: 'manual' },
		},
	});
}

/** As n8n's recovery from a crash writes it, from its event log. */
const recovered = (runs: number): ITaskData[] =>
	Array.from({ length: runs }, (_, executionIndex) => ({
		startTime: 0,
		executionTime: 0,
		executionIndex,
		executionStatus: 'success',
		source: [],
		data: { main: [[{ json: { isArtificialRecoveredEventItem: true } }]] },
	}));

function gatewayNode({ nodeType = new MessagingGateway(), asTool }: RunOptions): INodeType {
	// Both as n8n does when it loads a declarative node: Request Options, and the routing as its `execute`.
	DirectoryLoader.applyDeclarativeNodeOptionParameters(nodeType);
	if (!('execute' in nodeType)) {
		Object.assign(nodeType, {
			async execute(this: IExecuteFunctions) {
				return (await new RoutingNode(this as ExecuteContext, nodeType).runNode()) ?? [];
			},
		});
	}
	return asTool ? Object.assign(nodeType, { customOperations: undefined }) : nodeType;
}

function outcomeOf(run: IRun): Outcome {
	const { resultData } = run.data;
	const last = resultData.runData[NODE_NAME]?.at(-1);
	const [items, errorItems] = last?.data?.main ?? [];
	return {
		items: items ?? [],
		errorItems: errorItems ?? [],
		error: resultData.error as Outcome['error'],
		hints: last?.hints ?? [],
		run,
	};
}

export function additionalData(
	options: Pick<RunOptions, 'account' | 'credentialType' | 'executionId'>,
): IWorkflowExecuteAdditionalData {
	const { executionId = '1' } = options;
	return {
		executionId,
		credentialsHelper: credentialsHelper(options),
		hooks: new ExecutionLifecycleHooks('manual', executionId, {
			id: 'workflow',
			name: 'Test',
			nodes: [],
			connections: {},
		} as never),
		currentNodeExecutionIndex: 0,
		variables: {},
		webhookWaitingBaseUrl: 'http://127.0.0.1/webhook-waiting',
		formWaitingBaseUrl: 'http://127.0.0.1/form-waiting',
	} as unknown as IWorkflowExecuteAdditionalData;
}

function credentialsHelper({
	account,
	credentialType = new MessagingGatewayApi(),
}: Pick<RunOptions, 'account' | 'credentialType'>) {
	const helper: Partial<ICredentialsHelper> = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		getDecrypted: async () => ({ signDeferred: true, ...account }),
		preAuthentication: async () => undefined,
		authenticate: async (
			credentials: ICredentialDataDecryptedObject,
			_type: string,
			request: IHttpRequestOptions,
		) => {
			if (typeof credentialType.authenticate !== 'function') throw new TypeError('no hook');
			return await credentialType.authenticate(credentials, request);
		},
		getCredentialsProperties: () => credentialType.properties,
	};
	return helper as ICredentialsHelper;
}
