import fc from 'fast-check';

import { anyCharacter } from './anyText';
import type { RequestFailure } from '../../gateway/responses/failure';
import { type Asked, judged } from '../../gateway/responses/outcome';
import { type GatewayResponse, readResponse } from '../../gateway/wire/response';

export const unredacted = <T>(value: T) => value;

export function response(
	body: string | Uint8Array,
	headers: Record<string, unknown> = {},
	status = 200,
): GatewayResponse {
	return readResponse({ status, headers, bytes: Buffer.from(body as string) }, unredacted);
}

/** Returns why a response is no success of what was asked for; undefined if it is one. */
export function failureIn(
	received: GatewayResponse,
	confirmation?: Asked['confirmation'],
	asked: Asked = {},
): RequestFailure | undefined {
	const result = judged(received, { confirmation, ...asked });
	return 'failure' in result ? result.failure : undefined;
}

/** Returns the outcome of a message, or the kind of its failure. */
export function outcomeIn(received: GatewayResponse, asked: Asked = {}): string {
	const result = judged(received, { confirmation: 'sent', ...asked });
	return 'failure' in result ? result.failure.kind : result.value.outcome!;
}

export const anyJson = () => fc.jsonValue({ depthSize: 'medium', stringUnit: anyCharacter });

/** JSON with the keys that a gateway uses, at any depth and with any values. */
export const gatewayLike = () =>
	fc.letrec((tie) => ({
		value: fc.oneof(
			{ maxDepth: 6 },
			fc.constantFrom<unknown>(null, true, 0, 5, '', ' ', 'x', 'ONLINE', '2@abc'),
			fc.array(tie('value'), { maxLength: 3 }),
			fc.dictionary(
				fc.constantFrom(
					...['data', 'result', 'session', 'status', 'state', 'qr', 'code', 'error', 'message'],
					...['deferred', 'items', 'delivery', 'deliveryKey', 'id', 'payload', 'value'],
					...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length'],
				),
				tie('value'),
				{ maxKeys: 4 },
			),
		),
	})).value;
