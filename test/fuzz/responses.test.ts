import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import fc from 'fast-check';

import { run } from '../harness/engine';
import {
	anyName,
	anyOperation,
	CASES_PER_TEST,
	expectInvariants,
	ITEM,
	onErrors,
	seed,
	TIMEOUT_MS,
	token,
	useServer,
	weighted,
} from './cases';

/** How the server transfers the body. */
type Transfer =
	'whole' | 'chunked' | 'untilClosed' | 'truncated' | 'stalled' | 'byteByByte' | 'notHttp';

interface HostileResponse {
	status: number;
	headers: Array<[string, string]>;
	body: Buffer;
	transfer: Transfer;
}

const SLOW: Transfer[] = ['stalled', 'byteByByte'];
const REQUEST_TIMEOUT_MS = 2_000;
const SHORT_REQUEST_TIMEOUT_MS = 300;
/** For a busy machine: without a timeout, a slow response would never end. */
const SLACK_MS = 60_000;

let response: HostileResponse;
const account = useServer((request) => {
	const { socket } = request;
	socket.on('error', () => {});
	request.resume().on('end', () => respond(socket, response));
});

function respond(socket: Socket, { status, headers, body, transfer }: HostileResponse): void {
	if (transfer === 'notHttp') return void socket.end(body);
	const length = transfer === 'truncated' ? body.length + 10 : body.length;
	const framing: Record<string, string[]> = {
		whole: [`Content-Length: ${length}`],
		truncated: [`Content-Length: ${length}`],
		stalled: ['Content-Length: 1000000'],
		byteByByte: ['Content-Length: 1000000'],
		chunked: ['Transfer-Encoding: chunked'],
		untilClosed: ['Connection: close'],
	};
	const lines = headers.map(([name, value]) => `${name}: ${value}`);
	const head = [`HTTP/1.1 ${status} Whatever`, ...lines, ...framing[transfer]!];
	socket.write(`${head.join('\r\n')}\r\n\r\n`);
	if (transfer === 'chunked') return void socket.end(chunked(body));
	if (!SLOW.includes(transfer)) return void socket.end(body);
	socket.write(body.subarray(0, 100));
	if (transfer === 'stalled') return;
	const timer = setInterval(() => socket.write('x'), 20);
	socket.on('close', () => clearInterval(timer));
}

function chunked(body: Buffer): Buffer {
	const size = `${body.length.toString(16)}\r\n`;
	return body.length === 0
		? Buffer.from('0\r\n\r\n')
		: Buffer.concat([Buffer.from(size), body, Buffer.from('\r\n0\r\n\r\n')]);
}

/** Includes the token in its URL-encoded form, which a gateway can echo. */
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
		fc.constantFrom(null, true, false, 0, -1, 1e308, 12, 4915123456789, 2 ** 60),
		fc.array(tie('value'), { maxLength: 4 }),
		// As entries: JSON.parse creates an own property __proto__, and an object literal does not.
		fc.array(fc.tuple(anyName, tie('value')), { maxLength: 5 }).map((entries) => ({ entries })),
	),
})).value;

/** Unlike JSON.stringify, this can write duplicate names and __proto__. */
function toJson(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	const { entries } = value as { entries: Array<[string, unknown]> };
	return `{${entries.map(([name, member]) => `${JSON.stringify(name)}:${toJson(member)}`).join(',')}}`;
}

const encoded = (text: fc.Arbitrary<string>, encoding: BufferEncoding = 'utf8') =>
	text.map((each) => Buffer.from(each, encoding));

const jsonText = anyJson.map(toJson);
const jsonStart = fc
	.tuple(encoded(jsonText), fc.nat(200))
	.map(([body, at]) => body.subarray(0, at));
const utf16 = encoded(
	jsonText.map((text) => `\ufeff${text}`),
	'utf16le',
);
const bytes = fc.uint8Array({ maxLength: 300 }).map((all) => Buffer.from(all));
const deeplyNested = fc
	.tuple(fc.constantFrom(10, 1_000, 200_000), fc.constantFrom('[', '{"data":'))
	.map(
		([depth, opening]) =>
			opening.repeat(depth) + (opening === '[' ? ']'.repeat(depth) : `1${'}'.repeat(depth)}`),
	);

const anyBody = fc.oneof(
	weighted(20, encoded(jsonText)),
	weighted(5, jsonStart),
	weighted(4, encoded(anyText)),
	weighted(3, bytes),
	weighted(2, utf16),
	weighted(2, encoded(jsonText, 'latin1')),
	weighted(1, encoded(deeplyNested)),
	weighted(1, fc.constant(Buffer.alloc(0))),
);
const compressed = anyBody.map((body) => gzipSync(body));

const HEADERS: Array<[name: string, values: string[]]> = [
	['Content-Type', ['application/json', 'text/html; charset=utf-16', 'image/png', ';;;']],
	['Content-Encoding', ['gzip', 'br', 'deflate']],
	['Retry-After', ['0', 'soon', '-1']],
	['Date', ['yesterday', new Date(0).toUTCString()]],
	['Set-Cookie', [`t=${encodeURIComponent(token)}`]],
	['Location', [`/api/whatsapp/${encodeURIComponent(token)}/status`, 'http://[::1']],
	['__proto__', ['x']],
	['constructor', ['x']],
];
const anyHeader: fc.Arbitrary<[string, string]> = fc.oneof(
	fc.constantFrom(
		...HEADERS.flatMap(([name, values]) => values.map((value): [string, string] => [name, value])),
	),
	fc.tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[ -~]{0,20}$/)),
	fc.constant<[string, string]>(['X-Flood', 'y'.repeat(20_000)]),
);

const anyResponse: fc.Arbitrary<HostileResponse> = fc.record({
	status: fc.oneof(
		weighted(3, fc.constant(200)),
		weighted(2, fc.constantFrom(...[201, 202, 204, 301, 302, 307, 308, 400, 401, 402, 403, 404])),
		weighted(2, fc.constantFrom(409, 422, 429, 500, 502, 503, 504)),
		weighted(1, fc.integer({ min: 200, max: 999 })),
	),
	headers: fc.array(anyHeader, { maxLength: 4 }),
	body: fc.oneof(weighted(9, anyBody), weighted(1, compressed)),
	transfer: fc.oneof(
		weighted(300, fc.constantFrom<Transfer>('whole', 'chunked', 'untilClosed')),
		weighted(40, fc.constantFrom<Transfer>('truncated', 'notHttp')),
		weighted(1, fc.constantFrom<Transfer>(...SLOW)),
	),
});

test(
	`handles ${CASES_PER_TEST} hostile responses with clear messages, within the timeout, without leaking secrets (FUZZ_SEED=${seed})`,
	async () => {
		const property = fc.asyncProperty(
			anyResponse,
			anyOperation,
			fc.boolean(),
			onErrors,
			async (hostileResponse, parameters, asTool, onError) => {
				response = hostileResponse;
				const timeout = SLOW.includes(response.transfer)
					? SHORT_REQUEST_TIMEOUT_MS
					: REQUEST_TIMEOUT_MS;
				const startedAt = performance.now();
				const outcome = await run({
					// A new account each time, because the node remembers the rate limit and clock offset of an account.
					account: { ...account, baseUrl: `${account.baseUrl}/${caseNumber++}` },
					parameters: {
						...parameters,
						options: { maxWait: 0, maxTries: 2, ...(parameters.options as object) },
						requestOptions: { timeout },
					},
					items: [ITEM],
					settings: { onError },
					asTool,
					isHostile: true,
				});
				expect(performance.now() - startedAt).toBeLessThan(2 * REQUEST_TIMEOUT_MS + SLACK_MS);
				expectInvariants(outcome);
			},
		);
		await fc.assert(property, { numRuns: CASES_PER_TEST, seed, endOnFailure: false });
	},
	TIMEOUT_MS,
);

let caseNumber = 0;
