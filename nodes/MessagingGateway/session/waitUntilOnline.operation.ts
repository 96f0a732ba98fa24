import { endpoints } from '../../../gateway/wire/endpoints';
import { type Failed, notUsable, type Result } from '../../../gateway/responses/failure';
import { imageOf, type QrCode, qrCodeId, qrCodeResult } from '../../../gateway/responses/qrCode';
import { notOnlineText, permanentStatusText } from '../../../gateway/failures/sessionTexts';
import { choice, options, toggle } from '../fields/field';
import { choiceOf, flagOf } from '../fields/read';
import type { Item } from '../operation/item';
import { type ItemResult, toNodeError } from '../operation/outputItems';
import type { Operation } from '../operation/operation';
import {
	isOnline,
	type Polled,
	pollFields,
	pollingOperation,
	readStatus,
	type Send,
} from '../operation/polling';
import { imageOutput } from './qr.operation';

const onlineTimes = pollFields(120, 3, 'How long to wait for the session to come online');

const onTimeout = choice('onTimeout', 'On Timeout', 'error', [
	[
		'item',
		'Output an Item',
		'Continue with online: false, or null if no status could be read, and timedOut: true, or false after ten failed requests',
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

function readSettings({ field, option, input }: Item) {
	const returnsOnNewQr = flagOf(returnOnNewQr, option);
	const { qr } = input.json;
	return {
		...onlineTimes.read(field),
		outputsItemOnTimeout: choiceOf(onTimeout, option) === 'item',
		returnsOnNewQr,
		knownQr: returnsOnNewQr && typeof qr === 'string' ? qr : undefined,
	};
}

class OnlineWait {
	#status: string | undefined;
	#knownQr: string | undefined;

	constructor(private readonly settings: Settings) {
		this.#knownQr = settings.knownQr;
	}

	whyNotYet(): Failed {
		return notUsable(notOnlineText(this.#status, this.settings.timeoutMs / 1000));
	}

	async output(polled: Polled<{ code?: QrCode }>, item: Item): Promise<ItemResult> {
		const status = this.#status ?? null;
		const online = status === null ? null : isOnline(status);
		const json = { online, status };
		if ('value' in polled) {
			const { code } = polled.value;
			if (!code) return { value: [{ json: { ...json, timedOut: false } }] };
			const qr = code.kind === 'text' ? code.text : null;
			const binary = await imageOutput(item, imageOf(code));
			return { value: [{ json: { ...json, timedOut: false, qr }, binary }] };
		}
		const { timedOut = false, isTemporary, attempts } = polled;
		if (!this.settings.outputsItemOnTimeout || isTemporary === false) return polled;
		// A reason distinguishes an unreachable gateway from a session that is offline.
		const hasReason = attempts !== undefined || status === null;
		const reason = hasReason && toNodeError(item.context.getNode(), polled).message;
		return { value: [{ json: { ...json, timedOut, ...(reason ? { reason } : {}) } }] };
	}

	/** Returns a new QR code, or no code if the session is online. Undefined means to poll again. */
	async poll(send: Send): Promise<Result<{ code?: QrCode }> | undefined> {
		const result = await readStatus(send);
		if ('failure' in result) return result;
		const status = result.value;
		this.#status = status;
		if (isOnline(status)) return { value: {} };
		const permanent = permanentStatusText(status);
		if (permanent) return notUsable(permanent);
		return this.settings.returnsOnNewQr ? await this.#readNewCode(send) : undefined;
	}

	async #readNewCode(send: Send): Promise<Result<{ code: QrCode }> | undefined> {
		const result = qrCodeResult(await send(endpoints.qr));
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
	execute: pollingOperation(readSettings, (settings) => new OnlineWait(settings)),
	properties: [...onlineTimes.fields, ...options([onTimeout, returnOnNewQr])],
};
