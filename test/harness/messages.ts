import type { INodeExecutionData } from 'n8n-workflow';

import type { RecordedRequest } from '../../dev/sandbox/sandbox';
import { type Outcome, run, type RunOptions } from './engine';
import type { Gateway } from './sandboxAccount';
import { turn } from './virtualTime';

export const chat = (number: number) => `4915100${String(number).padStart(6, '0')}`;

/** One message per item, each to its own chat by default. */
export const messages = (count: number, chatOf: (index: number) => number = (index) => index) =>
	Array.from({ length: count }, (_, index) => ({
		json: { to: chat(chatOf(index)), text: `Message ${index}` },
	}));

export interface Sending extends Partial<RunOptions> {
	/** Parameters other than the options. */
	fields?: Record<string, unknown>;
	options?: Record<string, unknown>;
	/** As a tool, with the limits of tools. By default without, because tests send the same again and again. */
	withLimits?: boolean;
}

/** The two ways in which n8n runs the node. */
export const BOTH_WAYS: Array<[string, boolean]> = [
	['in a workflow', false],
	['as a tool', true],
];

export const NO_LIMITS = {
	idempotencyKey: 'off',
	maxMessages: 0,
	maxPerTenMinutes: 0,
	maxPerChat: 0,
};

/** Runs an operation with these parameters, and with more each time. */
export const runner =
	(gateway: Gateway, shared: object) =>
	async (parameters: object = {}, more: Partial<RunOptions> = {}): Promise<Outcome> =>
		await run({ account: gateway.account, parameters: { ...shared, ...parameters }, ...more });

/** The body of a response. */
export const jsonBody = (value: unknown) => ({
	contentType: 'application/json',
	text: typeof value === 'string' ? value : JSON.stringify(value),
});

/** Sends the messages of the items; one message by default. */
export function sending(
	gateway: Gateway,
	{ fields, options = {}, items = messages(1), withLimits, ...rest }: Sending = {},
): RunOptions {
	return {
		account: gateway.account,
		items,
		parameters: {
			resource: 'message',
			operation: 'send',
			chatId: '={{ $json.to }}',
			text: '={{ $json.text }}',
			options: { ...(rest.asTool && !withLimits && NO_LIMITS), ...options },
			...fields,
		},
		...rest,
	};
}

export const deliveryWindow = (deliveryWindow: number | string) => ({ deliveryWindow });

export const pace = (messagesPerMinute: number | string, randomPart: number | string = 0) => ({
	pace: { values: { messagesPerMinute, randomPart } },
});

export const whenOffline = (offlineAction: string, more: Record<string, unknown> = {}) => ({
	whenOffline: { values: { offlineAction, ...more } },
});

export const lookUp = (gateway: Gateway, rest: Partial<RunOptions> = {}): RunOptions => ({
	account: gateway.account,
	parameters: { resource: 'message', operation: 'inviteInfo', inviteCode: 'AbC123' },
	...rest,
});

export const textsDelivered = (gateway: Gateway) =>
	gateway.state().delivered.map(({ text }) => text);

export const textsOf = (items: INodeExecutionData[]) => items.map(({ json }) => json.text);

export const pairs = ({ items }: Pick<Outcome, 'items'>) =>
	items.map(({ pairedItem }) => (pairedItem as { item: number }).item);

export function bodyOf({ bodyText }: RecordedRequest): Record<string, unknown> {
	return JSON.parse(bodyText ?? 'null') as Record<string, unknown>;
}

export const keysSent = (gateway: Gateway) =>
	gateway.requests().map((request) => bodyOf(request).idempotencyKey);

export const receivedAt = (request: RecordedRequest | undefined) => Date.parse(request!.receivedAt);

export const answeredAt = (request: RecordedRequest | undefined) =>
	Date.parse(request!.answeredAt!);

/** The time between each request and the next. */
export function gapsMs(gateway: Gateway): number[] {
	const times = gateway.requests().map(receivedAt);
	return times.slice(1).map((time, index) => time - times[index]!);
}

/** Waits for something that comes without a wait in the node. */
export async function until(what: string, isSo: () => boolean): Promise<void> {
	const startedAt = process.hrtime.bigint();
	while (!isSo()) {
		if (process.hrtime.bigint() - startedAt > MAX_WAIT_NS) {
			throw new Error(`timed out waiting until ${what}`);
		}
		await turn();
	}
}

/** Only to end a test that hangs. */
const MAX_WAIT_NS = 60_000_000_000n;

/** Waits long enough for an unwanted request to arrive. */
export const quiet = async (ms: number) =>
	await new Promise<void>((resolve) => setTimeout(resolve, ms));

export async function timed<T>(work: Promise<T>): Promise<{ value: T; ms: number }> {
	const startedAt = performance.now();
	const value = await work;
	return { value, ms: performance.now() - startedAt };
}
