import { randomBytes } from 'node:crypto';

import { toBuffer, toString } from 'qrcode';

import { HttpError } from '../http/response';
import type { SessionStatus } from './accountStore';

/** Without filters, which take most of the time and save nothing in black and white. */
const PNG = { deflateLevel: 9, filterType: 0 };
const RENDERING = { errorCorrectionLevel: 'L', margin: 4 } as const;

/** The QR code for pairing. It gets a new text when its lifetime ends. */
export class QrCode {
	#text = '';
	#createdAt = 0;

	constructor(
		private readonly now: () => number,
		private readonly lifetimeMs: number,
	) {}

	text(): string {
		const age = this.now() - this.#createdAt;
		if (this.#text === '' || age < 0 || age >= this.lifetimeMs) this.renew();
		return this.#text;
	}

	/** Returns the text. Throws unless the session is waiting for a scan. */
	textFor(status: SessionStatus): string {
		if (status === 'ONLINE') {
			throw new HttpError(409, 'already_online', 'The session is ONLINE and already paired.');
		}
		if (status !== 'AWAITING_QR') {
			throw new HttpError(
				404,
				'qr_not_available',
				`The session is ${status}. Start it to get a QR code.`,
			);
		}
		return this.text();
	}

	renew(): void {
		// Real codes have the same format: a reference, then three 32-byte keys.
		const keys = [1, 2, 3].map(() => randomBytes(32).toString('base64'));
		this.#text = [`2@${randomBytes(48).toString('base64')}`, ...keys].join(',');
		this.#createdAt = this.now();
	}
}

export async function qrPng(text: string): Promise<Buffer> {
	return await toBuffer(text, { type: 'png', ...RENDERING, scale: 6, rendererOpts: PNG });
}

export async function qrSvg(text: string): Promise<string> {
	return await toString(text, { type: 'svg', ...RENDERING });
}
