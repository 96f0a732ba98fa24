import { PollContext } from 'n8n-core';
import {
	type IDataObject,
	type INodeExecutionData,
	type INodeType,
	type INodeParameters,
	Workflow,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { MessagingGatewayTrigger } from '../../nodes/MessagingGateway/MessagingGatewayTrigger.node';
import { type Account, additionalData, type RunOptions } from './engine';

const TYPE = 'n8n-nodes-messaging-gateway.messagingGatewayTrigger';
const NAME = 'Messaging Gateway Trigger';

type Polled = INodeExecutionData[][] | null;

interface Options extends Pick<RunOptions, 'settings' | 'credentialType'> {
	/** Since 2.41 n8n can store static data separately from the workflow. Each poll then gets a copy of it. */
	hasDurableCursors?: boolean;
	/** Replaces the trigger in nodes/. */
	nodeType?: () => INodeType;
}

/** A published workflow with the trigger, and the static data that n8n's database has saved for it. */
export class Polling {
	readonly warnings: string[] = [];
	#saved: IDataObject = {};
	#workflow: Workflow;

	constructor(
		public account: Account,
		public parameters: Record<string, unknown>,
		private readonly options: Options = {},
	) {
		this.#workflow = this.#loaded();
	}

	/** The saved static data as JSON: what survives a restart of n8n. */
	get saved(): string {
		return JSON.stringify(this.#saved);
	}

	/** The current static data as JSON, saved or not. */
	get remembered(): string {
		return JSON.stringify(this.#workflow.staticData);
	}

	/** Writes into n8n's database. */
	replaceState(state: string): void {
		this.#saved = { ...this.#saved, [`node:${NAME}`]: { state } };
	}

	/** Polls and saves, as n8n does when a workflow is published and when n8n starts. */
	async start(activation?: WorkflowActivateMode): Promise<Polled> {
		this.#workflow = this.#loaded();
		const polled = await this.#poll('trigger', activation);
		this.#save();
		return polled;
	}

	/** A scheduled poll. n8n saves static data only if the poll starts a run of the workflow. */
	async poll(): Promise<Polled> {
		const polled = await this.#poll('trigger');
		if (polled !== null) this.#save();
		return polled;
	}

	/** The items that 'Fetch test event' shows. */
	async fetchTestEvent(): Promise<IDataObject[]> {
		this.#workflow = this.#loaded();
		return json(await this.#poll('manual'));
	}

	#loaded(): Workflow {
		const nodeType = this.options.nodeType?.() ?? new MessagingGatewayTrigger();
		return new Workflow({
			id: 'workflow',
			name: 'Test',
			active: true,
			nodes: [
				{
					...{ id: 'trigger', name: NAME, type: TYPE, typeVersion: 1 },
					position: [0, 0],
					parameters: this.parameters as INodeParameters,
					credentials: { messagingGatewayApi: { id: '1', name: 'Account' } },
					...this.options.settings,
				},
			],
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
		const polled = await this.#workflow.nodeTypes.getByNameAndVersion(TYPE).poll!.call(context);
		if (hasDurableCursors) Object.assign(remembered, cursor);
		return polled;
	}

	#save(): void {
		this.#saved = JSON.parse(this.remembered) as IDataObject;
	}
}

/** The items that start the workflow. */
export const json = (polled: Polled): IDataObject[] =>
	(polled ?? []).flat().map((item) => item.json);

/** A run without items. It only makes n8n save the static data. */
export const QUIET_RUN: Polled = [[]];

/** Only tests move `Date`. Timers stay real. */
export function useWallClock() {
	const realNow = Date.now.bind(Date);
	beforeEach(() => {
		jest.useFakeTimers({
			now: realNow(),
			doNotFake: [
				...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] as const),
				...(['clearImmediate', 'setInterval', 'clearInterval', 'setTimeout'] as const),
				'clearTimeout',
			],
		});
	});
	afterEach(() => jest.useRealTimers());
	return {
		/** Negative minutes move the clock backwards. */
		pass(minutes: number) {
			jest.setSystemTime(Date.now() + minutes * 60_000);
		},
	};
}
