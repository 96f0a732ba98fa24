/** Decides which message may start next: one per chat at a time, in order. */
export class ChatQueues<Message extends { chat: string }> {
	/** The chats that a message is being sent to, each with the messages that wait behind it. */
	readonly #queues = new Map<string, Message[]>();
	readonly #ready: Message[] = [];
	#waiting = 0;

	/** How many messages wait behind another one to the same chat. */
	get waiting(): number {
		return this.#waiting;
	}

	get hasReady(): boolean {
		return this.#ready.length > 0;
	}

	add(message: Message): void {
		const queue = this.#queues.get(message.chat);
		if (queue) {
			queue.push(message);
			this.#waiting += 1;
		} else {
			this.#queues.set(message.chat, []);
			this.#ready.push(message);
		}
	}

	next(): Message | undefined {
		return this.#ready.shift();
	}

	/** Lets the next message to the same chat start. */
	finish({ chat }: Message): void {
		const next = this.#queues.get(chat)?.shift();
		if (next) {
			this.#waiting -= 1;
			this.#ready.push(next);
		} else {
			this.#queues.delete(chat);
		}
	}
}
