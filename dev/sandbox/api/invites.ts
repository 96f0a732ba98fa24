import { type Fields, invalidField, ownField, requireText } from '../http/fields';
import { HttpError, type HttpResponse, jsonResponse } from '../http/response';

/** Returns invented data, except for the code. */
export function inviteInfo(inviteCode: string): HttpResponse {
	requireExisting(inviteCode);
	return jsonResponse(200, { inviteCode, subject: `Sandbox group ${inviteCode}`, size: 12 });
}

export function channelInfo(inviteCode: string): HttpResponse {
	requireExisting(inviteCode);
	return jsonResponse(200, {
		inviteCode,
		name: `Sandbox channel ${inviteCode}`,
		subscribers: 1200,
	});
}

export function readInviteCode(fields: Fields): string {
	return requireText('inviteCode', ownField(fields, 'inviteCode'));
}

export function readChannelCode(fields: Fields): string {
	const inviteLink = ownField(fields, 'inviteLink');
	const inviteCode = ownField(fields, 'inviteCode');
	if (inviteLink === undefined) {
		if (inviteCode === undefined) throw invalidField('inviteCode', 'or inviteLink is required');
		return readInviteCode(fields);
	}
	const code = codeInLink(requireText('inviteLink', inviteLink));
	if (inviteCode !== undefined && inviteCode !== code) {
		throw invalidField('inviteCode', 'and inviteLink name different channels');
	}
	return code;
}

function codeInLink(link: string): string {
	const url = URL.canParse(link) ? new URL(link) : undefined;
	const code = url?.pathname.split('/').findLast((segment) => segment !== '');
	if (url?.protocol !== 'https:' || !code) {
		throw invalidField('inviteLink', 'must be a full https link to a channel');
	}
	return code;
}

/** Throws for codes that start with "unknown", so that clients can test a code that does not exist. */
function requireExisting(inviteCode: string): void {
	if (inviteCode.startsWith('unknown')) {
		throw new HttpError(
			404,
			'invite_not_found',
			'There is no group or channel with this invite code.',
		);
	}
}
