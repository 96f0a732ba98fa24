import { randomBytes } from 'node:crypto';

import { toBuffer, toString } from 'qrcode';

const LOOK = { errorCorrectionLevel: 'L', margin: 4 } as const;

/** The text inside the QR code: a new one whenever the last one has had its time. */
export class PairingCode {
	#text = '';
	#since = 0;

	constructor(
		private readonly now: () => number,
		private readonly lifetimeMs: number,
	) {}

	text(): string {
		const age = this.now() - this.#since;
		if (this.#text === '' || age < 0 || age >= this.lifetimeMs) this.renew();
		return this.#text;
	}

	renew(): void {
		// Shaped like real ones: a reference, then three 32-byte keys.
		const keys = [1, 2, 3].map(() => randomBytes(32).toString('base64'));
		this.#text = [`2@${randomBytes(48).toString('base64')}`, ...keys].join(',');
		this.#since = this.now();
	}
}

export async function qrPicture(text: string): Promise<Buffer> {
	return await toBuffer(text, { type: 'png', ...LOOK, scale: 6 });
}

export async function qrDrawing(text: string): Promise<string> {
	return await toString(text, { type: 'svg', ...LOOK });
}
