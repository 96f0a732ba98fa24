import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export const NOBODY = 65_534;

/** Only root can run programs of another user. For anyone else, it is another program. */
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** A program of another user of this machine. Collects what it prints. */
export class OtherUser {
	output = '';
	readonly #program: ChildProcess;

	private constructor(script: string) {
		this.#program = spawn(process.execPath, ['--eval', script], {
			cwd: '/',
			env: {},
			stdio: ['ignore', 'pipe', 'inherit'],
			...user,
		});
		this.#program.stdout!.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
	}

	/** Listens on this port, responds to every request as if all was well, and prints all that it gets. */
	static async listen(port: number): Promise<OtherUser> {
		const other = new OtherUser(`
			require('node:http')
				.createServer(async (request, response) => {
					const body = (await request.setEncoding('utf8').toArray()).join('');
					console.log(request.method, request.url, JSON.stringify(request.headers), body);
					response.setHeader('Set-Cookie', 'n8n-auth=1');
					response.setHeader('Content-Type', 'application/json');
					response.end('{"data":{"id":"1"}}');
				})
				.listen(${port}, '127.0.0.1', () => console.log('Listening'));
		`);
		await once(other.#program.stdout!, 'data');
		return other;
	}

	async stop(): Promise<void> {
		if (this.#program.exitCode !== null || this.#program.signalCode !== null) return;
		this.#program.kill();
		await once(this.#program, 'close');
	}
}
