import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';

/** Asks on the terminal. Without one, it reads the lines of the standard input; at its end, every answer is empty. */
export class Terminal {
	#isHidden = false;
	readonly #lines: AsyncIterator<string>;
	readonly #interface: Interface;

	constructor() {
		const { stdin, stdout } = process;
		// readline writes to it what the user types.
		const output = new Writable({
			write: (chunk: Buffer, _encoding, done) => {
				if (!this.#isHidden) stdout.write(chunk);
				done();
			},
		});
		this.#interface = createInterface({ input: stdin, output, terminal: stdin.isTTY });
		this.#lines = this.#interface[Symbol.asyncIterator]();
		// Otherwise Ctrl+C would only end the line.
		this.#interface.on('SIGINT', () => process.exit(130));
	}

	say(text: string): void {
		process.stdout.write(`${text}\n`);
	}

	async ask(question: string): Promise<string> {
		process.stdout.write(question);
		return (await this.#nextLine()).trim();
	}

	/** What the user enters is not shown, and not trimmed: a gateway may issue such a token. */
	async askHidden(question: string): Promise<string> {
		process.stdout.write(question);
		this.#isHidden = true;
		const line = await this.#nextLine();
		this.#isHidden = false;
		process.stdout.write('\n');
		return line;
	}

	/** Asks until `read` returns a value. For an empty answer it must return one, because the input may have ended. */
	async askFor<Value>(
		question: string,
		read: (answer: string) => Value | undefined,
		accepted: string,
	): Promise<Value> {
		for (;;) {
			const value = read(await this.ask(question));
			if (value !== undefined) return value;
			this.say(accepted);
		}
	}

	async confirm(question: string): Promise<boolean> {
		return await this.askFor(
			`${question} (y/N) `,
			(answer) => {
				if (/^y(es)?$/i.test(answer)) return true;
				return /^(no?)?$/i.test(answer) ? false : undefined;
			},
			'Enter y for yes, or n for no.',
		);
	}

	async #nextLine(): Promise<string> {
		const { value } = (await this.#lines.next()) as IteratorResult<string, undefined>;
		return value ?? '';
	}

	close(): void {
		this.#interface.close();
	}
}
