// These types are declared here because those of `qrcode` cover only its main entry.
declare module 'qrcode/lib/core/qrcode' {
	export interface QrCode {
		modules: { size: number; get(row: number, column: number): number };
	}
	export function create(
		text: string,
		options: { errorCorrectionLevel: 'L' | 'M' | 'Q' | 'H' },
	): QrCode;
}
