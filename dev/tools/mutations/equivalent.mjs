/** Mutations that nobody can notice, or another step of `npm test` finds, by file and hash as in results.json. They do not count. */
export const EQUIVALENT = new Map([
	['gateway/failures/errorMessage.ts 1xasbn4', 'no other code begins with ERR_CANCELED'],
	['gateway/failures/retryPolicy.ts mmi42w', 'only a date of one millisecond in 2001 differs'],
	['gateway/responses/deliveries.ts 3f1uh4', 'a response with status 204 has no content'],
	['gateway/text/phoneNumber.ts 19bum34', 'the same text read twice is the same number'],
	['gateway/text/phoneNumber.ts 42dfmo', 'a number of the maximum length is always possible'],
	['gateway/wire/guard.ts qdjso0', 'without an ID, isCertain is false; TypeScript needs it'],
	['nodes/MessagingGateway/fields/field.ts 12kr474', "n8n's scanner finds it in npm test"],
	['nodes/MessagingGateway/sending/scheduler.ts crwskg', 'a pause until now is none'],
]);
