import { InvalidInput } from './invalidInput';

export function parseJson(text: string, field: string, whatToDo: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch (error) {
		throw new InvalidInput(`'${field}' is not valid JSON: ${(error as Error).message}`, whatToDo);
	}
}

/** An object, as JSON text or, from an expression, as it is. */
export function jsonObject(
	entered: unknown,
	field: string,
	example: string,
): Record<string, unknown> {
	const whatToDo = `Enter a JSON object in braces, ${example}.`;
	const value = typeof entered === 'string' ? parseJson(entered, field, whatToDo) : entered;
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw new InvalidInput(`'${field}' is not a JSON object`, whatToDo);
	}
	return value as Record<string, unknown>;
}
