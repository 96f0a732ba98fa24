import { InvalidInput, requiredText } from '../inputValues';

const SCHEME = /^https?:\/\//i;
/** Matches a link, with or without its scheme. Unlike a code, it has a dot before its first slash, e.g. chat.example.com/AbC. */
export const LINK = /^(https?:\/\/|[^/\s][^/\s.]*\.[^/\s]+\/)/i;
/** These path segments name the kind of a link, so a link that ends in one has no code. */
const NOT_A_CODE = ['invite', 'join', 'accept', 'channel', 'group', 'c', 'g'];

/** Returns the code that was entered, alone or as the last segment of a link, and the full link. */
function codeAndLink(value: unknown, field: string, example: string) {
	const text = requiredText(value, field, example).trim();
	if (/\s/.test(text)) throw new InvalidInput(`'${field}' contains spaces`, example);
	if (!LINK.test(text)) return { code: text };
	const link = `https://${text.replace(SCHEME, '')}`;
	const path = URL.canParse(link) ? new URL(link).pathname : '';
	const code = path.split('/').filter(Boolean).at(-1);
	if (code && !NOT_A_CODE.includes(code.toLowerCase())) return { code, link };
	throw new InvalidInput(`'${field}' is a link without a code`, example);
}

const INVITE =
	'Enter the code of the invite, or paste its link, e.g. https://chat.example.com/AbCdEf123456';

export const inviteCode = (value: unknown): string =>
	codeAndLink(value, 'Invite Code', INVITE).code;

const CHANNEL =
	'Enter the code of the channel, or paste its link, e.g. https://example.com/channel/AbCdEf123456';

/** Returns the field that names a channel: the gateway accepts its code or its full https link. */
export function channel(value: unknown): { inviteCode: string } | { inviteLink: string } {
	const { code, link } = codeAndLink(value, 'Channel', CHANNEL);
	return link === undefined ? { inviteCode: code } : { inviteLink: link };
}
