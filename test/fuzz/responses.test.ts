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

/** Operations that do something, as opposed to those that only read. */
const ACTIONS = ['send', 'sendMedia', 'delete', 'start', 'refresh', 'terminate'];

/** Fields that confirm nothing. */
const idleFields = fc.dictionary(
	fc.constantFrom('message', 'reason', 'requestId', 'chatId', 'timestamp', 'path', 'session', 'id'),
	fc.oneof(
		fc.constantFrom<unknown>('OK', 'No such chat', '', null, 0, 7, 4915123456789, {}, []),
		// The gateway's own connection was lost, so the message may have been sent.
		hostileText.filter((text) => text !== 'ECONNRESET'),
	),
	{ maxKeys: 3, noNullPrototype: true },
);

const no = fc.constantFrom<unknown>(false, 0, 'false', 'FALSE', 'no');
const failedWord = fc.constantFrom<unknown>(
	...['failed', 'FAILED', 'failure', 'fail', 'error', 'rejected', ' denied ', 500, '404', 422],
);
const errorValue = fc.constantFrom<unknown>(
	...['session_not_online', 'invalid_token', 'x', true, 17, ['x']],
	...[{ code: 'session_not_online' }, { message: 'offline' }],
);

/** A body that denies success, by operation: each names what it would confirm. */
const denialOf = (operation: string) => {
	const names: Record<string, string> = { send: 'sent', sendMedia: 'sent', delete: 'deleted' };
	const field = names[operation] ?? `${operation.replace(/e$/, '')}ed`;
	return fc
		.oneof(
			fc.tuple(fc.constantFrom('success', 'ok', 'accepted', field), no),
			fc.tuple(fc.constantFrom('status', 'state', 'result', 'outcome'), failedWord),
			fc.tuple(fc.constantFrom('error', 'errors'), errorValue),
			fc.constant(['code', 'session_not_online']),
		)
		.chain(([name, value]) =>
			fc
				.tuple(idleFields, fc.constantFrom('DISCONNECTED', 'AWAITING_QR', 'success', undefined))
				.map(([fields, status]) => ({ status, ...fields, [name]: value })),
		);
};

const nested = (body: fc.Arbitrary<object>) =>
	fc.oneof(
		body,
		fc
			.tuple(fc.constantFrom('data', 'result', 'results', 'response', 'payload'), body)
			.map(([name, inner]) => ({ [name]: inner })),
		body.map((inner) => ({ success: true, status: 'success', data: inner })),
		body.map((inner) => [inner]),
	);

const webPage = fc
	.tuple(
		fc.constantFrom('<!doctype html>', '\ufeff \n<HTML lang="en">', '<!-- portal --><html>', '<p>'),
		hostileText,
		fc.constantFrom('text/html', 'text/html; charset=utf-8'),
	)
	.map(([start, text, contentType]) => ({ text: `${start}${text}</html>`, contentType }));

/** An operation, and a response that is no success of it. */
const notASuccess = fc.constantFrom(...QUICK_OPERATIONS).chain(({ parameters: operation }) => {
	const name = operation.operation;
	const denial = nested(denialOf(name)).map(jsonBody);
	return fc.record({
		operation: fc.constant(operation),
		said: ACTIONS.includes(name) ? fc.oneof(denial, webPage) : webPage,
		status: fc.constantFrom(200, 201),
	});
});

/** A word or a boolean for success next to a denial, a zero or the status of a failure leaves open what happened, and so does a web page. */
const isOpen = (body: string) =>
	/true|"success"|"OK"|"DISCONNECTED"|"AWAITING_QR"|"session_not_online"|:0|[45]\d\d/.test(body) ||
	!/^[[{]/.test(body);

function expectFailure({ error, items, errorItems }: Outcome, body: string): void {
	if (error) return;
	for (const { json } of [...items, ...errorItems]) {
		expect(Object.keys(json)).toContain('error');
		if (!isOpen(body)) expect(JSON.stringify(json)).not.toContain('may have been sent');
	}
	expect(items.length + errorItems.length).toBe(1);
}

fuzzTest(
	'never reports a web page or a denial as success',
	fc.asyncProperty(
		notASuccess,
		fc.boolean(),
		onErrors,
		async ({ operation, said, status }, asTool, onError) => {
			const headers: HostileResponse['headers'] = [['Content-Type', said.contentType]];
			const hostile = { status, headers, body: Buffer.from(said.text), transfer: 'whole' } as const;
			const outcome = await outcomeOf(hostile, operation, asTool, onError);
			expectFailure(outcome, said.text);
			if (onError === 'stopWorkflow') expect(outcome.error).toBeDefined();
		},
	),
);
