import { type Answer, answerJson, Refusal } from './answer';
import { type Fields, invalidField, own, text } from './fields';

/** A group. Everything but the code is made up; codes starting with "unknown" do not exist. */
export function inviteInfo(inviteCode: string): Answer {
	mustExist(inviteCode);
	return answerJson(200, { inviteCode, subject: `Sandbox group ${inviteCode}`, size: 12 });
}

export function channelInfo(inviteCode: string): Answer {
	mustExist(inviteCode);
	return answerJson(200, { inviteCode, name: `Sandbox channel ${inviteCode}`, subscribers: 1200 });
}

export function readInviteCode(fields: Fields): string {
	return text('inviteCode', own(fields, 'inviteCode'));
}

export function readChannel(fields: Fields): string {
	if (own(fields, 'inviteLink') === undefined) {
		if (own(fields, 'inviteCode') === undefined) {
			throw invalidField('inviteCode', 'or inviteLink is needed');
		}
		return readInviteCode(fields);
	}
	const code = codeInLink(text('inviteLink', own(fields, 'inviteLink')));
	const stated = own(fields, 'inviteCode');
	if (stated !== undefined && stated !== code) {
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

function mustExist(inviteCode: string): void {
	if (inviteCode.startsWith('unknown')) {
		throw new Refusal(
			404,
			'invite_not_found',
			'There is no group or channel with this invitation.',
		);
	}
}
