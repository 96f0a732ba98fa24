import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import fc from 'fast-check';

import { anyText } from '../harness/anyText';
import { type Outcome, run } from '../harness/engine';
import { jsonBody } from '../harness/messages';
import { ITEM, QUICK_OPERATIONS } from '../harness/operations';
import {
	anyName,
	anyOperation,
	expectInvariants,
	fuzzTest,
	type OnError,
	onErrors,
	token,
	useAccounts,
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
const newAccount = useAccounts((request) => {
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
const hostileText = fc.oneof(
	anyText({ maxLength: 60 }),
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
		hostileText,
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
const jsonStart = fc.tuple(jsonText, fc.nat(200)).map(([text, at]) => text.slice(0, at));
const withMark = jsonText.map((text) => `\ufeff${text}`);
const bytes = fc.uint8Array({ maxLength: 300 }).map((all) => Buffer.from(all));
const deeplyNested = fc
	.tuple(fc.constantFrom(10, 1_000, 200_000), fc.constantFrom(['[', ']'], ['{"data":', '}']))
	.map(([depth, [opening, closing]]) => `${opening.repeat(depth)}1${closing.repeat(depth)}`);

const anyBody = fc.oneof(
	weighted(20, encoded(jsonText)),
	weighted(5, encoded(jsonStart)),
	weighted(4, encoded(hostileText)),
	weighted(3, bytes),
	weighted(2, encoded(withMark, 'utf16le')),
	weighted(2, encoded(jsonText, 'latin1')),
	weighted(1, encoded(deeplyNested)),
	weighted(1, fc.constant(Buffer.alloc(0))),
);
const header = (name: string, ...values: string[]) =>
	fc.tuple(fc.constant(name), fc.constantFrom(...values));
const anyHeader = fc.oneof(
	header('Content-Type', 'application/json', 'text/html; charset=utf-16', 'image/png', ';;;'),
	header('Content-Encoding', 'gzip', 'br', 'deflate'),
	header('Retry-After', '0', 'soon', '-1'),
	header('Date', 'yesterday', new Date(0).toUTCString()),
	header('Set-Cookie', `t=${encodeURIComponent(token)}`),
	header('Location', `/api/whatsapp/${encodeURIComponent(token)}/status`, 'http://[::1'),
	header('X-Flood', 'y'.repeat(20_000)),
	fc.constantFrom<[string, string]>(['__proto__', 'x'], ['constructor', 'x']),
	fc.tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[ -~]{0,20}$/)),
);

const anyResponse: fc.Arbitrary<HostileResponse> = fc.record({
	status: fc.oneof(
		weighted(3, fc.constant(200)),
		weighted(2, fc.constantFrom(...[201, 202, 204, 301, 302, 307, 308, 400, 401, 402, 403, 404])),
		weighted(2, fc.constantFrom(409, 422, 429, 500, 502, 503, 504)),
		weighted(1, fc.integer({ min: 200, max: 999 })),
	),
	headers: fc.array(anyHeader, { maxLength: 4 }),
	body: fc.oneof(
		weighted(9, anyBody),
		weighted(
			1,
			anyBody.map((body) => gzipSync(body)),
		),
	),
	transfer: fc.oneof(
		weighted(300, fc.constantFrom<Transfer>('whole', 'chunked', 'untilClosed')),
		weighted(40, fc.constantFrom<Transfer>('truncated', 'notHttp')),
		weighted(1, fc.constantFrom<Transfer>(...SLOW)),
	),
});

async function outcomeOf(
	hostileResponse: HostileResponse,
	{ options = {}, ...parameters }: Record<string, unknown>,
	asTool: boolean,
	onError: OnError,
): Promise<Outcome> {
	response = hostileResponse;
	const outcome = await run({
		account: newAccount(),
		parameters: { ...parameters, options: { maxWait: 0, maxTries: 2, ...(options as object) } },
		items: [ITEM],
		settings: { onError },
		asTool,
		isHostile: true,
	});
	expectInvariants(outcome);
	return outcome;
}

fuzzTest(
	'handles hostile responses with clear messages, within the timeout, without leaking secrets',
	fc.asyncProperty(
		anyResponse,
		anyOperation,
		fc.boolean(),
		onErrors,
		async (hostileResponse, operation, ...more) => {
			const isSlow = SLOW.includes(hostileResponse.transfer);
			const timeout = isSlow ? SHORT_REQUEST_TIMEOUT_MS : REQUEST_TIMEOUT_MS;
			const startedAt = performance.now();
			await outcomeOf(hostileResponse, { ...operation, requestOptions: { timeout } }, ...more);
			expect(performance.now() - startedAt).toBeLessThan(2 * REQUEST_TIMEOUT_MS + SLACK_MS);
		},
	),
);

/** No success of any operation that does something. test/gateway/responses has denials in all shapes. */
const DENIALS = [
	...[{ success: false }, { ok: 'no', message: 'OK' }, { status: 'failed', chatId: 7 }],
	...[
		{ error: 'x', id: 1 },
		{ data: { error: { code: 'session_not_online' } } },
		[{ errors: ['x'] }],
	],
	{ success: true, status: 'success', data: { outcome: 'rejected', requestId: 'r' } },
];
const ACTIONS = /^(send|sendMedia|delete|start|refresh|terminate)$/;
const PAGE = { text: '<!-- portal --><html>No such chat</html>', contentType: 'text/html' };

test.each(QUICK_OPERATIONS.map(({ title, parameters }) => [title, parameters] as const))(
	'%s never reports a web page or a denial as success',
	async (_title, operation) => {
		const denials = ACTIONS.test(operation.operation) ? DENIALS.map(jsonBody) : [];
		for (const { text, contentType } of [PAGE, ...denials]) {
			const headers: HostileResponse['headers'] = [['Content-Type', contentType]];
			const hostile = { status: 200, headers, body: Buffer.from(text), transfer: 'whole' } as const;
			const { error } = await outcomeOf(hostile, operation, false, 'stopWorkflow');
			expect([text, error]).not.toEqual([text, undefined]);
			const kept = await outcomeOf(hostile, operation, true, 'continueErrorOutput');
			const items = [...kept.items, ...kept.errorItems].map(({ json }) => json);
			expect(items).toEqual([expect.objectContaining({ error: expect.any(String) as string })]);
		}
	},
);
