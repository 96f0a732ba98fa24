import { Refusal } from './answer';

export type Fields = Record<string, unknown>;

export function invalidField(name: string, demand: string): Refusal {
	return new Refusal(422, 'validation_error', `${name} ${demand}.`);
}

/** The value under the canonical name or its legacy alias; both at once must not contradict. */
export function aliased(fields: Fields, name: string, alias: string): unknown {
	const value = own(fields, name);
	const legacy = own(fields, alias);
	if (value !== undefined && legacy !== undefined && value !== legacy) {
		throw invalidField(name, `and its alias ${alias} have different values`);
	}
	return value ?? legacy;
}

export function text(name: string, value: unknown): string {
	if (typeof value !== 'string' || value === '') {
		throw invalidField(name, 'must be a non-empty string');
	}
	return value;
}

export function optionalText(name: string, value: unknown): string | undefined {
	return value === undefined ? undefined : text(name, value);
}

export function optionalBoolean(fields: Fields, name: string): boolean {
	const value = own(fields, name) ?? false;
	if (typeof value !== 'boolean') throw invalidField(name, 'must be true or false');
	return value;
}

export function own(fields: Fields, name: string): unknown {
	return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
