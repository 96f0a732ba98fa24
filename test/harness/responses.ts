import fc from 'fast-check';

import { anyCharacter } from './anyText';
import { type GatewayResponse, readResponse } from '../../gateway/wire/response';

export const unredacted = <T>(value: T) => value;

export function response(
	body: string | Uint8Array,
	headers: Record<string, unknown> = {},
	status = 200,
): GatewayResponse {
	return readResponse({ status, headers, bytes: Buffer.from(body as string) }, unredacted);
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
