import { NodeOperationError } from 'n8n-workflow';

import { bug, isBug } from '../../../gateway/failures/errorMessage';
import type { Failed, Result } from '../../../gateway/responses/failure';
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
	return isBug(error) ? bug(error) : { failure: { kind: 'invalidInput', error, isInSetup } };
}

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
