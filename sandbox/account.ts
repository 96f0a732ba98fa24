import { randomBytes, randomUUID } from 'node:crypto';

import { type Answer, answerJson, Refusal } from './answer';
import { Journal, readJournal } from './journal';
import {
	type DeferredDelivery,
	deferredAnswer,
	type Delivered,
	Ledger,
	type LedgerEvent,
	sentAnswer,
	type SessionStatus,
} from './ledger';
import type { Message, Order } from './message';

export interface AccountState {
	status: SessionStatus;
	paired: boolean;
	delivered: Delivered[];
	deferred: DeferredDelivery[];
}

/** Decides what happens. Every change is an event: journalled first, then applied, then answered. */
export class Account {
	readonly #ledger = new Ledger();
	readonly #journal: Journal | undefined;
	readonly #now: () => number;

	constructor(now: () => number, stateFile?: string) {
		this.#now = now;
		if (stateFile === undefined) return;
		for (const event of readJournal(stateFile)) this.#ledger.apply(event as LedgerEvent);
		this.#journal = new Journal(stateFile, this.#ledger.summary());
		// A crash between coming online and delivering leaves messages waiting for nothing.
		this.#deliverDeferred();
	}

	get status(): SessionStatus {
		return this.#ledger.status;
	}

	accept({ message, windowMs }: Order): Answer {
		const first = this.#ledger.answers.get(message.idempotencyKey ?? '');
		if (first) return answerJson(200, { ...first, duplicate: true });
		if (this.status === 'ONLINE') return answerJson(200, sentAnswer(this.#deliver(message)));
		if (windowMs === undefined) {
			throw new Refusal(
				409,
				'session_not_online',
				`The session is ${this.status}: pair the phone first, or give windowMs to have the message wait.`,
			);
		}
		return answerJson(202, deferredAnswer(this.#defer(message, windowMs)));
	}

	start(): void {
		if (this.status !== 'DISCONNECTED' && this.status !== 'AUTH_FAILURE') return;
		this.#enter('AWAITING_QR', this.#ledger.paired);
	}

	refresh(withDeletion: boolean): void {
		if (withDeletion) return this.#enter('AWAITING_QR', false);
		if (this.status === 'ONLINE' || this.status === 'AUTH_FAILURE') return;
		this.#enter('AWAITING_QR', this.#ledger.paired);
	}

	terminate(withDeletion: boolean): void {
		this.#enter('DISCONNECTED', withDeletion ? false : this.#ledger.paired);
	}

	/** What the phone does, once it has seen the QR code. */
	scan(): void {
		if (this.status !== 'AWAITING_QR') {
			throw new Refusal(
				409,
				'not_awaiting_qr',
				`The session is ${this.status}: there is no QR code to scan. Start it first.`,
			);
		}
		this.#enter('ONLINE', true);
	}

	setStatus(status: SessionStatus): void {
		const loggedOut = status === 'AUTH_FAILURE';
		this.#enter(status, status === 'ONLINE' || (this.#ledger.paired && !loggedOut));
	}

	deferred(): DeferredDelivery[] {
		this.#dropExpired();
		return [...this.#ledger.deferred.values()];
	}

	deferredBy(deliveryKey: string): DeferredDelivery {
		this.#dropExpired();
		const delivery = this.#ledger.deferred.get(deliveryKey);
		if (delivery) return delivery;
		throw new Refusal(
			404,
			'delivery_not_found',
			'No deferred delivery has this key: it was delivered, deleted, its window ended, or it never was.',
		);
	}

	deleteDeferred(deliveryKey: string): void {
		this.deferredBy(deliveryKey);
		this.#record({ event: 'dropped', deliveryKey });
	}

	state(): AccountState {
		const { status, paired, delivered } = this.#ledger;
		return { status, paired, delivered: [...delivered], deferred: this.deferred() };
	}

	reset(): void {
		this.#record({ event: 'reset' });
	}

	close(): void {
		this.#journal?.close();
	}

	#record(event: LedgerEvent): void {
		this.#journal?.append(event);
		this.#ledger.apply(event);
	}

	#enter(status: SessionStatus, paired: boolean): void {
		this.#record({ event: 'session', status, paired });
		this.#deliverDeferred();
	}

	#deliver(message: Message, deliveryKey?: string): Delivered {
		const delivered: Delivered = {
			messageId: `3EB0${randomBytes(9).toString('hex').toUpperCase()}`,
			...message,
			...(deliveryKey !== undefined && { deliveryKey }),
			deliveredAt: new Date(this.#now()).toISOString(),
		};
		this.#record({ event: 'delivered', message: delivered });
		return delivered;
	}

	#defer(message: Message, windowMs: number): DeferredDelivery {
		const now = this.#now();
		const delivery: DeferredDelivery = {
			deliveryKey: randomUUID(),
			...message,
			createdAt: new Date(now).toISOString(),
			expiresAt: new Date(now + windowMs).toISOString(),
		};
		this.#record({ event: 'deferred', delivery });
		return delivery;
	}

	#deliverDeferred(): void {
		if (this.status !== 'ONLINE') return;
		for (const { deliveryKey, createdAt: _, expiresAt: __, ...message } of this.deferred()) {
			this.#deliver(message, deliveryKey);
		}
	}

	/** Nothing can tell when a window ended, only that it has: so it is looked at, not timed. */
	#dropExpired(): void {
		const now = this.#now();
		for (const { deliveryKey, expiresAt } of this.#ledger.deferred.values()) {
			if (Date.parse(expiresAt) <= now) this.#record({ event: 'dropped', deliveryKey });
		}
	}
}
