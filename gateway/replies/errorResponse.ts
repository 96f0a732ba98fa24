import { find, NAMES, textOf } from './dialect';
import type { GatewayResponse } from './response';

/** The `error` code and the `message` of a response body, wherever the gateway put them. */
export function gatewayError(data: unknown): { code?: string; message?: string } {
	const places = [...find(data, NAMES.errors).map(({ value }) => value), data];
	const textUnder = (names: string[]) =>
		places
			.flatMap((place) => names.flatMap((name) => find(place, [name], { everyEntry: true })))
			.map(({ value }) => textOf(value))
			.find((text) => text !== '');
	return { code: textUnder(NAMES.codes), message: textUnder(NAMES.messages) };
}

/** The code in lower case, for comparisons; empty if there is none. */
export const errorCode = ({ data }: GatewayResponse) =>
	gatewayError(data).code?.toLowerCase() ?? '';
