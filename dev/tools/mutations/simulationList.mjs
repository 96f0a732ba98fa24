/**
 * Mistakes that the simulation must find, by file and name: the exact text, which occurs once in the file, and its replacement.
 * Update the text when the source changes.
 * @type {Record<string, Record<string, [find: string, replace: string]>>}
 */
const BY_FILE = {
	'nodes/MessagingGateway/sending/retry.ts': {
		'the messages of a run that gives up are not woken': ['cancelled, queue.gaveUp', 'cancelled'],
		'a retry without a key after a request without a response': [' && message.hasKey)', ')'],
		'an earlier attempt that may have been accepted is forgotten': ['failed?.isUncertain || ', ''],
		'retries follow without a delay': ['FIRST_BACK_OFF_MS *', '0.001 * FIRST_BACK_OFF_MS *'],
		'one attempt too many': ['Count >= maxAttempts', 'Count > maxAttempts'],
		'one attempt too few': ['Count >= maxAttempts', 'Count >= maxAttempts - 1'],
		'a 429 uses up Max Tries': ['count429 += 1;', 'count429 += 0;'],
		'a message in parts is not completed after a failure with Stop': ['= mayStop', '= true'],
		'a message to a limited chat is retried forever': ['isLasting &&', 'isLasting && false &&'],
	},
	'nodes/MessagingGateway/sending/sendAll.ts': {
		'messages to one chat are sent in parallel': ['if (previous) await previous;', ''],
		'a run ends before its last messages': ['if (chats.get(chat) === sent) ', ''],
		'one message more than Concurrency': ['(options.concurrency)', '(options.concurrency + 1)'],
		'messages start after a failure with Stop': ['[this.#stop.signal', '[this.options.cancelled'],
		'messages are read after a failure with Stop': ['signal.aborted ? undefined : ', ''],
		'a failed message is reported as sent': ['set(index, result)', 'set(index, { value: [] })'],
		'too many messages are read ahead': ['const BLOCK = 100;', 'const BLOCK = 1_000;'],
		'a listener stays on the signal': ["cancelled.removeEventListener('abort', stop);", ''],
		'nobody hears that a place is free': ['if (next) next();\n\t\telse ', ''],
		'nobody hears of a response': ['state.account.scheduler.startAllDue();', ''],
		'messages do not wait until their account is online': ['await state.readiness', 'null'],
		'an execution that is cancelled before the start sends': ['if (cancelled.aborted) stop();', ''],
	},
	'gateway/failures/retryPolicy.ts': {
		'a rejected message is retried': ["'later' ? 'never'", "'later' ? 'safe'"],
		'every 5xx counts as not accepted': ["'withKey' : repeatOf(cause)", "'withKey' : 'safe'"],
		'Retry-After as a date is relative to the wrong clock': [
			'? receivedAt : gatewayTime',
			'? receivedAt : receivedAt',
		],
	},
	'nodes/MessagingGateway/sending/rateLimiter.ts': {
		'a 429 does not hold back the account': ['now + pauseMs)', '0)'],
		'Retry-After is ignored': ['intervalMs, requestedWaitMs)', 'intervalMs, 0)'],
		'429s to requests that were on their way count as new ones': ['series.count === 0', 'series'],
		'the rate is not learned': ['this.#beginRecovery(this.#series, startedAt);', ''],
		'the rate never recovers': ['Math.max(0, now - since)', '0 * (now - since)'],
		'a 429 does not slow down': [
			'(slower, withinMs / Math.max(1, count))',
			'(rejectedInterval, 0.001)',
		],
		'without bursts, the back-off is as long as with them': ['even: 1_500', 'even: 60_000'],
		'many messages try whether an account accepts messages again': [
			'now + MAX_PROBE_MS',
			'now + 50',
		],
		'the account waits as long as a limited chat': [
			'Math.min(waitMs, MAX_FIRST_PAUSE_MS)',
			'waitMs',
		],
	},
	'nodes/MessagingGateway/sending/scheduler.ts': {
		'a 429 does not hold back other requests': ['NotBefore, until)', 'NotBefore)'],
		'a cancellation is ignored': ['stopSignal.aborted || gaveUp', 'stopSignal && gaveUp'],
		'the deadline is ignored': [' || clock.now() >= deadline', ''],
		'a run does not give up': ['this.#end.abort(failure);', ''],
		'only the run whose message finds out gives up': [' + GRACE_MS)', ' + Infinity)'],
		'a run with a short Max Wait waits behind one with a long one': ['wakeAt, giveUpAt', 'wakeAt'],
		'a run gives up that has tried nothing': ['queue.last429At < since ? heldSince : ', ''],
		'a message that has ended its wait keeps its turn': ['!isOver(message)', 'true'],
		'the runs do not take turns': ['this.#queues.delete(queue);\n\t\tthis.#queues.add(queue);', ''],
		'Pace is ignored': ['> 0 ? nextPacedStart', '> 0 ? 0'],
		'each run keeps to its own pace only': [
			'> 0 ? nextPacedStart',
			'> 0 ? this.#lastPacedStart + queue.options.intervalMs',
		],
		'the pace of a run slows down runs without one': [
			'queue.options.intervalMs > 0 ? nextPacedStart : 0',
			'nextPacedStart',
		],
		'the random part is twice as long': ['1 + this.#randomShare', '1 + 2 * this.#randomShare'],
		'the pace of the account is ignored': [
			'pace ? this.#lastAccountStart',
			'pace ? -1e9 + this.#lastAccountStart',
		],
		'a process sends as soon as it starts': [
			'#lastAccountStart = 0',
			'#lastAccountStart = -Infinity',
		],
		'a run that has ended still slows down the others': [
			'delete(queue);\n\t\tthis.start',
			'size;\n\t\tthis.start',
		],
		'a request without a response keeps the others waiting': [
			'limiter.onUninformative(permit)',
			'undefined',
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
