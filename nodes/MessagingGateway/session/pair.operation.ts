import {
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	type INodeProperties,
	updateDisplayOptions,
} from 'n8n-workflow';

import { refusal } from '../../../gateway/answer';
import { type Endpoint, endpoints } from '../../../gateway/endpoints';
import { hopeless, noCodeYet, type Phase, phaseOf, statusWord } from '../../../gateway/session';
import type { NotAnswered } from '../ask';
import { NotReady, Refused } from '../refusals';
import { type Code, readCode } from './code';
import { asBinary, fieldOf, outputDataFieldName } from './picture';
import { pollInterval, rhythmOf, timeout } from './rhythm';
import { type Ask, type Look, notReady, patiently, watch } from './watch';

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

export const run = patiently({
	settings: (context) => ({ ...rhythmOf(context, DEFAULTS), field: fieldOf(context) }),

	async run(context, request, { field, ...rhythm }) {
		const search = new Search();
		const watched = await watch(context, request, rhythm, async (ask) => await search.look(ask));
		if (!watched || 'thrown' in watched) return watched;
		if ('end' in watched) return { output: await output(context, watched.end, field) };
		const tooLate = new NotReady(noCodeYet(search.status, rhythm.timeoutMs / 1000));
		return watched.failed ?? { thrown: tooLate, tries: 1 };
	},
});

async function output(
	context: IExecutePaginationFunctions,
	{ status, code }: Found,
	field: string,
): Promise<INodeExecutionData> {
	const seenAt = new Date().toISOString();
	const json = { online: !code, status, qr: code?.text ?? null, seenAt };
	return code ? { json, binary: await asBinary(context, code.picture(), field) } : { json };
}

const START = [endpoints.start];
const REFRESH = [endpoints.refresh];
/** The usual way out where a start alone does not help: the phone has logged the session out. */
const START_AFRESH = [endpoints.terminate, endpoints.start];

/** What brings a session to a code, one after the other. */
const WAYS: Partial<Record<Phase, Endpoint[][]>> = {
	offline: [START],
	expired: [REFRESH],
	loggedOut: [START, START_AFRESH],
	unknown: [START],
};

/** The way to a code: start what is not running, and look until there is one. */
class Search {
	status?: string;
	readonly #gone = new Set<Endpoint[]>();

	async look(ask: Ask): Promise<Look<Found>> {
		let seen = (await this.#readStatus(ask)) ?? (await this.#goIf(ask, this.#isDown));
		if (seen === 'gone') seen = await this.#readStatus(ask);
		if (seen) return seen;
		if (this.#phase === 'online') return { end: { status: this.status! } };
		const code = await this.#readCode(ask);
		if (code || this.#phase !== 'unknown') return code;
		const gone = await this.#goIf(ask, true);
		return gone === 'gone' ? undefined : gone;
	}

	get #phase() {
		return this.status === undefined ? 'unknown' : phaseOf(this.status);
	}

	get #isDown() {
		return ['offline', 'expired', 'loggedOut'].includes(this.#phase);
	}

	async #readStatus(ask: Ask): Promise<NotAnswered | undefined> {
		const asked = await ask(endpoints.status);
		if (!asked || 'thrown' in asked) return asked;
		this.status = statusWord(asked.answer) ?? this.status;
		if (this.#phase !== 'barred') return undefined;
		return notReady(hopeless(this.status!)!);
	}

	async #readCode(ask: Ask): Promise<Look<Found>> {
		const read = readCode(await ask(endpoints.qr));
		if (!read || 'thrown' in read) return read;
		if (read.code) return { end: { status: this.status ?? 'AWAITING_QR', code: read.code } };
		// The status may lag behind: somebody has scanned, the code is gone, and it still asks for a scan.
		return read.isOnline ? { end: { status: 'ONLINE' } } : undefined;
	}

	/** Each way once. */
	async #goIf(ask: Ask, isWanted: boolean): Promise<NotAnswered | 'gone' | undefined> {
		const way = WAYS[this.#phase]?.find((one) => !this.#gone.has(one));
		if (!isWanted || !way) return undefined;
		for (const step of way) {
			const asked = await ask(step);
			if (!asked) return undefined;
			if ('thrown' in asked && !isRunningAlready(asked.thrown)) return asked;
		}
		this.#gone.add(way);
		return 'gone';
	}
}

function isRunningAlready(thrown: unknown): boolean {
	if (!(thrown instanceof Refused) || ![409, 422].includes(thrown.answer.status)) return false;
	const { code = '', message = '' } = refusal(thrown.answer.data);
	return /already|running|started|online/i.test(`${code} ${message}`);
}
