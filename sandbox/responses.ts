import type { Account } from './account';
import { type Answer, answerJson, Refusal } from './answer';
import { parseJsonObject } from './body';
import type { EndpointName } from './endpoints';
import { type Fields, optionalBoolean } from './fields';
import { channelInfo, inviteInfo, readChannel, readInviteCode } from './invitation';
import { type Order, readSendMedia, readSendMessage } from './message';
import { type PairingCode, qrPicture } from './pairingCode';
import type { RecentFiles } from './recentFiles';

/** A request that was let in: its token and, where one is due, its signature are right. */
export interface Call {
	body: Buffer;
	contentType: string | undefined;
	deliveryKey: string;
}

/**
 * What each endpoint does, in two steps: read the request, refusing what is wrong with it, and only
 * then act. Between the two a fault may step in, and nothing has happened yet.
 */
export type Response = (call: Call) => () => Answer | Promise<Answer>;

export function responses(
	account: Account,
	code: PairingCode,
	files: RecentFiles,
): Record<EndpointName, Response> {
	const sessionAnswer = () => answerJson(200, { success: true, status: account.status });
	const accept = (order: Order) => {
		const answer = account.accept(order);
		const { media } = order.message;
		if (media && order.bytes) files.keep(media.sha256, order.bytes);
		return answer;
	};

	return {
		ping: () => () => answerJson(200, { success: true, message: 'pong' }),
		start: (call) => {
			optionalObject(call);
			return () => {
				account.start();
				return sessionAnswer();
			};
		},
		status: () => () => answerJson(200, { status: account.status }),
		qr: () => () => answerJson(200, { qr: codeToShow(account, code) }),
		qrImage: () => async () => ({
			status: 200,
			headers: { 'Content-Type': 'image/png', 'Cache-Control': 'no-store' },
			body: await qrPicture(codeToShow(account, code)),
		}),
		refresh: (call) => {
			const withDeletion = optionalBoolean(optionalObject(call), 'withDeletion');
			return () => {
				account.refresh(withDeletion);
				code.renew();
				return sessionAnswer();
			};
		},
		terminate: (call) => {
			const withDeletion = optionalBoolean(optionalObject(call), 'withDeletion');
			return () => {
				account.terminate(withDeletion);
				code.renew();
				return sessionAnswer();
			};
		},
		sendMessage: (call) => {
			const order = readSendMessage(object(call));
			return () => accept(order);
		},
		sendMedia: (call) => {
			const order = readSendMedia(object(call));
			return () => accept(order);
		},
		inviteInfo: (call) => {
			const inviteCode = readInviteCode(object(call));
			return () => inviteInfo(inviteCode);
		},
		channelInfo: (call) => {
			const inviteCode = readChannel(object(call));
			return () => channelInfo(inviteCode);
		},
		listDeferred: () => () => answerJson(200, { deferred: account.deferred() }),
		getDeferred: (call) => () => answerJson(200, account.deferredBy(call.deliveryKey)),
		deleteDeferred: (call) => () => {
			account.deleteDeferred(call.deliveryKey);
			return answerJson(200, { deleted: true });
		},
	};
}

function object({ body, contentType }: Call): Fields {
	return parseJsonObject(body, contentType);
}

/** Session endpoints show no body: none is fine, and one that is there must still be right. */
function optionalObject(call: Call): Fields {
	return call.body.length === 0 ? {} : object(call);
}

export function codeToShow(account: Account, code: PairingCode): string {
	if (account.status === 'ONLINE') {
		throw new Refusal(409, 'already_online', 'The session is ONLINE: there is nothing to pair.');
	}
	if (account.status !== 'AWAITING_QR') {
		throw new Refusal(
			404,
			'qr_not_available',
			`The session is ${account.status}: start it to get a QR code.`,
		);
	}
	return code.text();
}
