import table from './causes.json';

/** The table of causes: what happened, what to do, and, by its four groups, whether to send the same request again. */
const ROWS = { ...table.safe, ...table.withKey, ...table.later, ...table.never };
export type Cause = keyof typeof ROWS;

/**
 * `safe`: the gateway processed nothing. `withKey`: it may have processed the request, so only an idempotency key makes a retry safe.
 * `later`: something else has to change first. `never`: the request itself has to change, or it has arrived.
 */
type Repeat = keyof typeof table;

export const repeatOf = (cause: Cause): Repeat =>
	(Object.keys(table) as Repeat[]).find((group) => Object.hasOwn(table[group], cause))!;

const UNKNOWN =
	"It is unknown whether the gateway processed the request: for a message, check whether it arrived before you send it again. A key protects only what was first sent with it: for the next time, add the option 'Idempotency Key' (Send Custom JSON: the field idempotencyKey). Retry keeps the keys of Automatic; a new execution does not.";

export interface Text {
	happened: string;
	whatToDo: string;
	inDialog?: string;
}

/** Says what happened and what to do. The dialog of the credential has no operations, options and messages. */
export function causeText(
	cause: Cause,
	isInDialog = false,
	isUnknown = repeatOf(cause) === 'withKey',
) {
	const { happened: message, whatToDo, inDialog = whatToDo }: Text = ROWS[cause];
	const inItem = isUnknown ? `${whatToDo} ${UNKNOWN}`.trim() : whatToDo;
	return { message, description: isInDialog ? inDialog : inItem, cause: causeName(cause) };
}

/** The name of a cause for workflows, which branch on it. */
export const causeName = (cause: string) =>
	cause.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
