/** What must hold in every scenario. */
export const RULES = {
	order: 'messages of a run to one chat are sent one after the other, in item order',
	parts:
		'each part of a message starts after the one before it was sent; the values of all are reported',
	startedBeforeReady: 'no message starts before its account may send',
	acceptedTwice: 'a message is accepted at most once in a run, and with a key at most once at all',
	retriedWithoutKey: 'without a key, no attempt follows one that may have been accepted',
	retriedPermanent: 'no attempt follows a permanent failure',
	tooManyAttempts: 'no more attempts than Max Tries; those refused by a limit do not count',
	gaveUpEarly:
		'a message that may be retried gets as many attempts as Max Tries, unless its account is refused for too long',
	lost: 'every message has a result, unless the run was stopped or cancelled',
	wrongReason: 'a failed message has the last failure that the gateway gave it',
	falseSuccess: 'what is reported as sent was accepted',
	falseCertainty: 'what is reported as not sent was not accepted',
	wrongStop: 'a run is stopped by its first failure, and only by a failure',
	startedAfterStop: 'no message starts after a failure with Stop',
	startedAfterCancel: 'no attempt starts after a cancellation',
	startedAfterDeadline: 'no attempt starts after the deadline',
	startedDuringPause: 'no attempt of an account starts in the time that a 429 announced',
	startedTooSoon: 'no attempt starts before the delay of the last one has passed',
	concurrency: 'no more messages in flight than Concurrency',
	paceOfRun: 'while a run sends, no run with a pace starts messages faster than that run may',
	paceOfAccount: 'messages start no faster than the pace of the account allows',
	idle: 'nothing waits without a reason',
	statusWaits: 'a status request waits for no more than a pause and two other requests',
	ignoresLastingRefusal: 'a run ends soon when its account was refused for longer than Max Wait',
	endsLate:
		'if everything is refused, a run ends within Max Wait plus 2 s, from the first refusal or the end of its delay after an earlier failure, however many runs wait beside it',
	oneChat: 'a limit of one chat fails no message to another one',
	readAhead: 'until it gives up, a run reads no more messages ahead than it must',
	cancelledSlowly: 'a cancelled run ends at once',
	neverEnded: 'every run ends',
	leaked: 'nothing of a run remains after its end',
	unexpectedError: 'the engine throws no error',
} as const;

export type Rule = keyof typeof RULES;
