import type { Message } from './message';

export const sessionStatuses = ['ONLINE', 'AWAITING_QR', 'DISCONNECTED', 'AUTH_FAILURE'] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

export interface Delivered extends Message {
	messageId: string;
	deliveredAt: string;
	/** Set when it had to wait. */
	deliveryKey?: string;
}

export interface DeferredDelivery extends Message {
	deliveryKey: string;
	createdAt: string;
	expiresAt: string;
}

export type SendAnswer =
	| { success: true; messageId: string; chatId: string; status: 'sent' }
	| { success: true; status: 'deferred'; deliveryKey: string; expiresAt: string };

export type LedgerEvent =
	| { event: 'session'; status: SessionStatus; paired: boolean }
	| { event: 'delivered'; message: Delivered }
	| { event: 'deferred'; delivery: DeferredDelivery }
	| { event: 'dropped'; deliveryKey: string }
	| { event: 'answered'; idempotencyKey: string; answer: SendAnswer }
	| { event: 'reset' };

/** All that is known of the account: the sum of its events, and the shortest events that sum to it. */
export class Ledger {
	status: SessionStatus = 'DISCONNECTED';
	paired = false;
	delivered: Delivered[] = [];
	readonly deferred = new Map<string, DeferredDelivery>();
	readonly answers = new Map<string, SendAnswer>();

	apply(event: LedgerEvent): void {
		switch (event.event) {
			case 'session':
				this.status = event.status;
				this.paired = event.paired;
				return;
			case 'delivered':
				this.delivered.push(event.message);
				if (event.message.deliveryKey) this.deferred.delete(event.message.deliveryKey);
				this.#remember(event.message, sentAnswer(event.message));
				return;
			case 'deferred':
				this.deferred.set(event.delivery.deliveryKey, event.delivery);
				this.#remember(event.delivery, deferredAnswer(event.delivery));
				return;
			case 'dropped':
				this.deferred.delete(event.deliveryKey);
				return;
			case 'answered':
				this.answers.set(event.idempotencyKey, event.answer);
				return;
			case 'reset':
				this.status = 'DISCONNECTED';
				this.paired = false;
				this.delivered = [];
				this.deferred.clear();
				this.answers.clear();
				return;
			default:
				throw new Error(`The journal has an event of an unknown kind: ${JSON.stringify(event)}`);
		}
	}

	*summary(): Generator<LedgerEvent> {
		yield { event: 'session', status: this.status, paired: this.paired };
		// Answers first: the first one given to a key is the one that counts.
		for (const [idempotencyKey, answer] of this.answers) {
			yield { event: 'answered', idempotencyKey, answer };
		}
		for (const message of this.delivered) yield { event: 'delivered', message };
		for (const delivery of this.deferred.values()) yield { event: 'deferred', delivery };
	}

	#remember({ idempotencyKey }: Message, answer: SendAnswer): void {
		if (idempotencyKey === undefined || this.answers.has(idempotencyKey)) return;
		this.answers.set(idempotencyKey, answer);
	}
}

export function sentAnswer({ messageId, chatId }: Delivered): SendAnswer {
	return { success: true, messageId, chatId, status: 'sent' };
}

export function deferredAnswer({ deliveryKey, expiresAt }: DeferredDelivery): SendAnswer {
	return { success: true, status: 'deferred', deliveryKey, expiresAt };
}
