import type { IExecuteFunctions, IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';

import { isRefused } from '../../../gateway/answer';
import { clockHint } from '../../../gateway/clock';
import type { Endpoint } from '../../../gateway/endpoints';
import { type Account, accountOf } from '../account';
import { attempts } from '../attempt';
import { call } from '../call';
import { duplicateItems, sentItems } from '../items';
import { Refused, refusedItem } from '../refusals';
import { connectionOptions } from '../requestOptions';
import { brakeOf } from '../sending/brake';
import { sendAll, type SendSettings, type Sent } from '../sending/sendAll';
import { itemsOf, JSON_HEADERS, type Opener, type Outgoing } from './itemBody';
import { sendSettings } from './sendSettings';
import { theOthers } from './theOthers';

/** All that is the same for every item of a run. */
interface Run {
	account: Account;
	request: IHttpRequestOptions;
	settings: SendSettings;
}

/** Sends the messages of all items of a run. */
export function deliver(endpoint: Endpoint, open: Opener) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const account = await accountOf(this);
		let run: Run;
		try {
			run = runOf(this, endpoint, account);
		} catch (thrown) {
			// What is wrong for all items is said of each: they leave by the branch that the user has chosen.
			return [this.getInputData().map((_, item) => refusedItem(this, item, thrown))];
		}
		const sent = await sendItems(this, run, open);
		const message = clockHint(account.key);
		if (message) this.addExecutionHints({ message, location: 'outputPane', type: 'warning' });
		// Who has cancelled the execution is not to be told that it went wrong.
		return [run.settings.isOver() ? [] : outputItems(this, sent)];
	};
}

function runOf(context: IExecuteFunctions, { method, path }: Endpoint, account: Account): Run {
	return {
		account,
		request: {
			...connectionOptions(context),
			method,
			url: path,
		},
		settings: {
			...sendSettings(context),
			brake: brakeOf(account.key),
			stopsAtFirst: !context.continueOnFail(),
			isOver: () => context.getExecutionCancelSignal()?.aborted ?? false,
		},
	};
}

async function sendItems(
	context: IExecuteFunctions,
	run: Run,
	open: Opener,
): Promise<Sent<INodeExecutionData[]>> {
	const account = run.account.key;
	const itemAt = itemsOf(context);
	return await sendAll(
		context.getInputData().length,
		(index) => {
			const message = open(itemAt(index));
			const { chat, isRepeatable } = message;
			const go = async () => await send(context, run, message);
			const about = { account, duplicate: isRepeatable ? duplicateItems : undefined };
			return { lane: chat, isRepeatable, attempt: attempts(go, about) };
		},
		run.settings,
	);
}

async function send(
	context: IExecuteFunctions,
	{ account, request }: Run,
	message: Outgoing,
): Promise<INodeExecutionData[]> {
	const signable = { ...request, headers: { ...JSON_HEADERS }, body: await message.body() };
	const answer = await call(context, signable, account.redact);
	if (isRefused(answer)) throw new Refused(answer);
	return sentItems(answer);
}

/** In item order, each paired with the item it came from. */
function outputItems(
	context: IExecuteFunctions,
	{ ends, stoppedBy }: Sent<INodeExecutionData[]>,
): INodeExecutionData[] {
	const stopped = stoppedBy === undefined ? undefined : ends[stoppedBy];
	if (stopped && 'thrown' in stopped) {
		refusedItem(context, stoppedBy!, stopped.thrown, { ...stopped, others: theOthers(ends) });
	}
	return ends.flatMap((end, item) => {
		if (!end) return [];
		if ('thrown' in end) return [refusedItem(context, item, end.thrown, end)];
		return end.result.map((output) => ({ ...output, pairedItem: { item } }));
	});
}
