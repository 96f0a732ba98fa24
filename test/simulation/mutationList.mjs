/**
 * Mistakes that the simulation must find, by file and name: the exact text, which occurs once in the file, and its replacement.
 * Update the text when the source changes.
 * @type {Record<string, Record<string, [find: string, replace: string]>>}
 */
const BY_FILE = {
	'nodes/MessagingGateway/sending/retry.ts': {
		'the messages of a run that gives up are not woken': [
			'cancelled, queue.gaveUp);',
			'cancelled);',
		],
		'a retry without a key after a request without a response': [
			"(mayRepeat === 'withKey' && message.hasKey)",
			"(mayRepeat === 'withKey')",
		],
		'an earlier attempt that may have been accepted is forgotten': [
			"failed?.isUncertain || mayRepeat === 'withKey'",
			"mayRepeat === 'withKey'",
		],
		'retries follow without a delay': [
			'FIRST_BACK_OFF_MS * 2 **',
			'0.001 * FIRST_BACK_OFF_MS * 2 **',
		],
		'one attempt too many': ['attemptsThatCount >= maxAttempts', 'attemptsThatCount > maxAttempts'],
		'one attempt too few': [
			'attemptsThatCount >= maxAttempts',
			'attemptsThatCount >= maxAttempts - 1',
		],
		'a 429 uses up Max Tries': ['count429 += 1;', 'count429 += 0;'],
		'a message in parts is not completed after a failure with Stop': [
			'mayStop ? context : { ...context, noNewMessagesSignal: cancelled }',
			'context',
		],
		'a message to a limited chat is retried forever': [
			'if (isLasting && now - first429At > maxWaitMs - 1) return failed;',
			'',
		],
	},
	'nodes/MessagingGateway/sending/sendAll.ts': {
		'messages to one chat are sent in parallel': ['if (previous) await previous;', ''],
		'a run ends before its last messages': [
			'if (chats.get(chat) === sent) chats.delete(chat);',
			'chats.delete(chat);',
		],
		'one message more than Concurrency': [
			'new Semaphore(options.concurrency)',
			'new Semaphore(options.concurrency + 1)',
		],
		'messages start after a failure with Stop': [
			'AbortSignal.any([this.#stop.signal, this.#late.signal])',
			'AbortSignal.any([this.options.cancelled, this.#late.signal])',
		],
		'messages are read after a failure with Stop': [
			'signal.aborted ? undefined : (await this.messages.next()).value',
			'(await this.messages.next()).value',
		],
		'a failed message is reported as sent': [
			'this.#results.set(index, result);',
			'this.#results.set(index, { value: [] });',
		],
		'too many messages are read ahead': ['const BLOCK = 100;', 'const BLOCK = 1_000;'],
		'a listener stays on the signal': ["cancelled.removeEventListener('abort', stop);", ''],
		'nobody hears that a place is free': [
			'if (next) next();\n\t\telse this.free += 1;',
			'this.free += 1;',
		],
		'nobody hears of a response': ['state.account.scheduler.startAllDue();', ''],
		'messages do not wait until their account is online': [
			'const failed = await state.readiness;',
			'const failed = undefined as Failed | undefined;',
		],
		'an execution that is cancelled before the start sends': ['if (cancelled.aborted) stop();', ''],
	},
	'gateway/errors/retryPolicy.ts': {
		'a rejected message is retried': [
			"if (status < 500) return policy('never',",
			"if (status < 500) return policy('safe',",
		],
		'every 5xx counts as not accepted': [
			"isClosed ? 'safe' : 'withKey'",
			"isClosed ? 'safe' : 'safe'",
		],
		'Retry-After as a date is relative to the wrong clock': [
			'Number.isNaN(time) ? receivedAt : time',
			'Number.isNaN(time) ? receivedAt : receivedAt',
		],
	},
	'nodes/MessagingGateway/sending/rateLimiter.ts': {
		'a 429 does not hold back the account': [
			'this.#pauseNotBefore = Math.max(this.#pauseNotBefore, now + pauseMs);',
			'',
		],
		'Retry-After is ignored': [
			'this.#backOffMs(series.count, intervalMs, requestedWaitMs)',
			'this.#backOffMs(series.count, intervalMs, 0)',
		],
		'429s to requests that were on their way count as new ones': [
			'if (series.count === 0 || this.#startedAfterLast429(permit)) {',
			'if (series) {',
		],
		'the rate is not learned': ['this.#beginRecovery(this.#series, startedAt);', ''],
		'the rate never recovers': [
			'const time = Math.max(0, now - since) / duration;',
			'const time = 0 * (now - since) / duration;',
		],
		'a 429 does not slow down': [
			'const average = Math.max(slower, withinMs / Math.max(1, count));',
			'const average = Math.max(rejectedInterval, 0.001);',
		],
		'without bursts, the back-off is as long as with them': ['even: 1_500', 'even: 60_000'],
		'many messages try whether an account accepts messages again': [
			'isProbing ? now + MAX_PROBE_MS',
			'isProbing ? now + 50',
		],
		'the account waits as long as a limited chat': [
			'series.count === 1 ? Math.min(waitMs, MAX_FIRST_PAUSE_MS) : waitMs',
			'waitMs',
		],
	},
	'nodes/MessagingGateway/sending/scheduler.ts': {
		'a 429 does not hold back other requests': [
			'this.nonMessagesNotBefore = Math.max(this.nonMessagesNotBefore, until);',
			'',
		],
		'a cancellation is ignored': [
			'stopSignal.aborted || gaveUp.aborted',
			'stopSignal && gaveUp.aborted',
		],
		'the deadline is ignored': [
			'cancelled.aborted || clock.now() >= deadline',
			'cancelled.aborted',
		],
		'a run does not give up': ['this.#end.abort(failure);', ''],
		'only the run whose message finds out gives up': [
			'Math.max(readyAt, this.#giveUpAt(queue, readyAt) + GRACE_MS)',
			'Infinity',
		],
		'a run with a short Max Wait waits behind one with a long one': [
			'Math.min(wakeAt, giveUpAt, Math.max(',
			'Math.min(wakeAt, Math.max(',
		],
		'a run gives up that has tried nothing': [
			'queue.last429At < since ? heldSince : since',
			'since',
		],
		'a message that has ended its wait keeps its turn': [
			'this.waiting = waiting.filter((message) => !isOver(message));',
			'',
		],
		'the runs do not take turns': ['this.#queues.delete(queue);\n\t\tthis.#queues.add(queue);', ''],
		'Messages per Minute is ignored': ['hasOwnRate ? nextSlot : -Infinity', '-Infinity'],
		'each run keeps to its own Messages per Minute only': [
			'hasOwnRate ? nextSlot : -Infinity',
			'hasOwnRate ? this.#lastSlot + options.intervalMs : -Infinity',
		],
		'the rate of a run slows down runs without one': [
			'hasOwnRate ? nextSlot : -Infinity',
			'nextSlot',
		],
		'a run that has ended still slows down the others': [
			'this.#queues.delete(queue);\n\t\tthis.startAllDue();',
			'this.startAllDue();',
		],
		'the jitter is longer than the interval allows': [
			'this.#randomShare * options.jitter',
			'2 * this.#randomShare * options.jitter',
		],
		'the break between batches is ignored': ['slot + batch.breakMs', 'slot'],
		'a request without a response keeps the others waiting': [
			'limiter.onUninformative(permit);',
			'',
		],
		'other requests wait for the limit of messages': [
			'const isTooLate =',
			'await clock.sleepUntil(Math.min(limiter.notBefore, deadline), cancelled);\n\t\tconst isTooLate =',
		],
	},
};

export const mutations = Object.entries(BY_FILE).flatMap(([file, list]) =>
	Object.entries(list).map(([name, [find, replace]]) => ({ file, name, find, replace })),
);
