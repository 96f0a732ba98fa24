import 'reflect-metadata';

import { ExecutionLifecycleHooks, getAdditionalKeys, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type EngineRequest,
	type EngineResponse,
	type ICredentialDataDecryptedObject,
	type ICredentialsHelper,
	type ICredentialType,
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	type IRun,
	type IRunExecutionData,
	type ITaskData,
	type NodeExecutionHint,
	type IWorkflowExecuteAdditionalData,
	type NodeConnectionType,
	NodeConnectionTypes,
	NodeHelpers,
	setSafeRegexEngine,
	Workflow,
} from 'n8n-workflow';

import { MessagingGatewayApi } from '../../credentials/MessagingGatewayApi.credentials';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { checkItems } from './outputSchema';

// n8n's engine gives each regular expression 250 ms, which a busy machine can exceed, and a thread that watches it.
setSafeRegexEngine({
	exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
	test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
	replace: (pattern, input, flags, by) => input.replace(new RegExp(pattern, flags), by),
	matchAll: (pattern, input, flags = 'g') => [...input.matchAll(new RegExp(pattern, flags))],
	split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
});

/** The credential. A value may be an expression. */
export interface Account {
	baseUrl: string;
	token: string;
	secret: string;
	signDeferred?: boolean;
	sendTo?: string;
	allowedRecipients?: string;
	testRecipient?: string;
	messagesPerMinute?: number | string;
	processes?: number;
	allowedHttpRequestDomains?: string;
}

export interface RunOptions {
	account: Account;
	parameters?: Record<string, unknown>;
	items?: INodeExecutionData[];
	/** The node's settings, as opposed to its parameters: onError, retryOnFail, … */
	settings?: Partial<INode>;
	nodeType?: INodeType;
	/** As a tool of an AI agent. */
	asTool?: boolean;
	/** Runs the node alone, in a temporary workflow, as n8n's Assistant does. */
	byAssistant?: boolean;
	/** When n8n ends the execution. */
	executionTimeoutTimestamp?: number;
	/** The gateway sends anything, so items need not fit the schema of the operation. */
	isHostile?: boolean;
	credentialType?: ICredentialType;
	executionId?: string;
	/** What an expression of the credential reads with `$secrets.store`. */
	secretStore?: Record<string, string>;
	/** When the execution was first created. n8n keeps this value when it retries the execution. */
	establishedAt?: number;
	/** A random token that n8n 2 stores with a new execution and keeps when it retries it. Undefined: as in n8n 1. */
	resumeToken?: string;
	/** The node is the human review of these calls of an AI agent, whose input are the items. */
	toolCalls?: ToolCall[];
	/** The address of n8n in the links to its pages. */
	webhookUrl?: string;
	/** Of the workflow. */
	timezone?: string;
	/** How often the workflow runs the node, as in a loop. */
	passes?: number;
	/** How many artificial runs stand for the runs that ended before a crash of n8n. */
	recoveredRuns?: number;
}

/** The tool that a model calls, and what it passes. */
export interface ToolCall {
	tool: string;
	args: { toolParameters?: unknown; hitlParameters?: object } & Record<string, unknown>;
}

/** n8n's engine returns errors as plain objects. */
export interface OutcomeError {
	message: string;
	description?: string;
	name?: string;
	httpCode?: string;
	context?: { itemIndex?: number };
}

export interface Outcome {
	items: INodeExecutionData[];
	/** The items at the error output. Empty if the node has none. */
	errorItems: INodeExecutionData[];
	error: OutcomeError | undefined;
	hints: NodeExecutionHint[];
	run: IRun;
}

export interface Execution {
	outcome: Promise<Outcome>;
	/** Like Stop in the editor. */
	cancel(): void;
}

const GATEWAY = 'n8n-nodes-messaging-gateway.messagingGateway';
const REVIEW = `${GATEWAY}HitlTool`;
/** The type of the node as a tool. Agents of version 3 run it like any other node. */
export const TOOL = `${GATEWAY}Tool`;
const NODE_NAME = 'Messaging Gateway';

/** Fills in the properties that n8n requires and no test depends on. */
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

/** Outputs the items of the test. */
const source: INodeType = {
	description: description('source'),
	async execute() {
		return [this.getInputData()];
	},
};

/** Requests the review of its calls as n8n's agent does (createEngineRequests). Outputs what n8n would decide by. */
const agentThatCalls = (calls: ToolCall[]): INodeType => ({
	description: description('source'),
	async execute(response?: EngineResponse): Promise<INodeExecutionData[][] | EngineRequest> {
		const reviewed = response?.actionResponses ?? [];
		if (reviewed.length > 0) return [reviewed.map(({ data }) => data.data!.ai_tool![0]![0]!)];
		const actions = calls.map(({ tool, args }, index) => {
			const { hitlParameters, toolParameters, ...others } = args;
			const input = { ...others, tool, ...hitlParameters, toolParameters } as IDataObject;
			const hitl = { gatedToolNodeName: 'Tool', toolName: tool, originalInput: toolParameters };
			const metadata = { itemIndex: 0, hitl };
			const id = `call-${index}`;
			const type = NodeConnectionTypes.AiTool;
			return { actionType: 'ExecutionNodeAction', nodeName: NODE_NAME, input, type, id, metadata };
		});
		return { actions, metadata: {} } as EngineRequest;
	},
});

/** Runs one node in n8n's own engine with the given items. */
export const run = async (options: RunOptions): Promise<Outcome> => await start(options).outcome;

export function start(options: RunOptions): Execution {
	const workflow = workflowOf(options);
	return execute(workflow, options, executionData(workflow.nodes.Source!, options));
}

/** Runs the workflow from where the data of its execution stand. */
export function execute(
	workflow: Workflow,
	options: RunOptions,
	data: IRunExecutionData,
): Execution {
	const engine = new WorkflowExecute(additionalData(options), 'manual', data);
	const processing = engine.processRunExecutionData(workflow);
	return {
		outcome: processing.then((run) => {
			const outcome = outcomeOf(run, options.settings?.name);
			// While it waits, its items are only shown.
			const hasSchema = !options.nodeType && !options.isHostile;
			if (!run.waitTill && hasSchema) checkItems(options.parameters, outcome.items);
			return outcome;
		}),
		cancel: () => processing.cancel(),
	};
}

/** The parameters with each option in the collection that declares it, as the editor stores them. Tests name all options together. */
function withCollections(nodeType: INodeType, parameters: RunOptions['parameters'] = {}) {
	const { options: given, ...rest } = parameters;
	if (typeof given !== 'object' || given === null || Array.isArray(given)) return parameters;
	const advanced = nodeType.description.properties
		.filter(({ name }) => name === 'advancedOptions')
		.flatMap(({ options = [] }) => options.map(({ name }) => name));
	const of = (isAdvanced: boolean) =>
		Object.entries(given).filter(([name]) => advanced.includes(name) === isAdvanced);
	return {
		...{ ...rest, options: Object.fromEntries(of(false)) },
		...(of(true).length > 0 && { advancedOptions: Object.fromEntries(of(true)) }),
	};
}

export function workflowOf(options: RunOptions): Workflow {
	const { toolCalls = [], nodeType = new MessagingGateway() } = options;
	const nodeTypes: Record<string, INodeType> = {
		...{ source, agent: agentThatCalls(toolCalls) },
		...{ [GATEWAY]: nodeType, [REVIEW]: nodeType, [TOOL]: nodeType },
	};
	const nodeOf = (name: string, type: string, parameters: object = {}): INode => ({
		...{ id: name, name, type, typeVersion: 1 },
		position: [0, 0],
		parameters: parameters as INodeParameters,
	});
	const node: INode = {
		...nodeOf(
			NODE_NAME,
			options.toolCalls ? REVIEW : options.asTool ? TOOL : GATEWAY,
			withCollections(nodeType, options.parameters),
		),
		id: 'gateway',
		credentials: { messagingGatewayApi: { id: '1', name: 'Account' } },
		...options.settings,
	};
	const nodes = [nodeOf('Source', 'source'), node];
	if (options.toolCalls) nodes.push(nodeOf('Agent', 'agent'));
	const to = (name: string, type: NodeConnectionType) => ({
		[type]: [[{ node: name, type, index: 0 }]],
	});
	return new Workflow({
		id: 'workflow',
		// As ExecuteNodeService of n8n names it.
		name: options.byAssistant ? `Execute node ${node.type}` : 'Test',
		active: false,
		nodes,
		connections: options.toolCalls
			? { Source: to('Agent', 'main'), [node.name]: to('Agent', 'ai_tool') }
			: { Source: to(node.name, 'main') },
		nodeTypes: {
			getByName: (name: string) => nodeTypes[name]!,
			getByNameAndVersion: (name: string) => nodeTypes[name]!,
			getKnownTypes: () => ({}),
		},
		settings: { executionOrder: 'v1', timezone: options.timezone },
	});
}

function executionData(node: INode, { items = [{ json: {} }], ...options }: RunOptions) {
	const { establishedAt, resumeToken, passes = 1, recoveredRuns = 0 } = options;
	const pass = () => ({ node, data: { main: [items] }, source: null });
	const data = createRunExecutionData({
		resultData: {
			runData: recoveredRuns > 0 ? { [NODE_NAME]: recovered(recoveredRuns) } : {},
		},
		executionData: {
			nodeExecutionStack: Array.from({ length: passes }, pass),
			runtimeData:
				establishedAt === undefined ? undefined : { version: 1, establishedAt, source: 'manual' },
		},
	});
	return { ...data, resumeToken };
}

/** Run data as n8n's crash recovery writes it from the event log. */
const recovered = (runs: number): ITaskData[] =>
	Array.from({ length: runs }, (_, executionIndex) => ({
		startTime: 0,
		executionTime: 0,
		executionIndex,
		executionStatus: 'success',
		source: [],
		data: { main: [[{ json: { isArtificialRecoveredEventItem: true } }]] },
	}));

function outcomeOf(run: IRun, name = NODE_NAME): Outcome {
	const { resultData } = run.data;
	const last = resultData.runData[name]?.at(-1);
	const [items, errorItems] = last?.data?.main ?? last?.data?.ai_tool ?? [];
	return {
		items: items ?? [],
		errorItems: errorItems ?? [],
		error: resultData.error as Outcome['error'],
		hints: last?.hints ?? [],
		run,
	};
}

export function additionalData(options: RunOptions): IWorkflowExecuteAdditionalData {
	const { executionId = '1', secretStore = {}, webhookUrl = 'https://n8n.example.com' } = options;
	return {
		executionId,
		credentialsHelper: credentialsHelper(options),
		hooks: new ExecutionLifecycleHooks('manual', executionId, { id: 'workflow' } as never),
		currentNodeExecutionIndex: 0,
		executionTimeoutTimestamp: options.executionTimeoutTimestamp,
		variables: {},
		externalSecretsProxy: {
			hasProvider: (name: string) => name === 'store',
			hasSecret: (_provider: string, name: string) => name in secretStore,
			getSecret: (_provider: string, name: string) => secretStore[name],
		},
		webhookWaitingBaseUrl: `${webhookUrl}/webhook-waiting`,
		formWaitingBaseUrl: 'http://127.0.0.1/form-waiting',
	} as unknown as IWorkflowExecuteAdditionalData;
}

/** The fields of the credential. */
export const storedAccount = <A extends { token: string; secret: string }>({
	token,
	secret,
	...others
}: A) => ({ ...others, gatewayToken: token, gatewaySecret: secret });

type Authenticate = (
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
) => Promise<IHttpRequestOptions>;

function credentialsHelper({ account, credentialType = new MessagingGatewayApi() }: RunOptions) {
	const helper: Partial<ICredentialsHelper> = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		// The same steps as n8n's CredentialsHelper: defaults, then the expressions of the item.
		async getDecrypted(additional, _node, _type, mode, executeData, _raw, values) {
			const stored = { signDeferred: true, ...storedAccount(account) } as INodeParameters;
			const { properties } = credentialType;
			const data = NodeHelpers.getNodeParameters(properties, stored, true, false, null, null);
			if (!values) return data as ICredentialDataDecryptedObject;
			const { workflow, node, runIndex, itemIndex, runExecutionData, connectionInputData } = values;
			return workflow.expression.getParameterValue(
				data,
				runExecutionData,
				runIndex,
				itemIndex,
				node.name,
				connectionInputData,
				mode,
				getAdditionalKeys(additional, mode, null, { isCredential: true }),
				executeData,
				false,
				data ?? undefined,
			) as ICredentialDataDecryptedObject;
		},
		preAuthentication: async () => undefined,
		authenticate: async (credentials, _type, request) =>
			await (credentialType.authenticate as Authenticate)(credentials, request as never),
		getCredentialsProperties: () => credentialType.properties,
	};
	return helper as ICredentialsHelper;
}
