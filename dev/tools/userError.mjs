/** An error that the user can fix. The message says what happened and what to do; commands print it without a stack trace. */
export class UserError extends Error {}
