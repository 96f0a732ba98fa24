import { InvalidInput } from './invalidInput';

/** An object of names and values: no list, no date, no bytes. */
export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
	Object.prototype.toString.call(value) === '[object Object]';

function parsed(text: string, field: string, whatToDo: string): unknown {
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
	whatToDo: string,
): Record<string, unknown> {
	const value = typeof entered === 'string' ? parsed(entered, field, whatToDo) : entered;
	if (!isPlainObject(value)) throw new InvalidInput(`'${field}' is not a JSON object`, whatToDo);
	return value;
}

/** Undefined where the value itself says so, as JSON.stringify has it. */
export function jsonText(value: unknown, field: string, whatToDo: string): string | undefined {
	try {
		return JSON.stringify(value);
	} catch (error) {
		throw new InvalidInput(
			`'${field}' cannot be written as JSON: ${(error as Error).message}`,
			whatToDo,
		);
	}
}
