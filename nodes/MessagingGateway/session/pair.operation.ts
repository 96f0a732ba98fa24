import { type Endpoint, endpoints } from '../../../gateway/wire/endpoints';
import { type Failed, notUsable, type Result } from '../../../gateway/responses/failure';
import {
	imageOf,
	isAlreadyRunning,
	type QrCode,
	qrCodeResult,
} from '../../../gateway/responses/qrCode';
import { noQrCodeText, permanentStatusText } from '../../../gateway/failures/sessionTexts';
import { type Phase, phaseOf } from '../../../gateway/responses/dialect';
import { statusResult, sessionIn } from '../../../gateway/responses/sessionStatus';
import type { Item } from '../operation/item';
import { type Operation, rehearsedResult } from '../operation/operation';
import type { ItemResult } from '../operation/outputItems';
import {
	type Polled,
	pollFields,
	pollingOperation,
	type PollTimes,
	type Send,
} from '../operation/polling';
import { imageOutput, outputDataFieldName, outputFieldOf } from './qr.operation';

const pairTimes = pollFields(60, 2, 'How long to wait for a QR code');

interface Paired {
	status: string;
	code?: QrCode;
}

/** Lists the requests that bring a session to a QR code. If the first ones change nothing, the next ones follow. */
const STEPS: Partial<Record<Phase, Endpoint[][]>> = {
	offline: [[endpoints.start]],
	expired: [[endpoints.refresh]],
	loggedOut: [[endpoints.start], [endpoints.terminate, endpoints.start]],
	unknown: [[endpoints.start]],
};

class Pairing {
	#status?: string;
	readonly #sent = new Set<string>();

	constructor(private readonly settings: PollTimes) {}

	whyNotYet(): Failed {
		return notUsable(noQrCodeText(this.#status, this.settings.timeoutMs / 1000));
	}

	async output(polled: Polled<Paired>, item: Item): Promise<ItemResult> {
		const seenAt = new Date().toISOString();
		const found = { online: false, status: this.#status ?? '', qr: null, seenAt };
		const rehearsed = rehearsedResult(polled, found);
		if (rehearsed) return rehearsed;
		if ('failure' in polled) return polled;
		const { status, code } = polled.value;
		const qr = code?.kind === 'text' ? code.text : null;
		const json = { online: !code, status, qr, seenAt };
		const binary = code && (await imageOutput(item, imageOf(code)));
		return { value: [binary ? { json, binary } : { json }] };
	}

	async poll(send: Send): Promise<Result<Paired> | undefined> {
		const failed =
			(await this.#readStatus(send)) ??
			(this.#phase === 'unknown' ? undefined : await this.#startAndReadStatus(send));
		if (failed) return failed;
		if (this.#phase === 'online') return { value: { status: this.#status! } };
		const found = await this.#readCode(send);
		if (found || this.#phase !== 'unknown') return found;
		const steps = this.#nextSteps();
		return steps && (await this.#sendSteps(steps, send));
	}

	get #phase() {
		return this.#status === undefined ? 'unknown' : phaseOf(this.#status);
	}

	async #readStatus(send: Send): Promise<Failed | undefined> {
		const result = statusResult(await send(endpoints.status));
		if ('failure' in result) return result;
		this.#status = sessionIn(result.value).status ?? this.#status;
		const permanent = this.#phase === 'banned' ? permanentStatusText(this.#status!) : undefined;
		return permanent && notUsable(permanent);
	}

	async #startAndReadStatus(send: Send): Promise<Failed | undefined> {
		const steps = this.#nextSteps();
		return steps && ((await this.#sendSteps(steps, send)) ?? (await this.#readStatus(send)));
	}

	/** Returns the next steps of this phase. Steps that have succeeded once are not repeated. */
	#nextSteps() {
		return STEPS[this.#phase]?.find((steps) => !this.#sent.has(pathsOf(steps)));
	}

	async #sendSteps(steps: Endpoint[], send: Send): Promise<Failed | undefined> {
		for (const step of steps) {
			const sent = await send(step);
			if ('failure' in sent && !isRunning(sent)) return sent;
		}
		this.#sent.add(pathsOf(steps));
		return undefined;
	}

	async #readCode(send: Send): Promise<Result<Paired> | undefined> {
		const result = qrCodeResult(await send(endpoints.qr));
		if ('failure' in result) return result;
		const code = result.value;
		if (code.kind !== 'none') return { value: { status: this.#status ?? 'AWAITING_QR', code } };
		// After a scan, the code is gone, although the status may still ask for a scan.
		return code.reason === 'alreadyOnline' ? { value: { status: 'ONLINE' } } : undefined;
	}
}

const pathsOf = (steps: Endpoint[]) => steps.map(({ path }) => path).join();

const isRunning = ({ failure }: Failed) =>
	failure.kind === 'rejected' && isAlreadyRunning(failure.response);

export const pair: Operation = {
	option: ['pair', 'Pair', 'Pair phone'],
	description: 'Start the session if needed, and output the QR code to scan',
	execute: pollingOperation(
		(item) => ({ ...pairTimes.read(item.field), outputField: outputFieldOf(item) }),
		(settings) => new Pairing(settings),
	),
	properties: [outputDataFieldName, ...pairTimes.fields],
};
