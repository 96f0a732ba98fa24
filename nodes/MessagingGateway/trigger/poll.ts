import { createHmac } from 'crypto';

import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { retryPolicy } from '../../../gateway/failures/retryPolicy';
import { oneOf } from '../../../gateway/inputValues';
import { storedObject } from '../../../gateway/json';
import { type Failed, isTimeout, notUsable, type Result } from '../../../gateway/responses/failure';
import { accountKey } from '../../../gateway/wire/account';
import { checkedSecrets } from '../../../gateway/wire/signature';
import { readersOf } from '../fields/read';
import { readAccount } from '../request/account';
import { toNodeError } from '../operation/outputItems';
import { failureInInput } from '../request/inputErrors';
import { sendNonMessage } from '../request/sendRequest';
import { connectionOptions } from '../request/requestOptions';
import { steadyClock } from '../request/steadyClock';
import { deferredAdded, deferredSettled, MAX_STORED } from './deliveries.event';
import type { TriggerEvent } from './event';
import { sessionOffline, statusChanged } from './status.event';

export const EVENTS = { deferredAdded, deferredSettled, sessionOffline, statusChanged };

/** Limits the rate limiter's wait and the request together, because n8n polls again after a minute. */
const MAX_POLL_MS = 15_000;

const NO_TIMELY_RESPONSE = {
	message: `The gateway did not respond within ${MAX_POLL_MS / 1000} s`,
	description: 'It may be overloaded. Try again later.',
};

type PollOutput = INodeExecutionData[][] | null;

export async function pollTrigger(this: IPollFunctions): Promise<PollOutput> {
	const polled = this.getMode() === 'manual' ? sampleEvent(this) : pollOnce(this);
	const output = await polled.catch(failureInInput);
	if (output && 'failure' in output) throw toNodeError(this.getNode(), output);
	return output;
}

async function pollSettings(context: IPollFunctions) {
	const node = readersOf(context);
	const name = oneOf(node.field('event'), Object.keys(EVENTS), 'Trigger On') as keyof typeof EVENTS;
	const event: TriggerEvent = EVENTS[name];
	const settings = event.settings(node);
	const connection = connectionOptions(node.field);
	return { name, event, settings, connection, account: await readAccount(context) };
}

type Poll = Awaited<ReturnType<typeof pollSettings>>;
type StoredState = ReturnType<typeof storedState>;

/** Returns a test event. It stores nothing: n8n would not save it, and a test must not take an event from the published workflow. */
async function sampleEvent(context: IPollFunctions): Promise<PollOutput | Failed> {
	const poll = await pollSettings(context);
	const { event, settings } = poll;
	const found = await currentValue(context, poll);
	if ('failure' in found) return found;
	return [[{ json: event.sample(found.value, settings, Date.now()) }]];
}

const pollingNow = new Set<string>();

/**
 * Polls unless a poll of the same trigger is running: both would compare with the same state, and report the same events.
 * The stored state cannot show an overlap, because n8n may give each poll a copy of it.
 */
async function pollOnce(context: IPollFunctions): Promise<PollOutput | Failed> {
	const trigger = `${context.getWorkflow().id}/${context.getNode().id}`;
	if (pollingNow.has(trigger)) return null;
	pollingNow.add(trigger);
	try {
		return await newEvents(context);
	} finally {
		pollingNow.delete(trigger);
	}
}

async function newEvents(context: IPollFunctions): Promise<PollOutput | Failed> {
	const poll = await pollSettings(context);
	const { name, event, settings, account } = poll;
	const { secret } = checkedSecrets(account.credentials);
	const scope = scopeOf(secret, accountKey(account.credentials), name, settings.query ?? {});
	const found = await currentValue(context, poll);
	const stored = storedState(context.getWorkflowStaticData('node'), scope);
	if ('failure' in found) return withoutEvents(context, stored, found);
	const { before, isEmpty } = stored;
	const change = event.compare(before, found.value, settings, Date.now());
	stored.store(change.state);
	if (change.overLimit) {
		const limit = `There are more than ${MAX_STORED} deferred deliveries.`;
		warn(context, `${limit} ${change.overLimit} of them are not watched until others are settled.`);
	}
	if (change.events.length > 0) return [change.events.map((json) => ({ json }))];
	// n8n saves the first state when the workflow is published. A later first state, such as after an outage, needs a run.
	const mustBeSaved = before === undefined ? !isEmpty : change.mustBeSaved;
	return mustBeSaved ? emptyRun(context) : null;
}

async function currentValue(
	context: IPollFunctions,
	{ account, event, settings, connection }: Poll,
): Promise<Result<unknown>> {
	const deadline = steadyClock.now() + MAX_POLL_MS;
	const { method, path } = event.endpoint;
	const request = { ...settings.query, ...connection, method, url: path };
	const sent = await sendNonMessage(context, account, request, { deadline });
	if (!sent) return notUsable(NO_TIMELY_RESPONSE, true);
	const result = event.accept?.(sent) ?? sent;
	if ('value' in result) {
		const value = event.read(result.value, settings);
		return value === undefined ? notUsable(event.unreadable, true) : { value };
	}
	const { failure } = result;
	// A shorter timeout comes from the user, so it is reported as a timeout of the request.
	if (isTimeout(failure) && connection.timeout >= MAX_POLL_MS)
		return notUsable(NO_TIMELY_RESPONSE, true);
	return { failure, isTemporary: retryPolicy(failure).isTemporary };
}

/**
 * Returns a run without items, because after publishing n8n saves the state only with a run. With Always Output Data,
 * n8n would add an empty item and start the workflow, so the state waits for the next run with events.
 */
const emptyRun = (context: IPollFunctions): PollOutput =>
	context.getNode().alwaysOutputData ? null : [[]];

/** Logs an outage, and returns a failure that the user must fix. */
function withoutEvents(
	context: IPollFunctions,
	stored: StoredState,
	failed: Failed,
): null | Failed {
	// n8n also activates triggers when it starts, and when another process takes over. An outage must not stop them then.
	const isPublishing = !['init', 'leadershipChange'].includes(context.getActivationMode());
	// Until a poll has succeeded, the address may be wrong, so publishing must fail.
	if (!failed.isTemporary || (stored.isEmpty && isPublishing)) return failed;
	const { message } = toNodeError(context.getNode(), failed);
	warn(context, `${message}. No event is triggered.`);
	if (stored.isEmpty) stored.store();
	return null;
}

function warn(context: IPollFunctions, message: string): void {
	const { name: nodeName } = context.getNode();
	context.logger.warn(`${nodeName}: ${message}`, {
		nodeName,
		workflowId: context.getWorkflow().id,
	});
}

/**
 * Identifies the account and the settings of a poll, to which a state belongs. It is a digest, because the account's key
 * contains the token. It includes the secret, because short tokens could be guessed from a plain digest.
 */
const scopeOf = (secret: string, ...parts: unknown[]) =>
	createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url').slice(0, 16);

/**
 * Reads and writes the trigger's state in n8n's static data. The state is one text, because n8n wraps every object in a
 * proxy, which is slow for thousands of objects, and takes every write for a change.
 */
export function storedState(data: IDataObject, scope: string) {
	const stored = storedObject(data.state);
	return {
		isEmpty: stored === undefined,
		/** Contains the state after the last poll, unless that poll had another scope. */
		before: stored?.scope === scope ? stored.state : undefined,
		store(state?: unknown): void {
			const text = JSON.stringify({ scope, state });
			if (data.state !== text) data.state = text;
		},
	};
}
