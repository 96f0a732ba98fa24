import type { INodeExecutionData } from 'n8n-workflow';

import { type NoQrCode, rejectedQrCode } from '../../../gateway/replies/qrCode';
import type { GatewayResponse } from '../../../gateway/wire/response';

const HINTS: Record<NoQrCode['reason'], string> = {
	alreadyOnline:
		'The session is already online: there is no code to scan. To link another phone, use Session > Terminate, then Session > Start.',
	noneYet:
		'There is no QR code yet. Use Session > Start if the session is not running, then try again in a few seconds.',
};

export function noQrCodeItem({ reason, status }: NoQrCode): INodeExecutionData {
	const json = { qr: null, available: false, reason, hint: HINTS[reason] };
	return { json: status === undefined ? json : { ...json, status } };
}

/** An error response that says there is no QR code is a result to branch on. */
export function readRejectedQrCode(response: GatewayResponse): INodeExecutionData[] | undefined {
	const none = rejectedQrCode(response);
	return none && [noQrCodeItem(none)];
}
