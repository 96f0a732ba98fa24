import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import fc from 'fast-check';

import { type Account, run } from '../engine';
import {
	anyName,
	anyOperation,
	expectSound,
	HALF,
	PATIENCE_MS,
	secret,
	seed,
	token,
} from './cases';

/** How the bytes of an answer come. */
type Manner = 'whole' | 'chunked' | 'untilClosed' | 'cutShort' | 'silent' | 'inDrops' | 'noHttp';

interface Reply {
	status: number;
	headers: Array<[string, string]>;
	body: Buffer;
	manner: Manner;
}

const SLOW: Manner[] = ['silent', 'inDrops'];
const TIMEOUT_MS = 2_000;
const SHORT_TIMEOUT_MS = 300;
/** Of a busy machine. */
const SLACK_MS = 5_000;

let reply: Reply;
const server = createServer((request) => {
	const { socket } = request;
	socket.on('error', () => {});
	request.resume().on('end', () => say(socket, reply));
});
let account: Account;

beforeAll(async () => {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	account = { baseUrl: `http://127.0.0.1:${port}`, token, secret };
});
afterAll(async () => {
	server.close();
	server.closeAllConnections();
	await once(server, 'close');
});

function say(socket: Socket, { status, headers, body, manner }: Reply): void {
	if (manner === 'noHttp') return void socket.end(body);
	const length = manner === 'cutShort' ? body.length + 10 : body.length;
	const framing: Record<string, string[]> = {
		whole: [`Content-Length: ${length}`],
		cutShort: [`Content-Length: ${length}`],
		silent: ['Content-Length: 1000000'],
		inDrops: ['Content-Length: 1000000'],
		chunked: ['Transfer-Encoding: chunked'],
		untilClosed: ['Connection: close'],
	};
	const lines = headers.map(([name, value]) => `${name}: ${value}`);
	const head = [`HTTP/1.1 ${status} Whatever`, ...lines, ...framing[manner]!];
	socket.write(`${head.join('\r\n')}\r\n\r\n`);
	if (manner === 'chunked') return void socket.end(chunked(body));
	if (!SLOW.includes(manner)) return void socket.end(body);
	socket.write(body.subarray(0, 100));
	if (manner === 'silent') return;
	const timer = setInterval(() => socket.write('x'), 20);
	socket.on('close', () => clearInterval(timer));
}

function chunked(body: Buffer): Buffer {
	const size = `${body.length.toString(16)}\r\n`;
	return body.length === 0
		? Buffer.from('0\r\n\r\n')
		: Buffer.concat([Buffer.from(size), body, Buffer.from('\r\n0\r\n\r\n')]);
}

/** Text, and what a gateway knows of us: the token in its URL. */
const anyText = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 60 }),
	fc.constantFrom(
		token,
		encodeURIComponent(token),
		`GET /api/whatsapp/${encodeURIComponent(token)}/status`,
		'ONLINE',
		'AUTH_FAILURE',
		'2@abc/def=,ghi',
		'data:image/png;base64,iVBORw0KGgo=',
		'ECONNRESET',
		'rate_limit_exceeded',
		'<!doctype html><p>no</p>',
		'\ud800',
	),
);

const anyJson = fc.letrec<{ value: unknown }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 4, withCrossShrink: true },
		anyText,
		fc.constantFrom(null, true, false, 0, -1, 1e308, 12),
		fc.array(tie('value'), { maxLength: 4 }),
		// JSON.parse makes a name of __proto__; an object literal would not.
		fc.array(fc.tuple(anyName, tie('value')), { maxLength: 5 }).map((entries) => ({ entries })),
	),
})).value;

/** Written by hand, for names that come twice and for __proto__. */
function written(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	const { entries } = value as { entries: Array<[string, unknown]> };
	return `{${entries.map(([name, member]) => `${JSON.stringify(name)}:${written(member)}`).join(',')}}`;
}

const jsonBody = anyJson.map((value) => Buffer.from(written(value)));

const deep = fc
	.tuple(fc.constantFrom(10, 1_000, 200_000), fc.constantFrom('[', '{"data":'))
	.map(
		([depth, opening]) =>
			opening.repeat(depth) + (opening === '[' ? ']'.repeat(depth) : `1${'}'.repeat(depth)}`),
	);

const anyBody = fc.oneof(
	{ weight: 20, arbitrary: jsonBody },
	{
		weight: 5,
		arbitrary: fc.tuple(jsonBody, fc.nat(200)).map(([body, at]) => body.subarray(0, at)),
	},
	{ weight: 4, arbitrary: anyText.map((text) => Buffer.from(text)) },
	{ weight: 3, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
	{
		weight: 2,
		arbitrary: jsonBody.map((body) => Buffer.from(`\ufeff${body.toString()}`, 'utf16le')),
	},
	{ weight: 2, arbitrary: jsonBody.map((body) => Buffer.from(body.toString(), 'latin1')) },
	{ weight: 1, arbitrary: deep.map((text) => Buffer.from(text)) },
	{ weight: 1, arbitrary: fc.constant(Buffer.alloc(0)) },
);

const anyHeader = fc.oneof(
	fc.constantFrom<[string, string]>(
		['Content-Type', 'application/json'],
		['Content-Type', 'text/html; charset=utf-16'],
		['Content-Type', 'image/png'],
		['Content-Type', ';;;'],
		['Content-Encoding', 'gzip'],
		['Content-Encoding', 'br'],
		['Content-Encoding', 'deflate'],
		['Retry-After', '0'],
		['Retry-After', 'soon'],
		['Retry-After', '-1'],
		['Date', 'yesterday'],
		['Date', new Date(0).toUTCString()],
		['Set-Cookie', `t=${encodeURIComponent(token)}`],
		['Location', `/api/whatsapp/${encodeURIComponent(token)}/status`],
		['Location', 'http://[::1'],
		['__proto__', 'x'],
		['constructor', 'x'],
	),
	fc.tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[ -~]{0,20}$/)),
	fc.constant<[string, string]>(['X-Flood', 'y'.repeat(20_000)]),
);

const anyReply: fc.Arbitrary<Reply> = fc.record({
	status: fc.oneof(
		{ weight: 3, arbitrary: fc.constant(200) },
		{
			weight: 2,
			arbitrary: fc.constantFrom(...[201, 202, 204, 301, 302, 307, 308, 400, 401, 402, 403, 404]),
		},
		{ weight: 2, arbitrary: fc.constantFrom(409, 422, 429, 500, 502, 503, 504) },
		{ weight: 1, arbitrary: fc.integer({ min: 200, max: 999 }) },
	),
	headers: fc.array(anyHeader, { maxLength: 4 }),
	body: fc.oneof(
		{ weight: 9, arbitrary: anyBody },
		{ weight: 1, arbitrary: anyBody.map((body) => gzipSync(body)) },
	),
	manner: fc.oneof(
		{ weight: 300, arbitrary: fc.constantFrom<Manner>('whole', 'chunked', 'untilClosed') },
		{ weight: 40, arbitrary: fc.constantFrom<Manner>('cutShort', 'noHttp') },
		{ weight: 1, arbitrary: fc.constantFrom<Manner>(...SLOW) },
	),
});

test(
	`${HALF} hostile answers end in words, in time, and tell no secret (FUZZ_SEED=${seed})`,
	async () => {
		const property = fc.asyncProperty(
			anyReply,
			anyOperation,
			fc.boolean(),
			fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
			async (answer, parameters, asTool, onError) => {
				reply = answer;
				const timeout = SLOW.includes(answer.manner) ? SHORT_TIMEOUT_MS : TIMEOUT_MS;
				const startedAt = performance.now();
				const outcome = await run({
					// Another one each time: a pace or a clock that is learnt is not to spoil the next case.
					account: { ...account, baseUrl: `${account.baseUrl}/${caseNumber++}` },
					parameters: {
						...parameters,
						options: { maxWait: 0, maxTries: 2, ...(parameters.options as object) },
						requestOptions: { timeout },
					},
					items: [{ json: {}, binary: { data: { data: 'QUJD', mimeType: 'text/plain' } } }],
					settings: { onError },
					asTool,
				});
				expect(performance.now() - startedAt).toBeLessThan(2 * TIMEOUT_MS + SLACK_MS);
				expectSound(outcome);
			},
		);
		await fc.assert(property, { numRuns: HALF, seed, endOnFailure: false });
	},
	PATIENCE_MS,
);

let caseNumber = 0;
