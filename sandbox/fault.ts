import { validateHeaderName, validateHeaderValue } from 'node:http';

import { type EndpointName, endpoints } from './endpoints';
import { type Fields, invalidField, own, text } from './fields';

/** Something that goes wrong on purpose. Without endpoint and chatId it befalls every request. */
export interface Fault {
	endpoint?: EndpointName;
	chatId?: string;
	/** How many requests it befalls. Without it: all. */
	times?: number;
	/** 0 to 1, drawn from a generator seeded with `seed`: the same seed, the same luck. */
	probability?: number;
	seed?: number;
	latencyMs?: number;
	status?: number;
	code?: string;
	message?: string;
	retryAfter?: number | string;
	/** Hang up: before or after the request has had its effect. */
	cut?: 'before' | 'after';
	body?: { contentType: string; text: string } | { contentType: string; base64: string };
	/** The status or body comes after the request has had its effect, not instead of it. */
	after?: boolean;
	clockOffsetMs?: number;
	headers?: Record<string, string>;
}

const LONGEST_LATENCY_MS = 3_600_000;
const LARGEST_CLOCK_OFFSET_MS = 3650 * 24 * 3_600_000;

/** One demand per field. A misspelt field would be a fault that never happens, so none is let through. */
const demands: Record<keyof Fault, [test: (value: unknown) => boolean, demand: string]> = {
	endpoint: [
		(value) => endpoints.some(({ name }) => name === value),
		`must be one of ${endpoints.map(({ name }) => name).join(', ')}`,
	],
	chatId: [isText, 'must be a non-empty string'],
	times: [isInteger(1, Number.MAX_SAFE_INTEGER), 'must be a positive integer'],
	probability: [isNumber(0, 1), 'must be a number from 0 to 1'],
	seed: [isInteger(0, 0xffff_ffff), 'must be an integer of 32 bits'],
	latencyMs: [isNumber(0, LONGEST_LATENCY_MS), 'must be milliseconds, at most an hour'],
	status: [isInteger(200, 599), 'must be an HTTP status from 200 to 599'],
	code: [isText, 'must be a non-empty string'],
	message: [isText, 'must be a non-empty string'],
	retryAfter: [
		(value) => isNumber(0, Number.MAX_SAFE_INTEGER)(value) || isHeaderValue(value),
		'must be seconds or an HTTP date',
	],
	cut: [(value) => value === 'before' || value === 'after', 'must be before or after'],
	body: [isBody, 'must be an object of contentType and either text or base64'],
	after: [(value) => typeof value === 'boolean', 'must be true or false'],
	clockOffsetMs: [
		isNumber(-LARGEST_CLOCK_OFFSET_MS, LARGEST_CLOCK_OFFSET_MS),
		'must be milliseconds, at most ten years',
	],
	headers: [isHeaders, 'must be an object of valid header names and values'],
};

export function readFaults(value: unknown): Fault[] {
	if (Array.isArray(value)) return value.map(readFault);
	const list = isObject(value) ? own(value, 'faults') : undefined;
	return Array.isArray(list) ? list.map(readFault) : [readFault(value)];
}

function readFault(value: unknown): Fault {
	if (!isObject(value)) throw invalidField('fault', 'must be an object');
	for (const [name, given] of Object.entries(value)) {
		if (!Object.hasOwn(demands, name)) throw invalidField(name, 'is not a field of a fault');
		const [test, demand] = demands[name as keyof Fault];
		if (!test(given)) throw invalidField(name, demand);
	}
	const fault = value as Fault;
	for (const name of ['code', 'message', 'retryAfter'] as const) {
		if (fault[name] !== undefined && fault.status === undefined) {
			throw invalidField(name, 'needs a status');
		}
	}
	return fault;
}

function isObject(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
	return typeof value === 'string' && value !== '';
}

function isNumber(least: number, most: number) {
	return (value: unknown): boolean => typeof value === 'number' && value >= least && value <= most;
}

function isInteger(least: number, most: number) {
	return (value: unknown): boolean => Number.isInteger(value) && isNumber(least, most)(value);
}

function isBody(value: unknown): boolean {
	if (!isObject(value) || !isHeaderValue(value.contentType)) return false;
	return (typeof value.text === 'string') !== (typeof value.base64 === 'string');
}

function isHeaders(value: unknown): boolean {
	// A wrong length or framing would break the answer in ways `cut` and `body` say more plainly.
	const framing = /^(content-length|transfer-encoding|connection)$/i;
	return (
		isObject(value) &&
		Object.entries(value).every(
			([name, content]) => isHeaderName(name) && !framing.test(name) && isHeaderValue(content),
		)
	);
}

function isHeaderName(name: string): boolean {
	return passes(() => validateHeaderName(name));
}

function isHeaderValue(value: unknown): boolean {
	return passes(() => validateHeaderValue('x', text('value', value)));
}

function passes(validate: () => void): boolean {
	try {
		validate();
		return true;
	} catch {
		return false;
	}
}
