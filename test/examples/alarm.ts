import type { IDataObject } from 'n8n-workflow';

import { type Behaviour, paired } from '../simulation/simulatedWorkflow';
import { exampleWith } from './exampleWith';
import { Tables } from './tables';

export const ALERTS = 'Messaging alerts';
export const STATES = ['off', 'deleted', 'working', 'failing'] as const;

export type State = (typeof STATES)[number];
type Channels = Partial<Record<'Email' | 'Chat' | 'Message', State>>;

const TRIGGERS = {
	'9a-offline-alert': 'Offline for 10 minutes',
	'9c-unknown-alert': 'Every 10 minutes',
};

/** An example that sends alerts. The channels that are not named are off, as delivered. */
export class Alarm {
	readonly tables = new Tables();
	/** The outcome of the node Message. */
	outcome = 'sent';
	readonly #workflow;
	#sent: Record<string, string[]> = {};
	#runs = 0;

	constructor(
		private readonly channels: Channels,
		file: keyof typeof TRIGGERS = '9c-unknown-alert',
	) {
		const behaviours: Record<string, Behaviour> = {
			emailSend: this.#channel('text', () => ({ messageId: '1' })),
			httpRequest: this.#channel('jsonBody', () => ({ data: 'ok' })),
			messagingGateway: this.#channel('text', () => ({ outcome: this.outcome })),
			messagingGatewayTrigger: async (_, items) => await Promise.resolve([items]),
			stopAndError: async (context) => {
				await Promise.resolve();
				throw new Error(context.getNodeParameter('errorMessage', 0) as string);
			},
		};
		this.#workflow = exampleWith(file, TRIGGERS[file], this.tables, behaviours, (nodes) =>
			nodes
				.filter(({ name }) => this.#stateOf(name) !== 'deleted')
				// n8n waits for a second before it tries again.
				.map((node) => ({
					...node,
					...{ disabled: node.disabled && this.#stateOf(node.name) === 'off', retryOnFail: false },
				})),
		);
	}

	/** Runs the workflow. Returns why it has failed, if it has. */
	async run(): Promise<string | undefined> {
		return await this.#workflow.execute(String(++this.#runs)).then(
			() => undefined,
			(error: Error) => error.message,
		);
	}

	/** What each channel has sent since the last call. */
	takeSent(): Record<string, string[]> {
		const sent = this.#sent;
		this.#sent = {};
		return sent;
	}

	/** The lines of the only alert since the last call, without the explanation at its end. */
	takeLines(): string[] {
		const { Message } = this.takeSent();
		expect(Message).toHaveLength(1);
		return Message![0]!.split('\n\n')[0]!.split('\n');
	}

	#stateOf(channel: string): State {
		return this.channels[channel as keyof Channels] ?? 'off';
	}

	/** As n8n's nodes do, it outputs its error if the workflow is to go on. */
	#channel(field: string, jsonOf: () => IDataObject): Behaviour {
		return async (context, items) => {
			const { name } = context.getNode();
			await Promise.resolve();
			if (this.#stateOf(name) === 'failing') {
				const error = `${name} cannot be reached`;
				if (!context.continueOnFail()) throw new Error(error);
				return [[{ json: { error }, pairedItem: { item: 0 } }]];
			}
			const text = context.getNodeParameter(field, 0);
			(this.#sent[name] ??= []).push(typeof text === 'string' ? text : JSON.stringify(text));
			return [paired(items, jsonOf)];
		};
	}
}

export const minutesAgo = (minutes: number) =>
	new Date(Date.now() - minutes * 60_000).toISOString();

/** A row of the outbox that was stored so many minutes ago, and is due since then. */
export const row = (status: string, minutes: number, fields: IDataObject = {}) => ({
	...{ status, recipient: '447700900123', text: 'Your PIN is 4711', campaign: null, sentAt: null },
	...{ createdAt: minutesAgo(minutes), updatedAt: minutesAgo(minutes) },
	...{ nextAttemptAt: minutesAgo(minutes), ...fields },
});
