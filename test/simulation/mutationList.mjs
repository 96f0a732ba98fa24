/**
 * Mistakes that the simulation must find. Each is a change to the engine's source: `find` is the exact text, which
 * occurs once in the file. Update it when the source changes.
 * @type {Array<{ name: string, file: string, find: string, replace: string }>}
 */
export const mutations = [
	{
		name: 'messages to one chat are sent in parallel',
		file: 'sending/chatQueues.ts',
		find: 'if (queue) {',
		replace: 'if (queue && this.#waiting < 0) {',
	},
	{
		name: 'a message is lost from its queue',
		file: 'sending/chatQueues.ts',
		find: 'this.#queues.get(chat)?.shift()',
		replace: 'this.#queues.get(chat)?.splice(0, 2).at(-1)',
	},
	{
		name: 'a retry without a key after a request without a response',
		file: 'sending/retry.ts',
		find: "(retry === 'withKey' && hasKey)",
		replace: "(retry === 'withKey')",
	},
	{
		name: 'a 429 does not hold back the account',
		file: 'sending/retry.ts',
		find: 'if (isRateLimit) pauseMs = waitMs;',
		replace: 'if (isRateLimit && !waitMs) pauseMs = waitMs;',
	},
	{
		name: 'Retry-After is ignored',
		file: 'sending/retry.ts',
		find: 'policy.waitMs ?? backOffMs',
		replace: '(policy.waitMs ? undefined : undefined) ?? backOffMs',
	},
	{
		name: 'retries follow without a delay',
		file: 'sending/retry.ts',
		find: 'FIRST_BACK_OFF_MS * 2 **',
		replace: '0.001 * FIRST_BACK_OFF_MS * 2 **',
	},
	{
		name: 'one attempt too many',
		file: 'sending/retry.ts',
		find: 'attempts >= maxAttempts',
		replace: 'attempts > maxAttempts',
	},
	{
		name: 'one attempt too few',
		file: 'sending/retry.ts',
		find: 'attempts >= maxAttempts',
		replace: 'attempts >= maxAttempts - 1',
	},
	{
		name: 'an earlier attempt that may have been accepted is forgotten',
		file: 'sending/retry.ts',
		find: "failed?.isUncertain || retry === 'withKey'",
		replace: "retry === 'withKey'",
	},
	{
		name: 'a cancellation is ignored',
		file: 'sending/retry.ts',
		find: 'signal.aborted || clock.now() >= deadline',
		replace: 'clock.now() >= deadline',
	},
	{
		name: 'the deadline is ignored',
		file: 'sending/retry.ts',
		find: 'signal.aborted || clock.now() >= deadline',
		replace: 'signal.aborted',
	},
	{
		name: 'a ticket is not given back when the account is held meanwhile',
		file: 'sending/retry.ts',
		find: 'rateLimiter.giveBack(ticket);',
		replace: '',
	},
	{
		name: 'the message rate is ignored',
		file: 'sending/retry.ts',
		find: 'await clock.sleepUntil(messageRate.next(clock.now()), signal);',
		replace: 'await clock.sleepUntil(Math.min(0, messageRate.next(clock.now())), signal);',
	},
	{
		name: 'the jitter is longer than the interval allows',
		file: 'sending/messageRate.ts',
		find: 'random() * jitter * intervalMs',
		replace: '2 * random() * jitter * intervalMs',
	},
	{
		name: 'the break between batches is ignored',
		file: 'sending/messageRate.ts',
		find: '? Math.max(intervalMs, batch.breakMs) : intervalMs',
		replace: '? intervalMs : intervalMs',
	},
	{
		name: 'one message more than Concurrency',
		file: 'sending/sendAll.ts',
		find: 'this.#inFlight < concurrency',
		replace: 'this.#inFlight <= concurrency',
	},
	{
		name: 'messages start after a failure with Stop',
		file: 'sending/sendAll.ts',
		find: 'stop: this.#stop.signal,',
		replace: '',
	},
	{
		name: 'messages are read after a failure with Stop',
		file: 'sending/sendAll.ts',
		find: '!this.#isReadToEnd && !this.#stop.signal.aborted &&',
		replace: '!this.#isReadToEnd &&',
	},
	{
		name: 'a failed message is reported as sent',
		file: 'sending/sendAll.ts',
		find: 'this.#results.set(message.index, result);',
		replace: 'this.#results.set(message.index, { value: undefined as Value });',
	},
	{
		name: 'too many messages are read ahead',
		file: 'sending/sendAll.ts',
		find: 'const BLOCK = 100;',
		replace: 'const BLOCK = 1_000;',
	},
	{
		name: 'a listener stays on the signal',
		file: 'sending/sendAll.ts',
		find: "signal.removeEventListener('abort', stop);",
		replace: '',
	},
	{
		name: 'refusals that were on their way count as new ones',
		file: 'gateway/rateLimiter.ts',
		find: 'if (isOlder) return;',
		replace: '',
	},
	{
		name: 'a request never gives its slot back',
		file: 'gateway/rateLimiter.ts',
		find: 'if (!isOlder) this.#inFlight -= 1;\n',
		replace: '',
	},
	{
		name: 'a rejected message is retried',
		file: 'gateway/retryPolicy.ts',
		find: "if (response.status < 500) return 'never';",
		replace: "if (response.status < 500) return 'safe';",
	},
	{
		name: 'every 5xx counts as not accepted',
		file: 'gateway/retryPolicy.ts',
		find: "!== undefined ? 'safe' : 'withKey'",
		replace: "!== undefined ? 'safe' : 'safe'",
	},
	{
		name: 'Retry-After as a date is relative to the wrong clock',
		file: 'gateway/retryPolicy.ts',
		find: 'Number.isNaN(gatewayTime) ? now : gatewayTime',
		replace: 'Number.isNaN(gatewayTime) ? now : now',
	},
].map(({ file, ...rest }) => ({
	...rest,
	file: file.replace(/^sending\//, 'nodes/MessagingGateway/sending/'),
}));
