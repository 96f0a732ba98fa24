import {
	type IDataObject,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	type INodeProperties,
	updateDisplayOptions,
} from 'n8n-workflow';

import { endpoints } from '../../../gateway/endpoints';
import type { Explanation } from '../../../gateway/explanation';
import { InvalidInput } from '../../../gateway/invalidInput';
import { hopeless, notOnlineYet, statusWord, UNREADABLE_STATUS } from '../../../gateway/session';
import type { NotAnswered } from '../ask';
import { wordsIn } from '../enteredValues';
import { NotReady } from '../refusals';
import { type Code, codeIn, whyNoCode } from './code';
import { asBinary } from './picture';
import { pollInterval, rhythmOf, timeout } from './rhythm';
import { type Ask, type Look, patiently, watch } from './watch';

const DEFAULTS = { timeout: 120, pollInterval: 3 };

export const onlineStatuses: INodeProperties = {
	displayName: 'Online Statuses',
	name: 'onlineStatuses',
	type: 'string',
	default: 'ONLINE',
	placeholder: 'e.g. ONLINE, CONNECTED',
	description: 'What your gateway calls a session that is ready to send; several with commas',
};

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

interface Settings {
	onlineStatuses: string[];
	putsOutItem: boolean;
	returnsOnNewQr: boolean;
	/** The code that somebody has been shown. */
	knownQr?: string;
}

/** n8n runs it for each item. */
export const run = patiently(async (context, request) => {
	const rhythm = rhythmOf(context, DEFAULTS);
	const settings = settingsOf(context);
	const wait = new Wait(settings);
	const watched = await watch(context, request, rhythm, async (ask) => await wait.look(ask));
	if (!watched || 'thrown' in watched) return watched;
	if ('end' in watched) return { output: await output(context, wait, watched.end) };
	if (settings.putsOutItem) return { output: { json: { ...wait.json(), timedOut: true } } };
	const tooLate = new NotReady(notOnlineYet(wait.status, rhythm.timeoutMs / 1000));
	return watched.failed ?? { thrown: tooLate, tries: 1 };
});

function settingsOf(context: IExecutePaginationFunctions): Settings {
	const {
		onlineStatuses = 'ONLINE',
		onTimeout = 'error',
		returnOnNewQr = false,
	} = context.getNodeParameter('options', {}) as IDataObject;
	const { qr } = context.getInputData().json;
	return {
		onlineStatuses: someWords(onlineStatuses),
		putsOutItem: oneOf(onTimeout, ['error', 'item'], 'On Timeout') === 'item',
		returnsOnNewQr: oneOf(returnOnNewQr, [true, false], 'Return on New QR Code'),
		knownQr: typeof qr === 'string' ? qr : undefined,
	};
}

function someWords(entered: unknown): string[] {
	const words = wordsIn(entered, 'Online Statuses');
	if (words.length > 0) return words;
	throw new InvalidInput("'Online Statuses' is empty", 'Enter at least one, e.g. ONLINE.');
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
	#knownQr: string | undefined;

	constructor(private readonly settings: Settings) {
		this.#knownQr = settings.knownQr;
	}

	async look(ask: Ask): Promise<Look<Ended>> {
		const asked = await ask(endpoints.status);
		if (!asked || 'thrown' in asked) return asked;
		const status = statusWord(asked.answer);
		if (status === undefined) return { ...notReady(UNREADABLE_STATUS), mayPass: true };
		this.#note(status);
		if (this.#isOnline) return { end: {} };
		const reason = hopeless(status);
		if (reason) return notReady(reason);
		return this.settings.returnsOnNewQr ? await this.#newCode(ask) : undefined;
	}

	json() {
		const { status = null } = this;
		return { online: this.#isOnline, status, history: this.#history };
	}

	get #isOnline() {
		return this.status !== undefined && this.settings.onlineStatuses.includes(this.status);
	}

	#note(status: string): void {
		if (status !== this.status) this.#history.push({ status, at: new Date().toISOString() });
		this.status = status;
	}

	async #newCode(ask: Ask): Promise<Look<Ended>> {
		const asked = await ask(endpoints.qr);
		if (!asked) return undefined;
		const code = 'answer' in asked ? codeIn(asked.answer) : undefined;
		if (!code) return 'thrown' in asked && whyNoCode(asked) === undefined ? asked : undefined;
		const isNew = this.#knownQr !== undefined && this.#knownQr !== code.identity;
		this.#knownQr = code.identity;
		return isNew ? { end: { code } } : undefined;
	}
}

const notReady = (reason: Explanation): NotAnswered => ({
	thrown: new NotReady(reason),
	mayPass: false,
	isPace: false,
});
