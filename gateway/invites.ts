import { InvalidInput } from './invalidInput';

const LINK = /^(https?:\/\/)?[\w-]+(\.[\w-]+)+\//i;

function trimmed(entered: unknown, field: string, example: string): string {
	const text =
		typeof entered === 'string' || typeof entered === 'number' ? String(entered).trim() : '';
	if (!text) throw new InvalidInput(`'${field}' is empty`, example);
	if (/\s/.test(text)) throw new InvalidInput(`'${field}' has blanks inside`, example);
	return text;
}

/** A code, or the last part of the path of a pasted link. */
export function inviteCode(entered: unknown): string {
	const example =
		'Enter the code of the invite, or paste its link, e.g. https://chat.example.com/AbCdEf123456';
	const text = trimmed(entered, 'Invite Code', example);
	if (!LINK.test(text)) return text;
	const url = asUrl(text);
	const code = url?.pathname.split('/').filter(Boolean).at(-1);
	if (!code) throw new InvalidInput("'Invite Code' is a link without a code", example);
	return code;
}

/** The gateway takes a channel's code or its full https link. */
export function channel(entered: unknown): { inviteCode: string } | { inviteLink: string } {
	const example =
		'Enter the code of the channel, or paste its link, e.g. https://example.com/channel/AbCdEf123456';
	const text = trimmed(entered, 'Channel', example);
	if (!LINK.test(text)) return { inviteCode: text };
	const url = asUrl(text);
	if (!url) throw new InvalidInput("'Channel' is not a link that can be read", example);
	return { inviteLink: text.replace(/^(https?:\/\/)?/i, 'https://') };
}

function asUrl(link: string): URL | undefined {
	const absolute = link.replace(/^(https?:\/\/)?/i, 'https://');
	return URL.canParse(absolute) ? new URL(absolute) : undefined;
}
