import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { clockDoubt } from '../../gateway/responses/responseFailure';
import { clockSkewMs } from '../../gateway/wire/signingClock';
import { retryAfterMs } from '../../gateway/failures/retryPolicy';
import { completeDeliveryList, listedDeliveries } from '../../gateway/responses/deliveries';
import { gatewayError } from '../../gateway/responses/find';
import { judged } from '../../gateway/responses/outcome';
import { phaseOf } from '../../gateway/responses/dialect';
import { sessionIn } from '../../gateway/responses/sessionStatus';
import {
	type Check,
	type Finding,
	type Found,
	isAuthorized,
	responseOf,
	resultOf,
} from './finding';
import type { Exchange, Gateway, Signing } from './gateway';
import { gatewayText } from './gatewayText';

// These steps send no message.

const MINUTE_MS = 60_000;
const OFFSETS_MIN = [1, 4, 6, 11, 61];
/** With an empty code, so that nothing is looked up. */
const LOOKUP = { body: { inviteCode: '' } };
/** A gateway may count only valid requests. There is no such invite. */
const UNKNOWN_CODE = { body: { inviteCode: 'unknown-invite-of-check-gateway' } };
const LOOKUPS = 60;
const MAX_WAIT_MS = 2 * MINUTE_MS;

interface StatusFinding extends Finding {
	isOnline: boolean;
}

export async function checkStatus(gateway: Gateway): Promise<StatusFinding> {
	const exchange = await gateway.send('status');
	const response = responseOf(exchange);
	const word = sessionIn(response).status;
	const shown = word === undefined ? `none (${resultOf(exchange)})` : gatewayText(word);
	const phase = phaseOf(word ?? '');
	const clock = clockSkewMs(response, Date.now());
	const seconds = clock === undefined ? 'unknown' : `${Math.round(clock / 1000)} s`;
	return {
		question: 'What is the status of the session?',
		answer: `${shown}, which means: ${phase}. Clock of this machine ahead of the gateway's: ${seconds}.`,
		assumption:
			'The four statuses of the API document and common synonyms, in any envelope. Responses have a Date header.',
		differs: word === undefined || phase === 'unknown' || clock === undefined,
		exchanges: [exchange],
		isOnline: phase === 'online',
	};
}

export async function checkSignature(
	gateway: Gateway,
): Promise<Finding & { isCredentialValid: boolean }> {
	const [right, none, wrong] = await signedThreeWays(gateway, 'inviteInfo');
	const isChecked = !isAuthorized(none) && !isAuthorized(wrong);
	return {
		question: 'Does it verify the signature of a signed request?',
		answer: isAuthorized(right)
			? `${isChecked ? 'Yes' : 'Not always'}. ${results(right, none, wrong)}`
			: `The correct signature was rejected. First check the secret and the clock of this machine, and run this again. If both are right, the gateway signs in another way. ${results(right, none, wrong)}`,
		assumption: 'Messages and lookups need a signature over timestamp, token and body.',
		differs: !isAuthorized(right) || !isChecked,
		exchanges: [right, none, wrong],
		isCredentialValid: isAuthorized(right),
	};
}

async function checkTimestamps(gateway: Gateway): Promise<Found> {
	const exchanges: Exchange[] = [];
	const furthest = async (direction: 1 | -1) => {
		let accepted = 0;
		for (const minutes of OFFSETS_MIN) {
			const signing = { offByMs: direction * minutes * MINUTE_MS };
			const exchange = await gateway.send('inviteInfo', { ...LOOKUP, signing });
			exchanges.push(exchange);
			if (!isAuthorized(exchange)) break;
			accepted = minutes;
		}
		return accepted;
	};
	const behind = await furthest(-1);
	const ahead = await furthest(1);
	const rejected = exchanges.filter((exchange) => !isAuthorized(exchange)).map(responseOf);
	const isCorrected = rejected.every(
		(response) => clockDoubt(response) && clockSkewMs(response, Date.now()) !== undefined,
	);
	const codes = rejected.map(({ data }) => gatewayText(gatewayError(data).code || 'no code'));
	return {
		answer:
			`Accepted: ${behind} min behind and ${ahead} min ahead, of ${OFFSETS_MIN.join(', ')} min. ${
				codes.length > 0 ? `Otherwise rejected with: ${[...new Set(codes)].join(', ')}.` : ''
			}`.trim(),
		assumption:
			'After a 401 that can be due to the time, the Date header says by how much. Then the package signs again.',
		differs: !isCorrected,
		exchanges,
	};
}

async function checkDeferredSignature(gateway: Gateway): Promise<Found> {
	const [right, none, wrong] = await signedThreeWays(gateway, 'listDeferred');
	const answer = !isAuthorized(none)
		? isAuthorized(right)
			? 'Yes.'
			: 'Unknown: it rejects them with and without a signature.'
		: isAuthorized(wrong)
			? 'No, and it ignores one.'
			: 'No, but if there is one, it must be right.';
	return {
		answer: `${answer} ${results(right, none, wrong)}`,
		assumption: "Signs them, unless 'Sign Deferred Requests' is off in the credential.",
		differs: !isAuthorized(right),
		exchanges: [right, none, wrong],
	};
}

async function checkDeferredList(gateway: Gateway): Promise<Found> {
	const exchange = await gateway.send('listDeferred');
	const response = responseOf(exchange);
	const list = 'failure' in judged(response, {}) ? undefined : listedDeliveries(response);
	const isComplete = completeDeliveryList(response) !== undefined;
	const read = list ? `A list with ${list.length} entries` : `No list (${resultOf(exchange)})`;
	return {
		answer: `${read}, ${isComplete ? 'certainly complete' : 'possibly not complete'}.`,
		assumption:
			'A list under a known name, or of objects with a deliveryKey. The trigger accepts only a complete one.',
		differs: !list || !isComplete,
		exchanges: [exchange],
	};
}

async function checkUnknownDelivery(gateway: Gateway): Promise<Found> {
	const deliveryKey = randomUUID();
	const read = await gateway.send('getDeferred', { deliveryKey });
	const deleted = await gateway.send('deleteDeferred', { deliveryKey });
	const isAccepted = (exchange: Exchange, confirmation?: 'deleted') =>
		exchange.response !== undefined && 'value' in judged(exchange.response, { confirmation });
	return {
		answer: `Get: ${resultOf(read)}. Delete: ${resultOf(deleted)}.`,
		assumption: 'An error response to both.',
		differs: isAccepted(read) || isAccepted(deleted, 'deleted'),
		exchanges: [read, deleted],
	};
}

/** They send signed requests, but no message. */
export const signedChecks: Array<Check<Gateway>> = [
	{ question: 'How far may the timestamp be off?', run: checkTimestamps },
	{ question: 'Do the deferred endpoints need a signature?', run: checkDeferredSignature },
	{ question: 'What does the list of deferred deliveries look like?', run: checkDeferredList },
	{ question: 'What does it say about a delivery that does not exist?', run: checkUnknownDelivery },
];

/** Messages may have another limit. */
export const lookupLimit: Check<Gateway> = {
	question: 'After how many lookups does it return a 429?',
	run: async (gateway) =>
		await findLimit(
			'lookups',
			LOOKUPS,
			async () => await gateway.sendOnce('inviteInfo', UNKNOWN_CODE),
		),
};

/** Sends until a 429, then waits as it says, and sends another one. */
export async function findLimit(
	what: string,
	count: number,
	send: (number: number) => Promise<Exchange>,
): Promise<Found> {
	const assumption =
		'After a 429, waits for the time in Retry-After (seconds or a date), and then sends again.';
	const startedAt = Date.now();
	const exchanges: Exchange[] = [];
	for (let number = 1; number <= count; number += 1) {
		const exchange = await send(number);
		exchanges.push(exchange);
		if (exchange.response?.status === 429) break;
	}
	const last = exchanges.at(-1)!;
	const tookS = ((Date.now() - startedAt) / 1000).toFixed(1);
	if (last.response?.status !== 429) {
		const answer = `No 429 for ${exchanges.length} ${what} in ${tookS} s.`;
		return { answer, assumption, differs: false, exchanges: [last] };
	}
	const waitMs = retryAfterMs(last.response, Date.now());
	const found = `${exchanges.length - 1} in ${tookS} s were accepted, then a 429`;
	if (waitMs === undefined || waitMs > MAX_WAIT_MS) {
		const named = waitMs === undefined ? 'without Retry-After' : `to wait ${waitMs / 1000} s`;
		return {
			answer: `${found} ${named}.`,
			assumption,
			differs: waitMs === undefined,
			exchanges: [last],
		};
	}
	await delay(waitMs);
	const after = await send(exchanges.length + 1);
	const isAccepted = after.response?.status !== 429;
	return {
		answer: `${found} with Retry-After: ${waitMs / 1000} s. After that time, the next one was ${isAccepted ? 'accepted' : 'rejected again'}.`,
		assumption,
		differs: !isAccepted,
		exchanges: [last, after],
	};
}

async function signedThreeWays(
	gateway: Gateway,
	endpoint: 'inviteInfo' | 'listDeferred',
): Promise<[right: Exchange, none: Exchange, wrong: Exchange]> {
	const send = async (signing: Signing) =>
		await gateway.send(endpoint, { ...(endpoint === 'inviteInfo' && LOOKUP), signing });
	return [await send('node'), await send('none'), await send('wrong secret')];
}

const results = (right: Exchange, none: Exchange, wrong: Exchange) =>
	`Signed: ${resultOf(right)}, not signed: ${resultOf(none)}, signed with a wrong secret: ${resultOf(wrong)}.`;
