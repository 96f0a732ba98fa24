import { randomUUID } from 'node:crypto';

import { hasDotSegment } from '../../gateway/decoding';
import { deferredDelivery } from '../../gateway/responses/deliveries';
import { MEANING_OF_RESPONSES } from '../../gateway/responses/declared';
import { NAMES } from '../../gateway/responses/dialect';
import { errorCode, find } from '../../gateway/responses/find';
import { isKey } from '../../gateway/responses/dialect';
import { judged } from '../../gateway/responses/outcome';
import { type Check, responseOf, resultOf } from './finding';
import type { Exchange, Gateway } from './gateway';
import { gatewayText } from './gatewayText';
import { findLimit } from './requests';
import type { Terminal } from './terminal';

// These steps send messages, and say so before each of them.

const WINDOW_MS = 10 * 60_000;
const MAX_BURST = 100;

export interface Conversation {
	gateway: Gateway;
	terminal: Terminal;
	/** The only recipient. */
	chatId: string;
	isOnline: boolean;
}

type Checked = ReturnType<Check<Conversation>['run']>;

const NOT_SENT = { reason: 'you chose not to send it' };
const OFFLINE = { reason: 'the session is offline' };

/** Online, they check other things than offline. */
export const messageChecks = (isOnline: boolean): Array<Check<Conversation>> => [
	{
		question: `What is the response to a message${isOnline ? '' : ' while the session is offline'}?`,
		run: checkMessage,
	},
	{
		question: `What does it do with a delivery window while the session is ${isOnline ? 'online' : 'offline'}?`,
		run: checkDeliveryWindow,
	},
	{
		question: 'Does it drop a message whose idempotency key it knows?',
		run: checkIdempotency,
	},
	{
		question: 'After how many messages does it return a 429?',
		run: checkMessageLimit,
	},
];

async function checkMessage(conversation: Conversation): Checked {
	const { isOnline } = conversation;
	const exchange = await offer(conversation, 'Check 1: a message.');
	if (!exchange) return NOT_SENT;
	const outcome = outcomeIn(exchange);
	return {
		answer: `${resultOf(exchange)}, read as: ${outcome}.${lineIn(exchange)}`,
		assumption: isOnline
			? 'A message ID, a boolean or a word for success, or an empty body.'
			: 'An error response, for example 409 session_not_online.',
		differs: outcome !== (isOnline ? 'sent' : 'rejected'),
		exchanges: [exchange],
	};
}

async function checkIdempotency(conversation: Conversation): Checked {
	if (!conversation.isOnline) return OFFLINE;
	const text = 'Check 3: sent twice with one idempotency key.';
	const options = { idempotencyKey: randomUUID() };
	const first = await offer(conversation, text, options);
	if (!first) return NOT_SENT;
	const second = await offer(conversation, text, options);
	if (!second) {
		return {
			reason: `you sent only the first of two messages (${resultOf(first)}, read as: ${outcomeIn(first)})`,
		};
	}
	const response = responseOf(second);
	const isDuplicate = errorCode(response) === 'already_exists' || outcomeIn(second) === 'duplicate';
	const said = `The second response is ${resultOf(second)}, read as: ${isDuplicate ? 'duplicate' : outcomeIn(second)}.`;
	const arrived = await conversation.terminal.askFor(
		'How many messages "Check 3" arrived? (0, 1 or 2; empty: not known) ',
		(entered) => (/^[012]?$/.test(entered) ? entered : undefined),
		'Enter 0, 1 or 2, or nothing if you do not know.',
	);
	return {
		answer: `${said} ${arrived === '' ? 'Not known how many' : arrived} arrived.`,
		assumption: 'It drops the second message, and says duplicate or already_exists.',
		differs: !['', '1'].includes(arrived) || !isDuplicate,
		exchanges: [first, second],
	};
}

async function checkDeliveryWindow(conversation: Conversation): Checked {
	const { gateway, isOnline } = conversation;
	const exchange = await offer(conversation, 'Check 2: with a delivery window of 10 minutes.', {
		windowMs: WINDOW_MS,
	});
	if (!exchange) return NOT_SENT;
	const outcome = outcomeIn(exchange);
	const key = find(responseOf(exchange).data, NAMES.deliveryKeys).find(
		({ value }) => isKey(value) && fitsInUrl(String(value)),
	);
	const exchanges = [exchange];
	let isHandled = isOnline ? outcome === 'sent' : outcome === 'deferred' && key !== undefined;
	let handled = key ? '' : ' It has no delivery key.';
	if (key && outcome === 'deferred') {
		const deliveryKey = String(key.value);
		const read = await gateway.send('getDeferred', { deliveryKey });
		const deleted = await gateway.send('deleteDeferred', { deliveryKey });
		exchanges.push(read, deleted);
		handled = ` Get: ${resultOf(read)}. Delete: ${resultOf(deleted)}.`;
		isHandled &&=
			deferredDelivery(responseOf(read).data) !== undefined &&
			'value' in judged(responseOf(deleted), { confirmation: 'deleted' });
	}
	return {
		answer: `${resultOf(exchange)}, read as: ${outcome}.${isOnline ? '' : handled}`,
		assumption: isOnline
			? 'It sends the message.'
			: 'It defers the message, and returns a delivery key with which it can be read and deleted.',
		differs: !isHandled,
		exchanges,
	};
}

const fitsInUrl = (key: string) => key.isWellFormed() && !hasDotSegment(key);

async function checkMessageLimit({ gateway, terminal, chatId, isOnline }: Conversation): Checked {
	if (!isOnline) return OFFLINE;
	const count = await terminal.askFor(
		`How many messages may it send to find the rate limit? (0 to ${MAX_BURST}, empty: 0) `,
		(entered) =>
			/^\d*$/.test(entered) && Number(entered) <= MAX_BURST ? Number(entered) : undefined,
		`Enter a whole number from 0 to ${MAX_BURST}.`,
	);
	if (count === 0) return { reason: 'you allowed no messages' };
	return await findLimit('messages', count, async (number) => {
		const text = `Check 4: message ${number}.`;
		terminal.say(`Sends: ${text}`);
		return await gateway.sendOnce('sendMessage', textMessage(chatId, text));
	});
}

/** Says what it sends, and sends it if the user agrees. */
async function offer(
	conversation: Conversation,
	text: string,
	options: Record<string, unknown> = {},
): Promise<Exchange | undefined> {
	const { gateway, terminal, chatId } = conversation;
	const names = Object.keys(options).map((name) => `, with ${name}`);
	terminal.say(`Next message to ${chatId}: "${text}"${names.join('')}`);
	if (!(await terminal.confirm('Send it?'))) return undefined;
	return await gateway.send('sendMessage', textMessage(chatId, text, options));
}

const textMessage = (chatId: string, text: string, options: Record<string, unknown> = {}) => ({
	body: { chatId, type: 'text', text, ...options },
});

function outcomeIn(exchange: Exchange): string {
	if (!exchange.response) return 'not known';
	const result = judged(exchange.response, { confirmation: 'sent' });
	return 'failure' in result ? result.failure.kind : result.value.outcome!;
}

/** The line for the credential that makes such a response a success. */
function lineIn({ response }: Exchange): string {
	const result = response && judged(response, { confirmation: 'sent' });
	const failure = result && 'failure' in result ? result.failure : undefined;
	if (failure?.kind !== 'unclear' || !failure.line) return '';
	// In a line, an asterisk stands for any text.
	const line = gatewayText(failure.line).replace(/<(digits|URL|address)>/g, '*');
	return ` If this means success, add this line to '${MEANING_OF_RESPONSES}' of the credential: ${line}`;
}
