import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import fc from 'fast-check';

import type { Result } from '../../dev/gatewayCheck/finding';
import { Gateway } from '../../dev/gatewayCheck/gateway';
import { messageChecks } from '../../dev/gatewayCheck/messages';
import { answerOf, reportOf } from '../../dev/gatewayCheck/report';
import { checkSignature, checkStatus, signedChecks } from '../../dev/gatewayCheck/requests';
import type { Terminal } from '../../dev/gatewayCheck/terminal';
import { anyCharacter } from '../harness/anyText';
import { depth, seedFrom } from '../harness/depth';
import { SECRET, TOKEN } from './run';

let respond: (response: ServerResponse) => void;
const server = createServer((request, response) => {
	request.resume().on('end', () => respond(response));
});
let url: URL;
beforeAll(async () => {
	await once(server.listen(0, '127.0.0.1'), 'listening');
	url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(() => {
	server.close();
	server.closeAllConnections();
});

/** What sets the title, writes to the clipboard, clears the screen, reorders, hides, or looks like a line of the check. */
const HOSTILE = [
	...['\x1b]0;title\x07', '\x1b]52;c;aGVsbG8=\x1b\\', '\x1b[2J\x1b[H', '\x9b2J', '\x9d0;t\x9c'],
	...['\u202e', '\u2066', '\u200f', '\u061c', '\u2028', '\u200b', '\ufeff', '\x00', '\x7f', '\b'],
	...['\r\n✓ Does it verify the signature?', '\n```\n## 1. Fine\n', '\t'],
	...[TOKEN, SECRET, encodeURIComponent(TOKEN)],
	...['+44 7700 900123', '447700\u200b900123', 'ada@example.com', 'https://private.example/x?y=1'],
];
const SHOWN = /7700|900123|example\.com|private/;
/** Emoji and Persian need the joiners. */
const UNSAFE = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function expectSafe(shown: string): void {
	expect(UNSAFE.exec(shown)).toBeNull();
	expect(shown).not.toMatch(SHOWN);
	for (const secret of [TOKEN, SECRET]) expect(shown).not.toContain(secret);
}

const text = fc.string({
	unit: fc.oneof(fc.constantFrom(...HOSTILE), anyCharacter),
	maxLength: 8,
});
const name = fc.oneof(
	fc.constantFrom(
		...['error', 'code', 'message', 'status', 'state', 'outcome', 'detail', 'data', 'errors'],
		...['deliveries', 'deliveryKey', 'chatId', 'result'],
	),
	text,
);
const { json } = fc.letrec((tie) => ({
	json: fc.oneof(
		{ maxDepth: 4 },
		{ weight: 4, arbitrary: text },
		fc.constantFrom(true, null, 7),
		fc.dictionary(name, tie('json'), { maxKeys: 6 }),
		fc.array(tie('json'), { maxLength: 3 }),
	),
}));
const body = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.dictionary(name, json, { maxKeys: 8 }).map((value) => JSON.stringify(value)),
	},
	text,
);
const header = fc
	.string({ unit: fc.constantFrom('\x9b', '\x9d', '\x85', 'é', ' ', TOKEN, '447700900123', 'x') })
	.map((value) => value.trim());
const answer = fc.record({
	status: fc.constantFrom(200, 200, 401, 401, 400, 403, 404, 422, 500),
	body,
	headers: fc.record({ date: header, 'content-type': header, 'retry-after': header }),
});
const answers = fc.array(answer, { minLength: 20, maxLength: 20 });

const inTurn = (list: Array<{ status: number; body: string; headers: Record<string, string> }>) => {
	let at = 0;
	respond = (response) => {
		const { status, headers, body: content } = list[at++ % list.length]!;
		response.writeHead(status, headers).end(content);
	};
};

test('no text of a gateway reaches the terminal or the report as it is', async () => {
	const gateway = new Gateway({ baseUrl: url.href, token: TOKEN, secret: SECRET });
	let said: string[] = [];
	const terminal = {
		say: (line: string) => void said.push(line),
		confirm: async () => await Promise.resolve(true),
		askFor: async (_: string, read: (entered: string) => unknown) =>
			await Promise.resolve(read('')),
	} as unknown as Terminal;
	const property = fc.asyncProperty(answers, fc.boolean(), async (list, isOnline) => {
		said = [];
		inTurn(list);
		const results: Result[] = [await checkStatus(gateway), await checkSignature(gateway)];
		for (const { question, run } of signedChecks) {
			results.push({ question, ...(await run(gateway)) });
		}
		const conversation = { gateway, terminal, chatId: '12125550100', isOnline };
		for (const { question, run } of messageChecks(isOnline)) {
			results.push({ question, ...(await run(conversation)) });
		}
		const shown = results.map(answerOf);
		expect(shown.filter((one) => one.includes('\n'))).toEqual([]);
		expectSafe([...said, ...shown].join('\n'));
		expectSafe(reportOf(results, url));
	});
	const numRuns = depth(15, 400);
	await fc.assert(property, { numRuns, seed: seedFrom('CHECK_SEED'), endOnFailure: true });
});
