import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';

/** The virtual clock starts at a whole second, because HTTP dates have no milliseconds. */
const START = Date.UTC(2026, 0, 1);

/** Far more turns of the event loop than any code between two events takes. */
const IDLE_TURNS = 10;

/** One turn of the event loop. */
export const turn = async () => await new Promise((resolve) => setImmediate(resolve));

/**
 * Tests run in virtual time: the clocks stand still, and jump to the next timer when nothing else can happen. So a
 * wait takes no real time, and all times are exact, however slow the machine is. Applies to `Date`,
 * `performance.now`, timers and `AbortSignal.timeout`. Client and server must run in this process. A sandbox must
 * start later than this. Sockets have no timeouts, because Node.js would keep them in real time. Compressed responses
 * do not work, because decompression in another thread looks idle.
 */
export function useVirtualTime(): void {
	const realTimeout = AbortSignal.timeout.bind(AbortSignal);
	const socketTimeout = Object.getOwnPropertyDescriptor(Socket.prototype, 'setTimeout')!;
	let time: PassingTime | undefined;
	beforeEach(() => {
		jest.useFakeTimers({
			now: START,
			doNotFake: ['hrtime', 'nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
		});
		const { setTimeout: fakeSetTimeout } = globalThis;
		// Without this, less than a millisecond would be no time at all: a loop that waits for it would never end.
		const setTimeout = (callback: () => void, ms = 0, ...args: unknown[]) =>
			fakeSetTimeout(callback, Math.max(1, Math.ceil(ms)), ...args);
		Object.assign(globalThis, { setTimeout });
		AbortSignal.timeout = (ms) => {
			const abort = new AbortController();
			setTimeout(() => abort.abort(new DOMException('Timeout', 'TimeoutError')), ms);
			return abort.signal;
		};
		Socket.prototype.setTimeout = function () {
			return this;
		};
		time = new PassingTime();
	});
	afterEach(async () => {
		await time?.stop();
		AbortSignal.timeout = realTimeout;
		Object.defineProperty(Socket.prototype, 'setTimeout', socketTimeout);
		jest.useRealTimers();
	});
}

/** Runs the next timer whenever the process is idle. */
class PassingTime {
	readonly #network = new LocalConnections();
	readonly #done: Promise<void>;
	#isStopped = false;

	constructor() {
		this.#done = this.#run();
	}

	async stop(): Promise<void> {
		this.#isStopped = true;
		await this.#done;
		this.#network.close();
	}

	async #run(): Promise<void> {
		for (let idleTurns = 0; !this.#isStopped;) {
			await turn();
			idleTurns = this.#network.isIdle() ? idleTurns + 1 : 0;
			if (idleTurns < IDLE_TURNS) continue;
			idleTurns = 0;
			if (!isReading()) jest.advanceTimersToNextTimer();
		}
	}
}

/** Whether a file is read or written, or a host name looked up. */
const isReading = () =>
	process.getActiveResourcesInfo().some((name) => /^(FSReq|CloseReq|GetAddrInfo)/.test(name));

/** The connections between clients and servers of this process. */
class LocalConnections {
	/** By the port of the client, which a closed socket no longer tells. */
	readonly #clients = new Map<number, Socket>();
	readonly #servers = new Map<number, Socket>();
	readonly #connecting = new Set<Socket>();

	constructor() {
		subscribe('net.client.socket', this.#onClient);
		subscribe('net.server.socket', this.#onServer);
	}

	close(): void {
		unsubscribe('net.client.socket', this.#onClient);
		unsubscribe('net.server.socket', this.#onServer);
	}

	/** Whether each side has received all that the other one has sent. */
	isIdle(): boolean {
		return this.#connecting.size === 0 && [...this.#clients.keys()].every(this.#isIdle);
	}

	readonly #isIdle = (port: number): boolean => {
		const client = this.#clients.get(port)!;
		const server = this.#servers.get(port);
		if (!server || client.destroyed !== server.destroyed) return false;
		if (client.destroyed) return this.#clients.delete(port);
		return client.bytesWritten === server.bytesRead && server.bytesWritten === client.bytesRead;
	};

	readonly #onClient = (message: unknown) => {
		const { socket } = message as { socket: Socket };
		this.#connecting.add(socket);
		socket.once('connect', () => {
			this.#clients.set(socket.localPort!, socket);
			this.#connecting.delete(socket);
		});
		socket.once('close', () => this.#connecting.delete(socket));
	};

	readonly #onServer = (message: unknown) => {
		const { socket } = message as { socket: Socket };
		this.#servers.set(socket.remotePort!, socket);
	};
}
