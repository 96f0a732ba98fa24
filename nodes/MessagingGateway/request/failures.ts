import { NodeOperationError } from 'n8n-workflow';

import { bug, isBug } from '../../../gateway/errors/errorMessage';
import {
	connectionFailure,
	type Failed,
	type RequestFailure,
	type Result,
} from '../../../gateway/replies/failure';
import { InvalidInput, InvalidSetup } from '../../../gateway/invalidInput';
import type { Redact } from '../../../gateway/wire/redaction';

/** What n8n, axios and Node.js report about an error. */
interface ErrorDetails {
	name?: string;
	message?: string;
	description?: string;
	code?: unknown;
	syscall?: string;
	/** The attempts to connect to each address of a host. */
	errors?: ErrorDetails[];
	request?: { socket?: { secureConnecting?: boolean } };
	cause?: unknown;
}

/** The failure behind an error that occurred before a request: in the input, or where n8n reads it. */
export function failureInInput(thrown: unknown): Failed {
	const isOfSetup = thrown instanceof InvalidSetup;
	const found = (isOfSetup ? thrown.cause : thrown) as Error;
	const error = inputErrorIn(withCauses(found)) ?? found;
	return isBug(error) ? bug(error) : { failure: { kind: 'invalidInput', error, isOfSetup } };
}

/** Reads what applies to the whole run. If it throws, each item has failed: n8n would pass them on as if they had succeeded. */
export function readForRun<Value>(read: () => Value): Result<Value> {
	try {
		return { value: read() };
	} catch (thrown) {
		return failureInInput(new InvalidSetup(thrown));
	}
}

/**
 * The failure behind an error that a request ended with, which n8n may have wrapped several times. Whatever the error
 * is, the gateway may have processed the request, unless the error is known to come before that.
 */
export function failureInConnection(
	thrown: unknown,
	redact: Redact,
	proxy?: object,
): RequestFailure {
	const errors = withCauses(thrown);
	const input = inputErrorIn(errors);
	if (input) {
		const { message, description } = input;
		const { named } = input as Partial<InvalidInput>;
		return {
			kind: 'invalidInput',
			error: new InvalidInput(redact(message), redact(description ?? ''), undefined, named),
			// The fields were checked before; the request hook checks the credential.
			isOfSetup: true,
		};
	}
	const blocked = errors.find(({ name }) => name?.startsWith('SsrfBlocked'));
	if (blocked) {
		const reason = redact(`${blocked.message}. ${blocked.description ?? ''}`.trim());
		return { kind: 'notSent', cause: 'blocked', reason };
	}
	if (errors.some(({ message }) => message?.startsWith('Proxy connection ended before'))) {
		return { kind: 'notSent', cause: 'proxyClosed' };
	}
	const code = errors.map((error) => error.code).find((value) => typeof value === 'string');
	const hasNoConnection = errors.some(isOfConnecting);
	if (proxy && hasNoConnection) return { kind: 'notSent', cause: 'proxyUnreachable' };
	const isSecuring = errors.some(({ request }) => request?.socket?.secureConnecting === true);
	return connectionFailure(code ?? '', hasNoConnection || isSecuring);
}

const MAX_CAUSES = 5;

function withCauses(thrown: unknown): ErrorDetails[] {
	const errors: ErrorDetails[] = [];
	let error = thrown;
	while (typeof error === 'object' && error !== null && errors.length < MAX_CAUSES) {
		errors.push(error);
		error = (error as ErrorDetails).cause;
	}
	return errors;
}

const inputErrorIn = (errors: ErrorDetails[]) =>
	errors.find((error) => error instanceof InvalidInput || error instanceof NodeOperationError);

const isOfConnecting = ({ syscall, errors = [] }: ErrorDetails): boolean =>
	/^(connect|getaddrinfo|query\w*)$/.test(syscall ?? '') || errors.some(isOfConnecting);
