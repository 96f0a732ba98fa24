import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { accountOf } from '../account';
import { explained } from '../refusals';
import { deferredAdded } from './deferredAdded.event';
import { deferredSettled } from './deferredSettled.event';
import { MOST_REMEMBERED } from './deliveries';
import type { Kind } from './kind';
import { lookAt, type NotSeen } from './look';
import { Memory, scopeOf } from './memory';
import { offlineFor } from './offlineFor.event';
import { statusChanged } from './statusChanged.event';

const KINDS = { statusChanged, offlineFor, deferredAdded, deferredSettled };

type Polled = INodeExecutionData[][] | null;

export async function poll(this: IPollFunctions): Promise<Polled> {
	try {
		return this.getMode() === 'manual' ? await example(this) : await newsUnlessOnItsWay(this);
	} catch (thrown) {
		throw explained(this.getNode(), thrown);
	}
}

function eventOf(context: IPollFunctions) {
	const name = context.getNodeParameter('event') as keyof typeof KINDS;
	const kind: Kind = KINDS[name];
	return { name, kind, settings: kind.settings(context) };
}

/** Nothing is remembered: n8n would not save it, and a look in the editor takes no event away from the workflow. */
async function example(context: IPollFunctions): Promise<INodeExecutionData[][]> {
	const { kind, settings } = eventOf(context);
	const look = await lookAt(context, kind, settings);
	if ('thrown' in look) throw look.thrown;
	return [[{ json: kind.example(look.seen, settings, Date.now()) }]];
}

/** By workflow and node: whose look is on its way. */
const looking = new Set<string>();

/**
 * Of two polls that overlap, the one on its way tells: both would compare with the same past, and tell the same.
 * What is remembered cannot show it: where n8n keeps it apart from the workflow, each poll gets a copy.
 */
async function newsUnlessOnItsWay(context: IPollFunctions): Promise<Polled> {
	const trigger = `${context.getWorkflow().id}/${context.getNode().id}`;
	if (looking.has(trigger)) return null;
	looking.add(trigger);
	try {
		return await news(context);
	} finally {
		looking.delete(trigger);
	}
}

async function news(context: IPollFunctions): Promise<Polled> {
	const { name, kind, settings } = eventOf(context);
	const { key: account } = await accountOf(context);
	const scope = scopeOf(account, name, kind.query(context));
	const look = await lookAt(context, kind, settings);
	// Where somebody has edited the credential meanwhile, the answer may be of either account.
	if ((await accountOf(context)).key !== account) return null;
	const memory = new Memory(context.getWorkflowStaticData('node'), scope);
	if ('thrown' in look) return noNews(context, memory, look);
	const { before, isEmpty } = memory;
	const step = kind.step(before, look.seen, settings, Date.now());
	memory.keep(step.state);
	if (step.beyond) warn(context, tooMany(step.beyond));
	if (step.events.length > 0) return [step.events.map((json) => ({ json }))];
	// A baseline that comes late is not in what n8n saved at publishing.
	const mustBeSaved = before === undefined ? !isEmpty : step.mustBeSaved;
	return mustBeSaved ? quietRun(context) : null;
}

/**
 * n8n saves what poll remembers at publishing, and later on only with a run: one without items, then, which
 * nothing behind the trigger takes part in. With Always Output Data, n8n would put an empty item into it and start
 * the workflow for nothing: rather is it left to the next run to save.
 */
const quietRun = (context: IPollFunctions): Polled =>
	context.getNode().alwaysOutputData ? null : [[]];

/** That the gateway could not be asked is no event. What a person has to set right is thrown, so that one sees it. */
function noNews(context: IPollFunctions, memory: Memory, { thrown, mayPass }: NotSeen): null {
	// Of a trigger that has never seen anything, nobody knows whether its address is right.
	const isUntried = memory.isEmpty && isPublishing(context);
	if (!mayPass || isUntried) throw thrown;
	warn(context, `${explained(context.getNode(), thrown).message}. This is no event.`);
	if (memory.isEmpty) memory.keep();
	return null;
}

/** By a person, who sees what is thrown; else n8n starts anew, or another of its processes takes over. */
const isPublishing = (context: IPollFunctions) =>
	!['init', 'leadershipChange'].includes(context.getActivationMode());

const tooMany = (count: number) =>
	`More than ${MOST_REMEMBERED} deferred deliveries wait. ${count} of them are taken up when others have gone.`;

function warn(context: IPollFunctions, message: string): void {
	const { name: nodeName } = context.getNode();
	context.logger.warn(`${nodeName}: ${message}`, {
		nodeName,
		workflowId: context.getWorkflow().id,
	});
}
