/**
 * The signal that ends a request, and the time when n8n ends the execution.
 * Versions: all.
 * n8n's issue: none known. Its request helpers take no signal, but read the signal of the context that they are called on. The time is
 * in no public API. After it, n8n drops what the node returns.
 * If n8n changes: run `npx jest sending/cancelling sending/deadline`. When a helper takes a signal, pass it to the helper instead.
 * Checked with n8n 2.41.1.
 */
import type {
	IExecuteFunctions,
	ICredentialTestFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

export type Context = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** Returns the signal that is aborted when the user cancels the execution. For a trigger, which has none, the signal never aborts. */
export const cancelSignal = (context: Context | ICredentialTestFunctions): AbortSignal =>
	('getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined) ??
	new AbortController().signal;

/** Returns the context with another signal. n8n aborts a request only through the signal of the context that its helper is called on. */
export const withCancelSignal = <C extends Context>(context: C, signal: AbortSignal): C =>
	Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as C;

/** Returns when n8n ends the execution, because its workflow has a timeout, or because the Assistant runs it. Infinity if it does not. */
export const executionDeadline = (context: Context): number =>
	(context as { additionalData?: { executionTimeoutTimestamp?: number } }).additionalData
		?.executionTimeoutTimestamp ?? Infinity;
