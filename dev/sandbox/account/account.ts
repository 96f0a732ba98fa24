import { randomBytes, randomUUID } from 'node:crypto';

import { HttpError, type HttpResponse, jsonResponse } from '../http/response';
import {
	type AccountEvent,
	AccountStore,
	type DeferredDelivery,
	deferredResponse,
	type DeliveredMessage,
	type Message,
	sentResponse,
	type SessionStatus,
} from './accountStore';
import { EventLog, readEventLog } from './eventLog';

export interface AccountState {
	status: SessionStatus;
	paired: boolean;
	delivered: DeliveredMessage[];
	deferred: DeferredDelivery[];
}

/** The account of the gateway. Every change is an event, which is written to the event log before it is applied to the store. */
export class Account {
	readonly #store = new AccountStore();
	readonly #eventLog: EventLog | undefined;
	readonly #now: () => number;

	constructor(now: () => number, stateFile?: string) {
		this.#now = now;
		if (stateFile === undefined) return;
		for (const event of readEventLog(stateFile)) this.#store.apply(event as AccountEvent);
		this.#eventLog = new EventLog(stateFile, this.#store.snapshot());
		// A crash just after the session came online can leave deferred messages undelivered.
		this.#deliverDeferred();
	}

	get status(): SessionStatus {
		return this.#store.status;
	}

	/** Sends, defers or rejects a message. `windowMs` is how long it may wait for the session. Without it, the message is not deferred. */
	send(message: Message, windowMs: number | undefined): HttpResponse {
		const first = this.#store.responses.get(message.idempotencyKey ?? '');
		if (first) return jsonResponse(200, { ...first, duplicate: true });
		if (this.status === 'ONLINE') return jsonResponse(200, sentResponse(this.#deliver(message)));
		if (windowMs === undefined) {
			throw new HttpError(409, 'session_not_online', `The session is ${this.status}.`);
		}
		return jsonResponse(202, deferredResponse(this.#defer(message, windowMs)));
	}

	start(): void {
		if (this.status !== 'DISCONNECTED' && this.status !== 'AUTH_FAILURE') return;
		this.#setSession('AWAITING_QR', this.#store.paired);
	}

	refresh(withDeletion: boolean): void {
		if (withDeletion) return this.#setSession('AWAITING_QR', false);
		if (this.status === 'ONLINE' || this.status === 'AUTH_FAILURE') return;
		this.#setSession('AWAITING_QR', this.#store.paired);
	}

	terminate(withDeletion: boolean): void {
		this.#setSession('DISCONNECTED', withDeletion ? false : this.#store.paired);
	}

	/** Pairs the phone, as a scan of the QR code does. Throws if the session is not waiting for a scan. */
	scan(): void {
		if (this.status !== 'AWAITING_QR') {
			throw new HttpError(
				409,
				'not_awaiting_qr',
				`The session is ${this.status}. Start it to get a QR code to scan.`,
			);
		}
		this.#setSession('ONLINE', true);
	}

	setStatus(status: SessionStatus): void {
		const loggedOut = status === 'AUTH_FAILURE';
		this.#setSession(status, status === 'ONLINE' || (this.#store.paired && !loggedOut));
	}

	listDeferred(): DeferredDelivery[] {
		this.#dropExpired();
		return [...this.#store.deferred.values()];
	}

	getDeferred(deliveryKey: string): DeferredDelivery {
		this.#dropExpired();
		const delivery = this.#store.deferred.get(deliveryKey);
		if (delivery) return delivery;
		throw new HttpError(
			404,
			'delivery_not_found',
			'There is no deferred delivery with this key. It may have been delivered or deleted, or it expired.',
		);
	}

	deleteDeferred(deliveryKey: string): void {
		this.getDeferred(deliveryKey);
		this.#record({ event: 'dropped', deliveryKey });
	}

	state(): AccountState {
		const { status, paired, delivered } = this.#store;
		return { status, paired, delivered: [...delivered], deferred: this.listDeferred() };
	}

	reset(): void {
		this.#record({ event: 'reset' });
	}

	close(): void {
		this.#eventLog?.close();
	}

	#record(event: AccountEvent): void {
		this.#eventLog?.append(event);
		this.#store.apply(event);
	}

	#setSession(status: SessionStatus, paired: boolean): void {
		this.#record({ event: 'session', status, paired });
		this.#deliverDeferred();
	}

	#deliver(message: Message, deliveryKey?: string): DeliveredMessage {
		const delivered: DeliveredMessage = {
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
		for (const { deliveryKey, createdAt: _, expiresAt: __, ...message } of this.listDeferred()) {
			this.#deliver(message, deliveryKey);
		}
	}

	/** Drops expired messages. Every read calls it in place of a timer, because the clock (`now`) is a parameter. */
	#dropExpired(): void {
		const now = this.#now();
		for (const { deliveryKey, expiresAt } of this.#store.deferred.values()) {
			if (Date.parse(expiresAt) <= now) this.#record({ event: 'dropped', deliveryKey });
		}
	}
}
