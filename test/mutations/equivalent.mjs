/** Mutations that nobody can notice, by file and hash as in results.json, with the reason. They do not count. */
export const EQUIVALENT = new Map([
	['gateway/errors/errorMessage.ts 1xasbn4', 'no other code begins with ERR_CANCELED'],
	['gateway/errors/retryPolicy.ts mmi42w', 'only a date of one millisecond in 2001 differs'],
	['gateway/replies/deliveries.ts 3f1uh4', 'a response with status 204 has no content'],
	['gateway/wire/guard.ts qdjso0', 'without an ID, isCertain is false; TypeScript needs it'],
	['nodes/MessagingGateway/sending/scheduler.ts crwskg', 'a pause until now is none'],
]);
