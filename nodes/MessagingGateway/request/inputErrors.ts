import { NodeOperationError } from 'n8n-workflow';

import { type Failed, notUsable, type Result } from '../../../gateway/responses/failure';
import { InvalidInput, InvalidSetup } from '../../../gateway/inputValues';

/** The properties that n8n, axios and Node.js add to their errors. */
export interface ErrorDetails {
	name?: string;
	message?: string;
	description?: string;
	code?: unknown;
	syscall?: string;
	/** The errors of an AggregateError: Node.js tries each address of a host, and reports one error per address. */
	errors?: ErrorDetails[];
	request?: { socket?: { secureConnecting?: boolean } };
	cause?: unknown;
}

/** Returns the failure for an error that was thrown before a request, by the node's own checks or when n8n read the input. */
export function failureInInput(thrown: unknown): Failed {
	const isInSetup = thrown instanceof InvalidSetup;
	const found = (isInSetup ? thrown.cause : thrown) as Error;
	const error = inputErrorIn(withCauses(found)) ?? found;
	// n8n itself overflows the stack on such a value.
	if (STACK_OVERFLOW.test(error.message))
		return { failure: { kind: 'invalidInput', error: tooDeep() } };
	return isBug(error) ? bug(error) : { failure: { kind: 'invalidInput', error, isInSetup } };
}

const STACK_OVERFLOW = /^Maximum call stack size exceeded/;
const tooDeep = () =>
	new InvalidInput(
		'A field contains a circular reference, or is nested too deeply',
		'Let the expressions select the parts that you need instead of a whole object.',
	);

/** Matches JavaScript's own errors, which are never about an entered value. `instanceof` fails for those of another realm. */
const isBug = ({ name }: Error) => /^(Eval|Range|Reference|Syntax|Type|URI)Error$/.test(name);

const bug = (error: Error): Failed =>
	notUsable({
		message: `The node stopped unexpectedly: ${String(error)}`,
		description:
			'This is a bug in the node. Report it to its authors with this message and the values of the fields, but without token and secret. Check whether the gateway processed the request before you repeat it.',
		cause: 'bug',
	});

/** Reads a setting of the whole run. Returns a failure instead of throwing: n8n would then pass the items on as if they had succeeded. */
export function readForRun<Value>(read: () => Value): Result<Value> {
	try {
		return { value: read() };
	} catch (thrown) {
		return failureInInput(new InvalidSetup(thrown));
	}
}

const MAX_CAUSES = 5;

export function withCauses(thrown: unknown): ErrorDetails[] {
	const errors: ErrorDetails[] = [];
	let error = thrown;
	while (typeof error === 'object' && error !== null && errors.length < MAX_CAUSES) {
		errors.push(error);
		error = (error as ErrorDetails).cause;
	}
	return errors;
}

export const inputErrorIn = (errors: ErrorDetails[]) =>
	errors.find((error) => error instanceof InvalidInput || error instanceof NodeOperationError);
