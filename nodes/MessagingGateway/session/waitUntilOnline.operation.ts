import {
	type IDataObject,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	type INodeProperties,
	updateDisplayOptions,
} from 'n8n-workflow';

import { endpoints } from '../../../gateway/endpoints';
import { InvalidInput } from '../../../gateway/invalidInput';
import { hopeless, notOnlineYet, statusWord, UNREADABLE_STATUS } from '../../../gateway/session';
import { onlineStatuses, onlineTest } from '../onlineStatuses';
import { explained, NotReady } from '../refusals';
import { type Code, readCode } from './code';
import { asBinary } from './picture';
import { pollInterval, rhythmOf, timeout } from './rhythm';
import { type Ask, type Failed, type Look, notReady, patiently, watch } from './watch';

const DEFAULTS = { timeout: 120, pollInterval: 3 };

export const properties: INodeProperties[] = updateDisplayOptions(
	{ show: { resource: ['session'], operation: ['waitUntilOnline'] } },
	[
		{
			...timeout,
			default: 120,
			description: 'How long to wait for the session to come online',
		},
		{ ...pollInterval, default: 3 },
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [
				onlineStatuses,
				{
					displayName: 'On Timeout',
					name: 'onTimeout',
					type: 'options',
					options: [
						{
							name: 'Put Out an Item',
							value: 'item',
							description: 'Go on with an item that says online: false and timedOut: true',
						},
						{ name: 'Stop', value: 'error', description: 'Say that it did not come online' },
					],
					default: 'error',
					description: 'What to do where the session is not online in time',
				},
				{
					displayName: 'Return on New QR Code',
					name: 'returnOnNewQr',
					type: 'boolean',
					default: false,
					description:
						"Whether to come back as soon as there is another QR code to scan than the 'qr' of the input item (or, without one, than the first one seen). It comes as text, and as a picture in the field 'data'.",
				},
			],
		},
	],
);

type Settings = ReturnType<typeof settings>;

function settings(context: IExecutePaginationFunctions) {
	const {
		onlineStatuses: entered,
		onTimeout = 'error',
		returnOnNewQr = false,
	} = context.getNodeParameter('options', {}) as IDataObject;
	const { qr } = context.getInputData().json;
	onlineTest(entered);
	return {
		...rhythmOf(context, DEFAULTS),
		onlineStatuses: entered,
		putsOutItem: oneOf(onTimeout, ['error', 'item'], 'On Timeout') === 'item',
		returnsOnNewQr: oneOf(returnOnNewQr, [true, false], 'Return on New QR Code'),
		/** The code that somebody has been shown. */
		knownQr: returnOnNewQr && typeof qr === 'string' ? qr : undefined,
	};
}

export const run = patiently({
	settings,

	async run(context, request, chosen) {
		const wait = new Wait(chosen);
		const watched = await watch(context, request, chosen, async (ask) => await wait.look(ask));
		if (!watched) return undefined;
		if ('end' in watched) return { output: await output(context, wait, watched.end) };
		const failed = 'thrown' in watched ? watched : watched.failed;
		const isTooLate = failed?.isAway ?? true;
		if (isTooLate && chosen.putsOutItem) {
			return { output: { json: tooLateJson(context, wait, failed) } };
		}
		const tooLate = new NotReady(notOnlineYet(wait.status, chosen.timeoutMs / 1000));
		return failed ?? { thrown: tooLate, tries: 1 };
	},
});

/** With the reason where it was not the session, but the gateway that was away. */
function tooLateJson(context: IExecutePaginationFunctions, wait: Wait, failed?: Failed) {
	const reason = failed && explained(context.getNode(), failed.thrown).message;
	return { ...wait.json(), timedOut: true, ...(reason ? { reason } : {}) };
}

function oneOf<Choice>(entered: unknown, choices: Choice[], label: string): Choice {
	const chosen = choices.find((choice) => choice === entered);
	if (chosen !== undefined) return chosen;
	throw new InvalidInput(
		`'${label}' is not one of its choices`,
		`Choose one from the list, or let the expression give one of: ${choices.join(', ')}.`,
	);
}

async function output(
	context: IExecutePaginationFunctions,
	wait: Wait,
	{ code }: Ended,
): Promise<INodeExecutionData> {
	const json = { ...wait.json(), timedOut: false };
	if (!code) return { json };
	return { json: { ...json, qr: code.text }, binary: await asBinary(context, code.picture()) };
}

/** Online, or a new code to scan. */
interface Ended {
	code?: Code;
}

class Wait {
	status?: string;
	readonly #history: Array<{ status: string; at: string }> = [];
	readonly #isOnlineBy: (status: string) => boolean;
	readonly #returnsOnNewQr: boolean;
	#knownQr: string | undefined;

	constructor({ onlineStatuses: entered, returnsOnNewQr, knownQr }: Settings) {
		this.#isOnlineBy = onlineTest(entered);
		this.#returnsOnNewQr = returnsOnNewQr;
		this.#knownQr = knownQr;
	}

	async look(ask: Ask): Promise<Look<Ended>> {
		const asked = await ask(endpoints.status);
		if (!asked || 'thrown' in asked) return asked;
		const status = statusWord(asked.answer, this.#isOnlineBy);
		if (status === undefined) return { ...notReady(UNREADABLE_STATUS), mayPass: true };
		this.#note(status);
		if (this.#isOnline) return { end: {} };
		const reason = hopeless(status);
		if (reason) return notReady(reason);
		return this.#returnsOnNewQr ? await this.#newCode(ask) : undefined;
	}

	json() {
		const { status = null } = this;
		return { online: this.#isOnline, status, history: this.#history };
	}

	get #isOnline() {
		return this.status !== undefined && this.#isOnlineBy(this.status);
	}

	#note(status: string): void {
		if (status !== this.status) this.#history.push({ status, at: new Date().toISOString() });
		this.status = status;
	}

	async #newCode(ask: Ask): Promise<Look<Ended>> {
		const read = readCode(await ask(endpoints.qr));
		if (!read || 'thrown' in read) return read;
		const { code } = read;
		if (!code) return undefined;
		const isNew = this.#knownQr !== undefined && this.#knownQr !== code.identity;
		this.#knownQr = code.identity;
		return isNew ? { end: { code } } : undefined;
	}
}
