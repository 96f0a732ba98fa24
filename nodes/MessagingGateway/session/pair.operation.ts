import {
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	type INodeProperties,
	updateDisplayOptions,
} from 'n8n-workflow';

import { refusal } from '../../../gateway/answer';
import { endpoints } from '../../../gateway/endpoints';
import { hopeless, noCodeYet, phaseOf, statusWord } from '../../../gateway/session';
import type { NotAnswered } from '../ask';
import { NotReady, Refused } from '../refusals';
import { type Code, codeIn, whyNoCode } from './code';
import { saysNotNow } from './noQr';
import { asBinary, outputDataFieldName } from './picture';
import { pollInterval, rhythmOf, timeout } from './rhythm';
import { type Ask, type Look, patiently, watch } from './watch';

const DEFAULTS = { timeout: 60, pollInterval: 2 };

export const properties: INodeProperties[] = updateDisplayOptions(
	{ show: { resource: ['session'], operation: ['pair'] } },
	[outputDataFieldName, timeout, pollInterval],
);

/** A code to scan; none where the session is online already. */
interface Found {
	status: string;
	code?: Code;
}

/** n8n runs it for each item. */
export const run = patiently(async (context, request) => {
	const rhythm = rhythmOf(context, DEFAULTS);
	const search = new Search();
	const watched = await watch(context, request, rhythm, async (ask) => await search.look(ask));
	if (!watched || 'thrown' in watched) return watched;
	if ('end' in watched) return { output: await output(context, watched.end) };
	const tooLate = new NotReady(noCodeYet(search.status, rhythm.timeoutMs / 1000));
	return watched.failed ?? { thrown: tooLate, tries: 1 };
});

async function output(
	context: IExecutePaginationFunctions,
	{ status, code }: Found,
): Promise<INodeExecutionData> {
	const seenAt = new Date().toISOString();
	const json = { online: !code, status, qr: code?.text ?? null, seenAt };
	return code ? { json, binary: await asBinary(context, code.picture()) } : { json };
}

const START = [endpoints.start];
/** The usual way out where a start alone does not help: the phone has logged the session out. */
const START_AFRESH = [endpoints.terminate, endpoints.start];

/** The way to a code: start what is not running, and look until there is one. */
class Search {
	status?: string;
	#startsLeft = [START, START_AFRESH];

	async look(ask: Ask): Promise<Look<Found>> {
		let seen = (await this.#readStatus(ask)) ?? (await this.#startIf(ask, this.#isDown));
		if (seen === 'started') seen = await this.#readStatus(ask);
		if (seen) return seen;
		if (this.#phase === 'online') return { end: { status: this.status! } };
		const code = await this.#readCode(ask);
		if (code || this.#phase !== 'unknown') return code;
		const started = await this.#startIf(ask, true);
		return started === 'started' ? undefined : started;
	}

	get #phase() {
		return this.status === undefined ? 'unknown' : phaseOf(this.status);
	}

	get #isDown() {
		return this.#phase === 'offline' || this.#phase === 'loggedOut';
	}

	async #readStatus(ask: Ask): Promise<NotAnswered | undefined> {
		const asked = await ask(endpoints.status);
		if (!asked || 'thrown' in asked) return asked;
		this.status = statusWord(asked.answer) ?? this.status;
		if (this.#phase !== 'barred') return undefined;
		return { thrown: new NotReady(hopeless(this.status!)!), mayPass: false, isPace: false };
	}

	async #readCode(ask: Ask): Promise<Look<Found>> {
		const asked = await ask(endpoints.qr);
		if (!asked) return undefined;
		const code = 'answer' in asked ? codeIn(asked.answer) : undefined;
		if (code) return { end: { status: this.status ?? 'AWAITING_QR', code } };
		const why = whyNoCode(asked);
		// The status may lag behind: somebody has scanned, the code is gone, and it still asks for a scan.
		if (why === 'alreadyOnline') return { end: { status: 'ONLINE' } };
		if (!('thrown' in asked) || why !== undefined) return undefined;
		return this.#isDown && isNotNow(asked.thrown) ? undefined : asked;
	}

	/** Once each way, and the second only for who is still logged out. */
	async #startIf(ask: Ask, isWanted: boolean): Promise<NotAnswered | 'started' | undefined> {
		const [steps] = this.#startsLeft;
		if (!isWanted || !steps || (steps === START_AFRESH && this.#phase !== 'loggedOut'))
			return undefined;
		for (const step of steps) {
			const asked = await ask(step);
			if (!asked) return undefined;
			if ('thrown' in asked && !isRunningAlready(asked.thrown)) return asked;
		}
		this.#startsLeft.shift();
		return 'started';
	}
}

/** What a gateway says of the code of a session that is not running, in whatever words. */
const isNotNow = (thrown: unknown) => thrown instanceof Refused && saysNotNow(thrown.answer);

function isRunningAlready(thrown: unknown): boolean {
	if (!(thrown instanceof Refused) || ![409, 422].includes(thrown.answer.status)) return false;
	const { code = '', message = '' } = refusal(thrown.answer.data);
	return /already|running|started|online/i.test(`${code} ${message}`);
}
