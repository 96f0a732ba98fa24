import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { type Sandbox, startSandbox } from './sandbox';

const DEFAULT_PORT = 3021;
const MAX_PORTS_TRIED = 50;

const HELP = `Starts a local messaging gateway for trying out and testing clients.

  --port N       listen on this port (default: ${DEFAULT_PORT}, or the next free port)
  --latency MS   delay every response
  --paired       start with the phone paired and online
  --fresh        clear session and messages; keep token and secret
  --folder DIR   store token, secret and state here (default: .sandbox)
  --quiet        do not print token, secret and control key
  --help         show this help

The environment variable SANDBOX_CONTROL_KEY sets the control key (default: a new one at each start).
`;

interface Options {
	port: number | undefined;
	latencyMs: number;
	paired: boolean;
	fresh: boolean;
	quiet: boolean;
	folder: string;
}

interface Credentials {
	token: string;
	secret: string;
}

async function main(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	if (!options) {
		process.stdout.write(HELP);
		return;
	}
	mkdirSync(options.folder, { recursive: true, mode: 0o700 });
	const sandbox = await start(options, loadOrCreateCredentials(options.folder));
	if (options.fresh) sandbox.reset();
	if (options.paired) sandbox.setStatus('ONLINE');
	if (options.latencyMs > 0) sandbox.faults([{ latencyMs: options.latencyMs }]);
	closeOnSignals(sandbox);
	process.stdout.write(options.quiet ? `${sandbox.baseUrl}\n` : startMessage(sandbox));
}

function readOptions(args: string[]): Options | undefined {
	const { values } = parseArgs({
		args,
		options: {
			port: { type: 'string' },
			latency: { type: 'string' },
			paired: { type: 'boolean' },
			fresh: { type: 'boolean' },
			quiet: { type: 'boolean' },
			folder: { type: 'string' },
			help: { type: 'boolean', short: 'h' },
		},
	});
	if (values.help) return undefined;
	return {
		port: values.port === undefined ? undefined : wholeNumber('--port', values.port, 1, 65_535),
		latencyMs: wholeNumber('--latency', values.latency ?? '0', 0, 3_600_000),
		paired: values.paired ?? false,
		fresh: values.fresh ?? false,
		quiet: values.quiet ?? false,
		folder: resolve(values.folder ?? join(__dirname, '../..', '.sandbox')),
	};
}

function wholeNumber(option: string, value: string, min: number, max: number): number {
	const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
	if (number >= min && number <= max) return number;
	throw new Error(`${option} takes a whole number from ${min} to ${max}, not "${value}".`);
}

/** Returns the stored credentials. Creates them only once, so that a credential in n8n stays valid after a restart. */
function loadOrCreateCredentials(folder: string): Credentials {
	const file = join(folder, 'account.json');
	try {
		const created: Credentials = {
			token: randomBytes(18).toString('base64url'),
			secret: randomBytes(32).toString('base64url'),
		};
		writeFileSync(file, `${JSON.stringify(created)}\n`, { mode: 0o600, flag: 'wx' });
		return created;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
		return readCredentials(file);
	}
}

function readCredentials(file: string): Credentials {
	const damaged = `${file} is damaged. Delete it to create a new token and secret.`;
	let credentials: Partial<Credentials> | null;
	try {
		credentials = JSON.parse(readFileSync(file, 'utf8')) as Partial<Credentials> | null;
	} catch {
		throw new Error(damaged);
	}
	const { token, secret } = credentials ?? {};
	if (typeof token !== 'string' || typeof secret !== 'string') throw new Error(damaged);
	if (token === '' || secret === '') throw new Error(damaged);
	return { token, secret };
}

async function start({ port, folder }: Options, credentials: Credentials): Promise<Sandbox> {
	// Each port has its own state file. Only one process can listen on a port, so each file has one writer.
	const startOn = (candidate: number) =>
		startSandbox({
			...credentials,
			controlKey: process.env.SANDBOX_CONTROL_KEY || undefined,
			port: candidate,
			stateFile: join(folder, `port-${candidate}.jsonl`),
		});
	if (port !== undefined) return await startOn(port);

	for (let candidate = DEFAULT_PORT; candidate < DEFAULT_PORT + MAX_PORTS_TRIED; candidate += 1) {
		try {
			return await startOn(candidate);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
		}
	}
	throw new Error(
		`Ports ${DEFAULT_PORT} to ${DEFAULT_PORT + MAX_PORTS_TRIED - 1} are in use. Choose another port with --port.`,
	);
}

function closeOnSignals(sandbox: Sandbox): void {
	const close = () => {
		void sandbox.close().then(() => process.exit(0));
	};
	process.on('SIGINT', close);
	process.on('SIGTERM', close);
}

function startMessage(sandbox: Sandbox): string {
	const { baseUrl, token, secret, controlUrl, controlKey, phoneUrl } = sandbox;
	const start = `curl -sS -X POST "${baseUrl}/api/whatsapp/${encodeURIComponent(token)}/start"`;
	const headers = `-H "Content-Type: application/json" -H "X-Sandbox-Key: ${controlKey}"`;
	const scan = `curl -sS -X POST ${headers} "${controlUrl}/scan"`;
	const { status, delivered } = sandbox.state();
	const pairing = `To pair the phone, run Session > Start in n8n, then click Scan on the phone page. Or run:

${start} && ${scan}`;
	return `
  Messaging gateway sandbox

  Base URL     ${baseUrl}
  Token        ${token}
  Secret       ${secret}
  Phone        ${phoneUrl}
  Control      ${controlUrl}/state
  Control key  ${controlKey}

  Session status: ${status}. Messages delivered: ${delivered.length}.
  ${status === 'ONLINE' ? 'The phone is paired and online.' : pairing}

  Press Ctrl+C to stop.

`;
}

function errorMessage(error: NodeJS.ErrnoException): string {
	if (error.code === 'EADDRINUSE')
		return 'The port is already in use. Choose another port with --port.';
	if (error.code?.startsWith('ERR_PARSE_ARGS')) {
		return `${error.message.split('. ')[0]}. For help, use --help.`;
	}
	return error.message;
}

main().catch((error: NodeJS.ErrnoException) => {
	process.stderr.write(`${errorMessage(error)}\n`);
	process.exitCode = 1;
});
