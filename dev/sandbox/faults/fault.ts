import { validateHeaderName, validateHeaderValue } from 'node:http';

import { type EndpointName, endpointNames, messageEndpoints } from '../api/endpoints';
import { type Fields, invalidField, ownField } from '../http/fields';

/** A simulated failure. Without `endpoint` and `chatId` it applies to every request. */
export interface Fault {
	/** `message` means any endpoint that accepts messages. */
	endpoint?: EndpointName | 'message';
	chatId?: string;
	/** The fault applies to this many requests, by default to all. */
	times?: number;
	/** A number from 0 to 1. The same `seed` gives the same sequence. */
	probability?: number;
	seed?: number;
	/** The fault applies only above this rate, which is a token bucket. It starts with `burst` tokens, by default `perMinute`. */
	perMinute?: number;
	burst?: number;
	latencyMs?: number;
	status?: number;
	code?: string;
	message?: string;
	retryAfter?: number | string;
	/** The sandbox closes the connection before or after it processes the request. */
	cut?: 'before' | 'after';
	body?: { contentType: string; text: string } | { contentType: string; base64: string };
	/** The sandbox processes the request before it returns this status or body. By default it does not process the request. */
	after?: boolean;
	clockOffsetMs?: number;
	headers?: Record<string, string>;
}

const MAX_LATENCY_MS = 3_600_000;
const MAX_CLOCK_OFFSET_MS = 3650 * 24 * 3_600_000;

/** Fields without a rule are rejected, because a misspelled field would silently change the effect of the fault. */
const rules: Record<keyof Fault, [isValid: (value: unknown) => boolean, problem: string]> = {
	endpoint: [
		(value) => value === 'message' || endpointNames.some((name) => name === value),
		`must be message or one of ${endpointNames.join(', ')}`,
	],
	chatId: [isNonEmptyText, 'must be a non-empty string'],
	times: [isInteger(1, Number.MAX_SAFE_INTEGER), 'must be a positive integer'],
	probability: [isNumber(0, 1), 'must be a number from 0 to 1'],
	seed: [isInteger(0, 0xffff_ffff), 'must be an unsigned 32-bit integer'],
	perMinute: [isNumber(0.001, 1_000_000), 'must be a number of requests, at most 1,000,000'],
	burst: [isInteger(1, 1_000_000), 'must be a positive integer, at most 1,000,000'],
	latencyMs: [isNumber(0, MAX_LATENCY_MS), 'must be milliseconds, at most one hour'],
	status: [isInteger(200, 599), 'must be an HTTP status from 200 to 599'],
	code: [isNonEmptyText, 'must be a non-empty string'],
	message: [isNonEmptyText, 'must be a non-empty string'],
	retryAfter: [
		(value) => isNumber(0, Number.MAX_SAFE_INTEGER)(value) || isHeaderValue(value),
		'must be seconds or an HTTP date',
	],
	cut: [(value) => value === 'before' || value === 'after', 'must be before or after'],
	body: [isBody, 'must be an object with contentType and either text or base64'],
	after: [(value) => typeof value === 'boolean', 'must be true or false'],
	clockOffsetMs: [
		isNumber(-MAX_CLOCK_OFFSET_MS, MAX_CLOCK_OFFSET_MS),
		'must be milliseconds, at most ten years',
	],
	headers: [isHeaders, 'must be an object with valid header names and values'],
};

export function appliesTo(fault: Fault, endpoint: EndpointName): boolean {
	if (fault.endpoint === 'message') return messageEndpoints.includes(endpoint);
	return fault.endpoint === undefined || fault.endpoint === endpoint;
}

export function parseFaults(value: unknown): Fault[] {
	if (Array.isArray(value)) return value.map(parseFault);
	const list = isObject(value) ? ownField(value, 'faults') : undefined;
	return Array.isArray(list) ? list.map(parseFault) : [parseFault(value)];
}

function parseFault(value: unknown): Fault {
	if (!isObject(value)) throw invalidField('fault', 'must be an object');
	for (const [name, given] of Object.entries(value)) {
		if (!Object.hasOwn(rules, name)) throw invalidField(name, 'is not a field of a fault');
		const [isValid, problem] = rules[name as keyof Fault];
		if (!isValid(given)) throw invalidField(name, problem);
	}
	const fault = value as Fault;
	for (const name of ['code', 'message', 'retryAfter'] as const) {
		if (fault[name] !== undefined && fault.status === undefined) {
			throw invalidField(name, 'requires a status');
		}
	}
	if (fault.burst !== undefined && fault.perMinute === undefined) {
		throw invalidField('burst', 'requires perMinute');
	}
	return fault;
}

function isObject(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNonEmptyText(value: unknown): boolean {
	return typeof value === 'string' && value !== '';
}

function isNumber(min: number, max: number) {
	return (value: unknown): boolean => typeof value === 'number' && value >= min && value <= max;
}

function isInteger(min: number, max: number) {
	return (value: unknown): boolean => Number.isInteger(value) && isNumber(min, max)(value);
}

function isBody(value: unknown): boolean {
	if (!isObject(value) || !isHeaderValue(value.contentType)) return false;
	return (typeof value.text === 'string') !== (typeof value.base64 === 'string');
}

function isHeaders(value: unknown): boolean {
	// These headers would corrupt the response itself. `cut` and `body` simulate that explicitly.
	const framing = /^(content-length|transfer-encoding|connection)$/i;
	return (
		isObject(value) &&
		Object.entries(value).every(
			([name, content]) => isHeaderName(name) && !framing.test(name) && isHeaderValue(content),
		)
	);
}

function isHeaderName(name: string): boolean {
	return doesNotThrow(() => validateHeaderName(name));
}

function isHeaderValue(value: unknown): boolean {
	return isNonEmptyText(value) && doesNotThrow(() => validateHeaderValue('x', value as string));
}

function doesNotThrow(validate: () => void): boolean {
	try {
		validate();
		return true;
	} catch {
		return false;
	}
}
