import { printableText } from '../../gateway/decoding';

const MAX_SHOWN = 1_000;

/**
 * Returns a text of the gateway for the terminal and the report: without phone numbers, ids and addresses. Token and secret are redacted
 * when a response is read. Texts that are too long are left out, because one that is cut could end with the half of a number.
 */
export function gatewayText(text: string): string {
	if (text.length > MAX_SHOWN) return `<text, ${text.length} characters>`;
	return printableText(text)
		.replace(/\+?\p{Nd}(?:[\s().-]?\p{Nd}){5,}/gu, '<digits>')
		.replace(/https?:\/\/\S+/gi, '<URL>')
		.replace(/(?<!\S)\S*@\S*/g, '<address>');
}
