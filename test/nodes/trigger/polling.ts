import { PollContext } from 'n8n-core';
import {
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type NodeParameterValueType,
	Workflow,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { MessagingGatewayTrigger } from '../../../nodes/MessagingGateway/MessagingGatewayTrigger.node';
import { type Account, additionalData, type RunOptions } from '../../engine';

const TYPE = 'n8n-nodes-messaging-gateway.messagingGatewayTrigger';
const NAME = 'Messaging Gateway Trigger';

type Polled = INodeExecutionData[][] | null;

interface Options extends Pick<RunOptions, 'settings' | 'credentialType'> {
	/** n8n from 2.41 on may keep what is remembered apart from the workflow: each poll then gets a copy. */
	hasDurableCursors?: boolean;
	/** In place of the trigger of the sources. */
	nodeType?: () => INodeType;
}

/** A published workflow with the trigger in it, and what n8n's database has of it. */
export class Polling {
	readonly warnings: string[] = [];
	#saved: IDataObject = {};
	#workflow: Workflow;

	constructor(
		public account: Account,
		public parameters: Record<string, NodeParameterValueType>,
		private readonly options: Options = {},
	) {
		this.#workflow = this.#loaded();
	}

	/** All that would survive this process, as text. */
	get saved(): string {
		return JSON.stringify(this.#saved);
	}

	/** What is remembered at the moment, saved or not. */
	get remembered(): string {
		return JSON.stringify(this.#workflow.staticData);
	}

	/** Somebody writes into n8n's database. */
	replaceState(state: string): void {
		this.#saved = { ...this.#saved, [`node:${NAME}`]: { state } };
	}

	/** What n8n does when a workflow is published, and when n8n itself starts: it polls at once, and saves. */
	async start(activation?: WorkflowActivateMode): Promise<Polled> {
		this.#workflow = this.#loaded();
		const polled = await this.#poll('trigger', activation);
		this.#save();
		return polled;
	}

	/** One poll by the schedule: what it remembers is saved only with a run of the workflow. */
	async poll(): Promise<Polled> {
		const polled = await this.#poll('trigger');
		if (polled !== null) this.#save();
		return polled;
	}

	/** What 'Fetch test event' shows. */
	async fetchTestEvent(): Promise<IDataObject[]> {
		this.#workflow = this.#loaded();
		return json(await this.#poll('manual'));
	}

	#nodeType(): INodeType {
		return this.options.nodeType?.() ?? new MessagingGatewayTrigger();
	}

	#loaded(): Workflow {
		const nodeType = this.#nodeType();
		return new Workflow({
			id: 'workflow',
			name: 'Test',
			active: true,
			nodes: [this.#node()],
			connections: {},
			nodeTypes: {
				getByName: () => nodeType,
				getByNameAndVersion: () => nodeType,
				getKnownTypes: () => ({}),
			},
			settings: { executionOrder: 'v1' },
			staticData: JSON.parse(this.saved) as IDataObject,
		});
	}

	#node(): INode {
		return {
			id: 'trigger',
			name: NAME,
			type: TYPE,
			typeVersion: 1,
			position: [0, 0],
			parameters: this.parameters,
			credentials: { messagingGatewayApi: { id: '1', name: 'Account' } },
			...this.options.settings,
		};
	}

	async #poll(
		mode: WorkflowExecuteMode,
		activation: WorkflowActivateMode = 'activate',
	): Promise<Polled> {
		const { credentialType, hasDurableCursors } = this.options;
		const more = additionalData({ account: this.account, credentialType });
		const node = this.#workflow.getNode(NAME)!;
		const remembered = this.#workflow.getStaticData('node', node);
		const cursor = hasDurableCursors ? { ...remembered } : remembered;
		const context = new PollContext(this.#workflow, node, more, mode, activation);
		const warn = (...all: unknown[]) => void this.warnings.push(JSON.stringify(all));
		Object.defineProperty(context, 'logger', { value: { warn } });
		Object.defineProperty(context, 'getWorkflowStaticData', { value: () => cursor });
		const polled = await this.#nodeType().poll!.call(context);
		if (hasDurableCursors) Object.assign(remembered, cursor);
		return polled;
	}

	#save(): void {
		this.#saved = JSON.parse(this.remembered) as IDataObject;
	}
}

/** The items that the workflow is started with. */
export const json = (polled: Polled): IDataObject[] =>
	(polled ?? []).flat().map((item) => item.json);

/** A run that starts nothing, for n8n to save what is remembered. */
export const QUIET_RUN: Polled = [[]];

/** Lets minutes pass: only for what asks the wall clock. */
export function useWallClock() {
	const realNow = Date.now.bind(Date);
	let ahead = 0;
	beforeEach(() => {
		ahead = 0;
		jest.useFakeTimers({
			now: realNow(),
			doNotFake: [
				'hrtime',
				'nextTick',
				'performance',
				'queueMicrotask',
				'setImmediate',
				'clearImmediate',
				'setInterval',
				'clearInterval',
				'setTimeout',
				'clearTimeout',
			],
		});
	});
	afterEach(() => jest.useRealTimers());
	return {
		/** Also backwards. */
		pass(minutes: number) {
			ahead += minutes * 60_000;
			jest.setSystemTime(realNow() + ahead);
		},
	};
}
