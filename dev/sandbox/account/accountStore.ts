export const sessionStatuses = ['ONLINE', 'AWAITING_QR', 'DISCONNECTED', 'AUTH_FAILURE'] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

/** What the account stores about a file. It does not include the bytes, so that thousands of files fit into memory. */
interface Media {
	mimetype: string;
	filename: string;
	byteLength: number;
	sha256: string;
}

export interface Message {
	chatId: string;
	type: 'text' | 'media' | 'file';
	text?: string;
	caption?: string;
	media?: Media;
	idempotencyKey?: string;
	/** Fields that the API document does not name. The sandbox accepts them, and keeps them so that tests can read them. */
	unknownFields?: Record<string, unknown>;
}

export interface DeliveredMessage extends Message {
	messageId: string;
	deliveredAt: string;
	/** Only a message that was deferred first has a delivery key. */
	deliveryKey?: string;
}

export interface DeferredDelivery extends Message {
	deliveryKey: string;
	createdAt: string;
	expiresAt: string;
}

export type SendResponse =
	| { success: true; messageId: string; chatId: string; status: 'sent' }
	| { success: true; status: 'deferred'; deliveryKey: string; expiresAt: string };

/** These names are part of the format of the state file. Existing files become unreadable if a name changes. */
export type AccountEvent =
	| { event: 'session'; status: SessionStatus; paired: boolean }
	| { event: 'delivered'; message: DeliveredMessage }
	| { event: 'deferred'; delivery: DeferredDelivery }
	| { event: 'dropped'; deliveryKey: string }
	| { event: 'answered'; idempotencyKey: string; answer: SendResponse }
	| { event: 'reset' };

/** The state of the account. Applying its events in order rebuilds it. */
export class AccountStore {
	status: SessionStatus = 'DISCONNECTED';
	paired = false;
	delivered: DeliveredMessage[] = [];
	readonly deferred = new Map<string, DeferredDelivery>();
	/** The first response to each idempotency key, which a duplicate gets again. */
	readonly responses = new Map<string, SendResponse>();

	apply(event: AccountEvent): void {
		switch (event.event) {
			case 'session':
				this.status = event.status;
				this.paired = event.paired;
				return;
			case 'delivered':
				this.delivered.push(event.message);
				if (event.message.deliveryKey) this.deferred.delete(event.message.deliveryKey);
				this.#storeResponse(event.message, sentResponse(event.message));
				return;
			case 'deferred':
				this.deferred.set(event.delivery.deliveryKey, event.delivery);
				this.#storeResponse(event.delivery, deferredResponse(event.delivery));
				return;
			case 'dropped':
				this.deferred.delete(event.deliveryKey);
				return;
			case 'answered':
				this.responses.set(event.idempotencyKey, event.answer);
				return;
			case 'reset':
				this.status = 'DISCONNECTED';
				this.paired = false;
				this.delivered = [];
				this.deferred.clear();
				this.responses.clear();
				return;
			default:
				throw new Error(`The state file contains an unknown event: ${JSON.stringify(event)}`);
		}
	}

	/** Yields the fewest events that rebuild this state. */
	*snapshot(): Generator<AccountEvent> {
		yield { event: 'session', status: this.status, paired: this.paired };
		// Responses come first, because the events below must not replace the first response to a key.
		for (const [idempotencyKey, answer] of this.responses) {
			yield { event: 'answered', idempotencyKey, answer };
		}
		for (const message of this.delivered) yield { event: 'delivered', message };
		for (const delivery of this.deferred.values()) yield { event: 'deferred', delivery };
	}

	#storeResponse({ idempotencyKey }: Message, response: SendResponse): void {
		if (idempotencyKey === undefined || this.responses.has(idempotencyKey)) return;
		this.responses.set(idempotencyKey, response);
	}
}

export function sentResponse({ messageId, chatId }: DeliveredMessage): SendResponse {
	return { success: true, messageId, chatId, status: 'sent' };
}

export function deferredResponse({ deliveryKey, expiresAt }: DeferredDelivery): SendResponse {
	return { success: true, status: 'deferred', deliveryKey, expiresAt };
}
