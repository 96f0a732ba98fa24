import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { endpoints } from '../../../gateway/wire/endpoints';
import { notUsable, type Result } from '../../../gateway/replies/failure';
import { type QrCode, qrCodeId, qrCodeResult } from '../../../gateway/replies/qrCode';
import { imageOf } from '../../../gateway/replies/qrImage';
import { notOnline, permanentStatus } from '../../../gateway/errors/errorCatalog';
import { choice, number, options, toggle } from '../fields/field';
import { choiceOf, flagOf, numberOf, optionsIn, parametersOf, type Read } from '../fields/read';
import { toNodeError } from '../request/nodeError';
import { onlineStatuses, type OnlineTest, onlineTest } from '../request/polling';
import type { Operation } from '../request/operation';
import {
	pollingOperation,
	type PollTimes,
	pollUntil,
	readStatus,
	type Send,
} from '../request/polling';
import { imageOutput } from './qr.operation';

/** How long to wait, and how often to poll, in seconds. */
export function pollFields(timeoutSeconds: number, pollSeconds: number, what: string) {
	const timeout = number('timeout', 'Timeout (Seconds)', [1, 3600], timeoutSeconds)(what);
	const interval = number(
		'pollInterval',
		'Poll Interval (Seconds)',
		[0.5, 300],
		pollSeconds,
	)('Time between two requests to the gateway. It grows to twice this value during a long wait.');
	return {
		fields: [timeout, interval] as INodeProperties[],
		read: (read: Read): PollTimes => ({
			timeoutMs: numberOf(timeout, read) * 1000,
			intervalMs: numberOf(interval, read) * 1000,
		}),
	};
}

const times = pollFields(120, 3, 'How long to wait for the session to come online');

const onTimeout = choice('onTimeout', 'On Timeout', 'error', [
	[
		'item',
		'Output an Item',
		'Continue with an item that has online: false, or null if no status could be read, and timedOut: true, or false after ten failed requests in a row',
	],
	['error', 'Stop', 'Stop the workflow with a message'],
])('What to do if the session is not online within the timeout, or the gateway does not recover');

const returnOnNewQr = toggle(
	'returnOnNewQr',
	'Return on New QR Code',
)(
	"Whether to also return when the QR code differs from the 'qr' of the input item, or from the first one seen. The item has the code as text, and as an image in the field 'data'.",
);

type Settings = ReturnType<typeof readSettings>;

function readSettings(context: IExecuteSingleFunctions) {
	const parameter = parametersOf(context);
	const option = optionsIn(parameter);
	const isOnline = onlineTest(option);
	const returnsOnNewQr = flagOf(returnOnNewQr, option);
	const { qr } = context.getInputData().json;
	return {
		...times.read(parameter),
		isOnline,
		/** Items share the polling if their settings are the same as JSON, which leaves out functions. */
		onlineStatuses: isOnline.entered,
		outputsItemOnTimeout: choiceOf(onTimeout, option) === 'item',
		returnsOnNewQr,
		/** The code that the user sees now. */
		knownQr: returnsOnNewQr && typeof qr === 'string' ? qr : undefined,
	};
}

const polling = pollingOperation(readSettings, async (context, request, settings) => {
	const wait = new OnlineWait(settings);
	const polled = await pollUntil(context, request, settings, async (send) => await wait.poll(send));
	if (!polled) return undefined;
	if ('value' in polled) {
		const json = { ...wait.json, timedOut: false };
		const { code } = polled.value;
		if (!code) return { value: [{ json }] };
		const qr = code.kind === 'text' ? code.text : null;
		return {
			value: [{ json: { ...json, qr }, binary: await imageOutput(context, imageOf(code)) }],
		};
	}
	const timedOut = 'timedOut' in polled;
	const lastFailed = timedOut ? polled.failed : polled;
	const failed = lastFailed ?? notUsable(notOnline(wait.status, settings.timeoutMs / 1000));
	if (!settings.outputsItemOnTimeout || failed.isTemporary === false) return failed;
	// Tells an unreachable gateway from a session that is offline.
	const hasReason = lastFailed !== undefined || wait.status === undefined;
	const reason = hasReason && toNodeError(context.getNode(), failed).message;
	return { value: [{ json: { ...wait.json, timedOut, ...(reason ? { reason } : {}) } }] };
});

/** Waits for an online status or, if wanted, for a new QR code. */
class OnlineWait {
	status?: string;
	readonly #history: Array<{ status: string; at: string }> = [];
	readonly #isOnlineStatus: OnlineTest;
	readonly #returnsOnNewQr: boolean;
	#knownQr: string | undefined;

	constructor(settings: Settings) {
		this.#isOnlineStatus = settings.isOnline;
		this.#returnsOnNewQr = settings.returnsOnNewQr;
		this.#knownQr = settings.knownQr;
	}

	/** Done with a code if there is a new one, without one if the session is online. */
	async poll(send: Send): Promise<Result<{ code?: QrCode }> | undefined> {
		const result = await readStatus(send, this.#isOnlineStatus);
		if (!result || 'failure' in result) return result;
		const status = result.value;
		if (status !== this.status) this.#history.push({ status, at: new Date().toISOString() });
		this.status = status;
		if (this.#isOnline) return { value: {} };
		const permanent = permanentStatus(status);
		if (permanent) return notUsable(permanent);
		return this.#returnsOnNewQr ? await this.#readNewCode(send) : undefined;
	}

	get json() {
		const { status = null } = this;
		return { online: status === null ? null : this.#isOnline, status, history: this.#history };
	}

	get #isOnline() {
		return this.status !== undefined && this.#isOnlineStatus(this.status);
	}

	async #readNewCode(send: Send): Promise<Result<{ code: QrCode }> | undefined> {
		const sent = await send(endpoints.qr);
		if (!sent) return undefined;
		const result = qrCodeResult(sent);
		if ('failure' in result) return result;
		const code = result.value;
		if (code.kind === 'none') return undefined;
		const id = qrCodeId(code);
		const isNew = this.#knownQr !== undefined && this.#knownQr !== id;
		this.#knownQr = id;
		return isNew ? { value: { code } } : undefined;
	}
}

export const waitUntilOnline: Operation = {
	option: ['waitUntilOnline', 'Wait Until Online', 'Wait until session is online'],
	description: 'Poll the status until the session is ready to send',
	...polling,
	properties: [...times.fields, options([onlineStatuses, onTimeout, returnOnNewQr])],
};
