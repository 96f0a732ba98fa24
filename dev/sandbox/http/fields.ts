import { HttpError } from './response';

export type Fields = Record<string, unknown>;

export function invalidField(name: string, problem: string): HttpError {
	return new HttpError(422, 'validation_error', `${name} ${problem}.`);
}

/** Returns the value of a field or of its legacy alias. Throws if both are present with different values. */
export function fieldOrAlias(fields: Fields, name: string, alias: string): unknown {
	const value = ownField(fields, name);
	const legacy = ownField(fields, alias);
	if (value !== undefined && legacy !== undefined && value !== legacy) {
		throw invalidField(name, `and its alias ${alias} have different values`);
	}
	return value ?? legacy;
}

export function requireText(name: string, value: unknown): string {
	if (typeof value !== 'string' || value === '') {
		throw invalidField(name, 'must be a non-empty string');
	}
	return value;
}

export function optionalText(name: string, value: unknown): string | undefined {
	return value === undefined ? undefined : requireText(name, value);
}

export function optionalBoolean(fields: Fields, name: string): boolean {
	const value = ownField(fields, name) ?? false;
	if (typeof value !== 'boolean') throw invalidField(name, 'must be true or false');
	return value;
}

export function ownField(fields: Fields, name: string): unknown {
	return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
