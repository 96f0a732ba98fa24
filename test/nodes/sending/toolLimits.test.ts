import { errorMessage } from '../../../gateway/failures/errorMessage';
import { notUsable, type Result } from '../../../gateway/responses/failure';
import type { Message } from '../../../nodes/MessagingGateway/sending/retry';
import { Scheduler } from '../../../nodes/MessagingGateway/sending/scheduler';
import { withToolLimits } from '../../../nodes/MessagingGateway/sending/toolLimits';
import { type Outcome, run, start } from '../../harness/engine';
import { useFileServer } from '../../harness/fileServer';
import { chat, pace, quiet, type Sending, sending, until } from '../../harness/messages';
import { useNewGateways } from '../../harness/sandboxAccount';
import { VirtualClock } from '../../harness/virtualClock';
import { useVirtualTime } from '../../harness/virtualTime';

useVirtualTime();
const gateway = useNewGateways();
const files = useFileServer();

const problem = ({ error, items }: Outcome) => error?.message ?? items[0]?.json.outcome;
const TOO_MANY = /^Not sent: this (execution|chat) has 0 of \d+ messages left/;

/** A call of a tool, by default in its own execution and chat. */
let calls = 0;
const callOf = ({ fields, ...more }: Sending = {}) => {
	calls += 1;
	return sending(gateway, {
		...{ asTool: true, withLimits: true, executionId: String(calls) },
		fields: { chatId: chat(calls), text: `Text ${calls}`, ...fields },
		...more,
	});
};
const call = async (more?: Sending) => problem(await run(callOf(more)));
const toOneChat = { fields: { chatId: chat(0) } };
const inOneExecution = { executionId: '0' };

describe.each<[string, string, number, Sending, string]>([
	[
		'in an execution',
		'this execution',
		20,
		{ ...inOneExecution, options: { maxPerTenMinutes: 0 } },
		'Do not send more',
	],
	['with the account in ten minutes', 'the account', 20, {}, 'Wait ten minutes'],
	['to a chat in ten minutes', 'this chat', 5, toOneChat, 'Wait ten minutes'],
])('the number of messages %s', (_what, who, max, more, next) => {
	test.each<[string, Sending]>([
		['a tool', more],
		['n8n Agents', { executionId: null as unknown as string }],
		["n8n's Assistant", { asTool: false, byAssistant: true }],
	])('is limited for %s', async (name, way) => {
		if (name === 'n8n Agents' && who === 'this execution') return;
		for (let at = 1; at <= max; at++) expect(await call({ ...more, ...way })).toBe('sent');
		expect(await call({ ...more, ...way })).toBe(
			`Not sent: ${who} has 0 of ${max} messages left, and the call needs 1. ${next} [item 0]`,
		);
		expect(gateway.requests()).toHaveLength(max);
	});
});

test('the limits of ten minutes end after ten minutes, and that of an execution does not', async () => {
	const options = { maxPerChat: 1 };
	expect(await call({ ...toOneChat, options })).toBe('sent');
	await quiet(599_000);
	expect(await call({ ...toOneChat, options })).toMatch(TOO_MANY);
	await quiet(1_000);
	expect(await call({ ...toOneChat, options })).toBe('sent');
	const once = { ...inOneExecution, options: { maxMessages: 1 } };
	expect(await call(once)).toBe('sent');
	await quiet(600_000);
	expect(await call(once)).toMatch(TOO_MANY);
});

test('a limit can be removed, holds for one account, and not for steps of a workflow', async () => {
	const options = { maxPerChat: 1 };
	const baseUrl = gateway.baseUrl.replace('127.0.0.1', 'localhost');
	for (const more of [
		{ options },
		{ options: { maxPerChat: 0 } },
		{ options, account: { ...gateway.account, baseUrl } },
		{ options, asTool: false },
	]) {
		expect(await call({ ...toOneChat, ...more })).toBe('sent');
	}
	expect(await call({ ...toOneChat, options })).toMatch(TOO_MANY);
});

describe('a call counts', () => {
	const options = { maxMessages: 1 };
	const once = { ...inOneExecution, options };

	test('if it may have been sent, and not if it failed, was refused, rehearsed or stopped before', async () => {
		gateway.faults([{ status: 422, times: 1 }]);
		expect(await call(once)).toContain('(422');
		expect(await call({ ...once, account: { ...gateway.account, sendTo: 'nobody' } })).toBe(
			'rehearsed',
		);
		const stopped = start(callOf({ ...once, options: { ...options, ...pace(1) } }));
		stopped.cancel();
		await stopped.outcome;
		gateway.faults([{ cut: 'after', times: 1 }]);
		expect(await call({ ...once, options: { ...options, maxTries: 1 } })).toContain(
			'unknown: it may have been sent',
		);
		expect(await call(once)).toMatch(TOO_MANY);
	});

	test('while it is sending, and after Stop', async () => {
		gateway.faults([{ latencyMs: 10_000, times: 1 }]);
		const execution = start(callOf(once));
		await until('it is sent', () => gateway.requests().length > 0);
		expect(await call(once)).toMatch(TOO_MANY);
		execution.cancel();
		await execution.outcome;
		expect(await call(once)).toMatch(TOO_MANY);
	});

	test('as its number of parts, and with a file as one message', async () => {
		const text = ['a', 'b'].map((letter) => letter.repeat(60)).join('\n\n');
		const options = { splitLongText: 100, maxMessages: 3 };
		const split = { ...inOneExecution, fields: { text }, options };
		expect(await call(split)).toBe('sent');
		expect(await call(split)).toContain(
			'has 1 of 3 messages left, and the call needs 2. Write a shorter text',
		);
		const image = { operation: 'sendMedia', mediaSource: 'url', mediaUrl: `${files.url}/sun.png` };
		const ofFile = { ...inOneExecution, fields: image, options };
		expect(await call(ofFile)).toContain('could not be downloaded');
		files.file('/sun.png', Buffer.from('89504e470d0a1a0a00ff', 'hex'));
		expect(await call(ofFile)).toBe('sent');
		expect(await call(ofFile)).toMatch(TOO_MANY);
	});
});

test('a text that a model repeats reaches a person once, also in another execution', async () => {
	const same = { fields: { chatId: chat(0), text: 'Hello' } };
	expect(await call(same)).toBe('sent');
	expect(await call(same)).toBe('duplicate');
	expect(await call({ ...same, asTool: false, byAssistant: true })).toBe('duplicate');
	expect(await call({ ...same, options: { idempotencyKey: 'off' } })).toBe('sent');
	expect(gateway.state().delivered).toHaveLength(2);
});

// Without n8n and a gateway, because the list of calls has a thousand entries.
test('a thousand calls that sent nothing do not make it forget what was sent', async () => {
	const clock = new VirtualClock();
	const body = Buffer.from('{}');
	const inner = {
		failureIfNotReady: async () => undefined,
		loadsEarly: () => false,
		load: async () => ({ value: body }),
		attempt: async () => ({ value: {} }),
	};
	const account = { accountKey: 'calls', scheduler: new Scheduler(clock) };
	const shared = { maxMessages: 1, maxPerTenMinutes: Infinity, maxPerChat: Infinity, clock };

	/** Loads a message as a tool does. Returns why it was not allowed, and a function that ends the call. */
	async function begin(execution: number) {
		const sender = withToolLimits(inner, { ...shared, execution: String(execution) });
		const message: Message = { index: 0, account, chat: chat(0), hasKey: false, parts: [body] };
		const loaded = await sender.load(message, body);
		const error = 'failure' in loaded ? errorMessage(loaded.failure).message : undefined;
		return { error, end: (result: Result<object[]>) => sender.finish!(message, result) };
	}
	(await begin(1)).end({ value: [{}] });
	const others = Array.from({ length: 1_000 }, async (_, at) => await begin(at + 2));
	for (const { end } of await Promise.all(others))
		end(notUsable({ message: 'Rejected', description: '' }));
	expect((await begin(1)).error).toMatch(TOO_MANY);
});
