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

export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	try {
		return this.getMode() === 'manual' ? await example(this) : await news(this);
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
	const look = await lookAt(context, kind);
	if ('thrown' in look) throw look.thrown;
	return [[{ json: kind.example(look.seen, settings, Date.now()) }]];
}

async function news(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const { name, kind, settings } = eventOf(context);
	const { key: account } = await accountOf(context);
	const scope = scopeOf(account, name, kind.query(context));
	const turn = (turns += 1);
	const look = await lookAt(context, kind);
	// From here on nothing is waited for: of two polls that overlap, the second finds what the first has left.
	const data = context.getWorkflowStaticData('node');
	const memory = new Memory(data, scope);
	if ('thrown' in look) return noNews(context, memory, look);
	if (isOvertaken(data, turn)) return null;
	const { before, isEmpty } = memory;
	const step = kind.step(before, look.seen, settings, Date.now());
	memory.keep(step.state);
	if (step.beyond) warn(context, tooMany(step.beyond));
	if (step.events.length > 0) return [step.events.map((json) => ({ json }))];
	// n8n saves what poll remembers at publishing, and later on only with a run: one without items, then,
	// which nothing behind the trigger takes part in. A baseline that comes late is saved that way, too.
	const mustBeSaved = before === undefined ? !isEmpty : step.mustBeSaved;
	return mustBeSaved ? [[]] : null;
}

/** That the gateway could not be asked is no event. What a person has to set right is thrown, so that one sees it. */
function noNews(context: IPollFunctions, memory: Memory, { thrown, mayPass }: NotSeen): null {
	if (!mayPass) throw thrown;
	warn(context, `${explained(context.getNode(), thrown).message}. This is no event.`);
	if (memory.isEmpty) memory.keep();
	return null;
}

let turns = 0;
/** By the memory it was compared with: whose turn it was last. */
const lastTurns = new WeakMap<object, number>();

/** Whether somebody who asked later has been answered before: what is older by then would undo what that one has seen. */
function isOvertaken(memory: object, turn: number): boolean {
	if (turn < (lastTurns.get(memory) ?? 0)) return true;
	lastTurns.set(memory, turn);
	return false;
}

const tooMany = (count: number) =>
	`More than ${MOST_REMEMBERED} deferred deliveries wait. ${count} of them are taken up when others have gone.`;

function warn(context: IPollFunctions, message: string): void {
	const { name: nodeName } = context.getNode();
	context.logger.warn(`${nodeName}: ${message}`, {
		nodeName,
		workflowId: context.getWorkflow().id,
	});
}
