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

/** The properties that n8n, axios and Node.js add to their errors. */
interface ErrorDetails {
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

/**
 * Returns the failure for an error that a request ended with. n8n may have wrapped the error several times. Unless the
 * error is known to occur before the request is sent, the gateway may have processed the request.
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
		const { causeName } = input as Partial<InvalidInput>;
		return {
			kind: 'invalidInput',
			error: new InvalidInput(redact(message), redact(description ?? ''), undefined, causeName),
			// The fields were checked before the request, so the request hook rejected the credential.
			isInSetup: true,
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
	const hasNoConnection = errors.some(isConnectError);
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

const isConnectError = ({ syscall, errors = [] }: ErrorDetails): boolean =>
	/^(connect|getaddrinfo|query\w*)$/.test(syscall ?? '') || errors.some(isConnectError);
