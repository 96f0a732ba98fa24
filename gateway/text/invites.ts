import { requiredText } from '../inputValues';
import { InvalidInput } from '../invalidInput';

const SCHEME = /^https?:\/\//i;
/** Matches a link without a scheme. Unlike a code, it has a dot before its first slash. */
const BARE_LINK = /^[^/\s][^/\s.]*\.[^/\s]+\//;
/** These path segments name the kind of a link, so a link that ends in one has no code. */
const NOT_A_CODE = ['invite', 'join', 'accept', 'channel', 'group', 'c', 'g'];

function entered(value: unknown, field: string, example: string): string {
	const text = requiredText(value, field, example).trim();
	if (/\s/.test(text)) throw new InvalidInput(`'${field}' contains spaces`, example);
	return text;
}

const isLink = (text: string) => SCHEME.test(text) || BARE_LINK.test(text);

function codeIn(link: string, field: string, example: string): string {
	const absolute = `https://${link.replace(SCHEME, '')}`;
	const url = URL.canParse(absolute) ? new URL(absolute) : undefined;
	if (!url) throw new InvalidInput(`'${field}' is not a valid link`, example);
	const code = url.pathname.split('/').filter(Boolean).at(-1);
	if (!code || NOT_A_CODE.includes(code.toLowerCase())) {
		throw new InvalidInput(`'${field}' is a link without a code`, example);
	}
	return code;
}

/** Returns the code of an invite from a code or a link. The code of a link is the last segment of its path. */
export function inviteCode(value: unknown): string {
	const example =
		'Enter the code of the invite, or paste its link, e.g. https://chat.example.com/AbCdEf123456';
	const text = entered(value, 'Invite Code', example);
	return isLink(text) ? codeIn(text, 'Invite Code', example) : text;
}

/** Returns the field that names a channel: the gateway accepts its code or its full https link. */
export function channel(value: unknown): { inviteCode: string } | { inviteLink: string } {
	const example =
		'Enter the code of the channel, or paste its link, e.g. https://example.com/channel/AbCdEf123456';
	const text = entered(value, 'Channel', example);
	if (!isLink(text)) return { inviteCode: text };
	codeIn(text, 'Channel', example);
	return { inviteLink: `https://${text.replace(SCHEME, '')}` };
}
