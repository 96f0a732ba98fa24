import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { type Sandbox, startSandbox } from './sandbox';

const FIRST_PORT = 3021;
const PORTS_TRIED = 50;

const HELP = `A messaging gateway on this machine, to try things out on.

  --port N       listen on this port (default: ${FIRST_PORT}, or the next free one)
  --latency MS   answer every request that much later
  --fresh        forget session and messages; token and secret stay
  --folder DIR   where token, secret and state are kept (default: .sandbox)
  --help         this text
`;

interface Choices {
	port: number | undefined;
	latencyMs: number;
	fresh: boolean;
	folder: string;
}

interface Keys {
	token: string;
	secret: string;
}

async function main(): Promise<void> {
	const choices = readChoices(process.argv.slice(2));
	if (!choices) {
		process.stdout.write(HELP);
		return;
	}
	mkdirSync(choices.folder, { recursive: true, mode: 0o700 });
	const sandbox = await start(choices, keysKeptIn(choices.folder));
	if (choices.fresh) sandbox.reset();
	if (choices.latencyMs > 0) sandbox.faults([{ latencyMs: choices.latencyMs }]);
	closeOnSignals(sandbox);
	process.stdout.write(card(sandbox));
}

function readChoices(args: string[]): Choices | undefined {
	const { values } = parseArgs({
		args,
		options: {
			port: { type: 'string' },
			latency: { type: 'string' },
			fresh: { type: 'boolean' },
			folder: { type: 'string' },
			help: { type: 'boolean', short: 'h' },
		},
	});
	if (values.help) return undefined;
	return {
		port: values.port === undefined ? undefined : wholeNumber('--port', values.port, 1, 65_535),
		latencyMs: wholeNumber('--latency', values.latency ?? '0', 0, 3_600_000),
		fresh: values.fresh ?? false,
		folder: resolve(values.folder ?? join(__dirname, '..', '.sandbox')),
	};
}

function wholeNumber(option: string, value: string, least: number, most: number): number {
	const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
	if (number >= least && number <= most) return number;
	throw new Error(`${option} takes a whole number from ${least} to ${most}, not "${value}".`);
}

/** Made once and kept, so that credentials typed into n8n stay right from one start to the next. */
function keysKeptIn(folder: string): Keys {
	const file = join(folder, 'account.json');
	try {
		const fresh: Keys = {
			token: randomBytes(18).toString('base64url'),
			secret: randomBytes(32).toString('base64url'),
		};
		writeFileSync(file, `${JSON.stringify(fresh)}\n`, { mode: 0o600, flag: 'wx' });
		return fresh;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
		return keysIn(file);
	}
}

function keysIn(file: string): Keys {
	const damaged = `${file} is damaged. Remove it to get a new token and secret.`;
	let keys: Partial<Keys> | null;
	try {
		keys = JSON.parse(readFileSync(file, 'utf8')) as Partial<Keys> | null;
	} catch {
		throw new Error(damaged);
	}
	const { token, secret } = keys ?? {};
	if (typeof token !== 'string' || typeof secret !== 'string') throw new Error(damaged);
	if (token === '' || secret === '') throw new Error(damaged);
	return { token, secret };
}

async function start({ port, folder }: Choices, keys: Keys): Promise<Sandbox> {
	// One journal per port: a port has one owner, so a journal has one writer.
	const startOn = (candidate: number) =>
		startSandbox({
			...keys,
			port: candidate,
			stateFile: join(folder, `port-${candidate}.jsonl`),
		});
	if (port !== undefined) return await startOn(port);

	for (let candidate = FIRST_PORT; candidate < FIRST_PORT + PORTS_TRIED; candidate += 1) {
		try {
			return await startOn(candidate);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
		}
	}
	throw new Error(`No port from ${FIRST_PORT} on is free. Choose one with --port.`);
}

function closeOnSignals(sandbox: Sandbox): void {
	const close = () => {
		void sandbox.close().then(() => process.exit(0));
	};
	process.on('SIGINT', close);
	process.on('SIGTERM', close);
}

function card(sandbox: Sandbox): string {
	const { baseUrl, token, secret, controlUrl, phoneUrl } = sandbox;
	const start = `curl -sS -X POST "${baseUrl}/api/whatsapp/${encodeURIComponent(token)}/start"`;
	const scan = `curl -sS -X POST -H "Content-Type: application/json" "${controlUrl}/scan"`;
	const { status, delivered } = sandbox.state();
	return `
  Messaging gateway sandbox

  Base URL     ${baseUrl}
  API token    ${token}
  API secret   ${secret}
  Phone        ${phoneUrl}
  Control      ${controlUrl}/state

  The session is ${status}, ${delivered.length} messages delivered so far.
  To pair it: Session > Start in n8n, then Scan on the phone. Or both from here:

${start} && ${scan}

  Ctrl+C ends it.

`;
}

function explain(error: NodeJS.ErrnoException): string {
	if (error.code === 'EADDRINUSE') return 'This port is taken. Choose another one with --port.';
	return error.message;
}

main().catch((error: NodeJS.ErrnoException) => {
	process.stderr.write(`${explain(error)}\n`);
	process.exitCode = 1;
});
