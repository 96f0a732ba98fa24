import { errorMessage } from '../../../gateway/failures/errorMessage';
import { notUsable, type Result } from '../../../gateway/responses/failure';
import type { Message } from '../../../nodes/MessagingGateway/sending/retry';
import { Scheduler } from '../../../nodes/MessagingGateway/sending/scheduler';
import { withToolLimits } from '../../../nodes/MessagingGateway/sending/toolLimits';
import { type Outcome, run, start } from '../../harness/engine';
import { useFileServer } from '../../harness/fileServer';
import {
	bodyOf,
	chat,
	deliveryWindow,
	messages,
	pace,
	quiet,
	type Sending,
	sending,
	until,
} from '../../harness/messages';
import { useNewGateways } from '../../harness/sandboxAccount';
import { VirtualClock } from '../../harness/virtualClock';
import { useVirtualTime } from '../../harness/virtualTime';

useVirtualTime();
const gateway = useNewGateways();
const files = useFileServer();

const SENT = /^Not sent: this chat got the same message at 00:\d\d UTC\. Do not send it again/;
const UNCERTAIN =
	/^Not sent: this chat may have got the same message at 00:\d\d UTC\. Check it, or use an 'Idempotency Key'/;
const SENDING = /^Not sent: another call is sending the same message\. Wait/;
const TOO_MANY =
	/^Not sent: this execution has \d+ of \d+ messages left, and the call needs \d+\. /;

const PNG = Buffer.from('89504e470d0a1a0a00ff', 'hex');
const textsSent = () => gateway.requests().map((request) => bodyOf(request).text);
const problem = ({ error, items }: Outcome) => error?.message ?? items[0]?.json.outcome;

describe('a tool call', () => {
	const callOf = (text: string, { fields, ...more }: Sending = {}) =>
		sending(gateway, {
			...{ asTool: true, withLimits: true },
			fields: { chatId: chat(0), text, ...fields },
			...more,
		});
	const call = async (text: string, more?: Sending) => problem(await run(callOf(text, more)));

	test('is not sent again within ten minutes', async () => {
		expect(await call('Hello')).toBe('sent');
		await quiet(599_000);
		const { error } = await run(callOf('Hello'));
		expect(error?.message).toBe(
			'Not sent: this chat got the same message at 00:00 UTC. Do not send it again [item 0]',
		);
		expect(error?.description).toBe("The option 'Allow Repeated Messages' changes this.");
		expect(textsSent()).toEqual(['Hello']);
		await quiet(1_000);
		expect(await call('Hello')).toBe('sent');
	});

	const BODY = `{"chatId":"${chat(0)}","type":"text","text":"Hello"}`;
	test('is the same message in another execution, spelling or operation, and with another window', async () => {
		expect(await call('Hello')).toBe('sent');
		for (const more of [
			{ executionId: '2' },
			{ fields: { chatId: `${chat(0)}@c.us` } },
			{ options: { idempotencyKey: 'automatic' } },
			{ options: deliveryWindow(1) },
			{ fields: { operation: 'sendJson', body: BODY } },
		]) {
			expect(await call('Hello', more)).toMatch(SENT);
		}
	});

	test('is another message with another text, chat, account or key of its own, or repeats allowed', async () => {
		expect(await call('Hello')).toBe('sent');
		const baseUrl = gateway.baseUrl.replace('127.0.0.1', 'localhost');
		for (const more of [
			{ fields: { text: 'Hello!' } },
			{ fields: { chatId: chat(1) } },
			{ account: { ...gateway.account, baseUrl } },
			{ options: { idempotencyKey: 'order-1' } },
			{ options: { allowRepeats: true } },
		]) {
			expect(await call('Hello', more)).toBe('sent');
		}
	});

	test('is not the same message as one of a rehearsal', async () => {
		const account = { ...gateway.account, sendTo: 'nobody' };
		expect(await call('Hello', { account })).toBe('rehearsed');
		expect(await call('Hello')).toBe('sent');
	});

	test('of two calls at the same time, only the first is sent', async () => {
		gateway.faults([{ latencyMs: 50 }]);
		const outcomes = await Promise.all([call('Hello'), call('Hello'), call('Hello')]);
		expect(outcomes.filter((outcome) => outcome === 'sent')).toHaveLength(1);
		expect(outcomes.filter((outcome) => SENDING.test(outcome as string))).toHaveLength(2);
		expect(textsSent()).toEqual(['Hello']);
	});

	test('may be tried again after a failure, or if it was stopped before it was sent', async () => {
		gateway.faults([{ status: 409, code: 'session_offline', times: 1 }]);
		expect(await call('Failed')).toMatch(/^The session is not online/);
		expect(await call('Failed')).toBe('sent');
		const options = pace(1);
		await call('First', { options });
		const execution = start(callOf('Hello', { options }));
		await quiet(1_000);
		execution.cancel();
		await execution.outcome;
		expect(await call('Hello')).toBe('sent');
	});

	test('has begun if it was stopped between its parts', async () => {
		const text = ['a', 'b'].map((letter) => letter.repeat(60)).join('\n\n');
		const options = { splitLongText: 100, maxMessages: 9, ...pace(1) };
		const execution = start(callOf(text, { options }));
		await until('the first part is sent', () => gateway.state().delivered.length === 1);
		await quiet(1_000);
		execution.cancel();
		await execution.outcome;
		expect(await call(text, { options })).toMatch(UNCERTAIN);
		expect(gateway.state().delivered).toHaveLength(1);
	});

	describe('that may have been sent', () => {
		beforeEach(() => gateway.faults([{ cut: 'after', times: 1 }]));

		test('is not sent again without a key', async () => {
			expect(await call('Hello')).toContain('unknown: it may have been sent');
			expect(await call('Hello')).toMatch(UNCERTAIN);
			expect(await call('Hello', { options: { idempotencyKey: 'automatic' } })).toMatch(UNCERTAIN);
			expect(textsSent()).toEqual(['Hello']);
		});

		test('is sent again with the same key of its own', async () => {
			const options = { idempotencyKey: 'order-1', maxTries: 1 };
			expect(await call('Hello', { options })).toContain('unknown: it may have been sent');
			expect(await call('Hello', { options })).toBe('duplicate');
			expect(await call('Hello', { options })).toMatch(SENT);
		});

		test('is sent again if n8n repeats the call with its automatic key', async () => {
			const repeated = {
				options: { idempotencyKey: 'automatic', maxTries: 1 },
				settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
			};
			expect(await call('Hello', repeated)).toBe('duplicate');
			expect(gateway.state().delivered).toHaveLength(1);
		});

		test('is not sent again after Stop', async () => {
			gateway.faults([{ latencyMs: 10_000, times: 1 }]);
			const execution = start(callOf('Hello'));
			await until('it is sent', () => gateway.requests().length > 0);
			execution.cancel();
			await execution.outcome;
			expect(await call('Hello')).toMatch(UNCERTAIN);
		});

		test('is not sent again if only a part of it was sent', async () => {
			gateway.faults([
				{ latencyMs: 1, times: 1 },
				{ status: 422, times: 1 },
			]);
			const options = { splitLongText: 100 };
			const long = `${'a'.repeat(90)}\n\n${'b'.repeat(90)}`;
			expect(await call(long, { options })).toContain('1 of 2');
			expect(await call(long, { options })).toMatch(UNCERTAIN);
		});
	});

	test('with a file is the same message whatever its name, address and caption are, unless its download failed', async () => {
		const image = (path: string, caption = '') => {
			const file = { operation: 'sendMedia', mediaSource: 'url', mediaUrl: files.url + path };
			return call('', { fields: { ...file, caption } });
		};
		expect(await image('/sun.png')).toContain('could not be downloaded');
		for (const path of ['/sun.png', '/moon.png']) files.file(path, PNG);
		expect(await image('/sun.png')).toBe('sent');
		expect(await image('/moon.png', 'The moon')).toMatch(SENT);
		files.file('/moon.png', Buffer.concat([PNG, PNG]));
		expect(await image('/moon.png')).toBe('sent');
	});

	describe('that is one too many for its execution', () => {
		test('is not sent', async () => {
			for (let at = 1; at <= 20; at++) expect(await call(`Text ${at}`)).toBe('sent');
			expect(await call('One more')).toBe(
				'Not sent: this execution has 0 of 20 messages left, and the call needs 1. Do not send more [item 0]',
			);
			expect(await call('One more', { executionId: '2' })).toBe('sent');
			expect(await call('And more', { options: { maxMessages: 0 } })).toBe('sent');
			expect(gateway.requests()).toHaveLength(22);
		});

		// An MCP Server Trigger has no execution.
		test('counts calls without an execution together for ten minutes', async () => {
			const executionId = null as unknown as string;
			const more = { executionId, options: { maxMessages: 2 } };
			expect(await call('One', more)).toBe('sent');
			expect(await call('Two', more)).toBe('sent');
			expect(await call('Three', more)).toMatch(TOO_MANY);
			await quiet(600_000);
			expect(await call('Three', more)).toBe('sent');
		});

		test('counts calls that may have been sent, but neither refused nor failed ones', async () => {
			const options = { maxMessages: 2 };
			gateway.faults([{ cut: 'after', times: 1 }]);
			expect(await call('First', { options })).toContain('unknown: it may have been sent');
			expect(await call('First', { options })).toMatch(UNCERTAIN);
			gateway.faults([{ status: 422, times: 1 }]);
			expect(await call('Failed', { options })).toContain('(422');
			expect(await call('Second', { options })).toBe('sent');
			expect(await call('Third', { options })).toMatch(TOO_MANY);
		});
	});
});

// Without n8n and a gateway, because the list of calls has a thousand entries.
describe('a thousand calls that sent nothing', () => {
	const toOne = { chat: chat(0), text: 'Hello', executionId: '1' };
	const others = Array.from({ length: 1_000 }, (_, at) => {
		return { chat: chat(1), text: `Text ${at}`, executionId: String(at + 2) };
	});
	const clock = new VirtualClock();
	const inner = {
		failureIfNotReady: async () => undefined,
		isSlow: () => false,
		load: async (_message: Message, part: unknown) => ({ value: part as Buffer }),
		attempt: async () => ({ value: {} }),
	};

	/** Loads a message as a tool does. Returns why it was not allowed, and a function that ends the call. */
	async function begin(
		{ chat: to, text, executionId }: typeof toOne,
		key: string,
		maxMessages = 1,
	) {
		const limits = { allowRepeats: false, maxMessages, clock, tool: 'tool', executionId };
		const sender = withToolLimits(inner, limits);
		const body = Buffer.from(JSON.stringify({ chatId: to, text }));
		const account = { accountKey: key, scheduler: new Scheduler(clock) };
		const message = { index: 0, account, chat: to, hasKey: false, parts: [body] };
		const loaded = await sender.load(message, body);
		const error = 'failure' in loaded ? errorMessage(loaded.failure).message : undefined;
		return { error, end: (result: Result<object[]>) => sender.finish!(message, result) };
	}
	const sent = { value: [{}] };
	const failed = notUsable({ message: 'Rejected', description: '' });
	const sendAll = async (calls: Array<typeof toOne>, key: string) => {
		for (const one of calls) (await begin(one, key)).end(sent);
	};

	test.each<[string, (key: string) => Promise<void>]>([
		[
			'one after the other',
			async (key) => {
				for (const one of others) (await begin(one, key)).end(failed);
			},
		],
		[
			'at the same time',
			async (key) => {
				const calls = await Promise.all(others.map(async (one) => await begin(one, key)));
				calls.forEach((call) => call.end(failed));
			},
		],
		['in a rehearsal', async (key) => await sendAll(others, `${key} rehearsal`)],
	])('%s do not make it forget what was sent', async (key, sendNothing) => {
		await sendAll([toOne], key);
		await sendNothing(key);
		expect((await begin({ ...toOne, text: 'More' }, key)).error).toMatch(TOO_MANY);
		expect((await begin(toOne, key, 2)).error).toMatch(SENT);
	});

	test('are no longer remembered when as many were sent', async () => {
		await sendAll([toOne, ...others], 'sent');
		expect((await begin(toOne, 'sent')).error).toBeUndefined();
		expect((await begin(others.at(-1)!, 'sent', 2)).error).toMatch(SENT);
	});
});

test('a workflow may send the same message any number of times', async () => {
	const items = messages(3).map(() => ({ json: { to: chat(0), text: 'Hello' } }));
	await run(sending(gateway, { items, options: { maxMessages: 1 } }));
	expect(gateway.state().delivered).toHaveLength(3);
});
