/** The parts of docs/ that show what the code does. `UPDATE=1 npx jest test/architecture/generated` writes them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { downloadError } from '../../gateway/errors/downloadError';
import { errorMessage } from '../../gateway/errors/errorMessage';
import { noQrCode, notOnline, offline, permanentStatus } from '../../gateway/errors/sessionErrors';
import { connectionFailure, type ErrorText, rejection } from '../../gateway/replies/failure';
import { readResponse } from '../../gateway/wire/response';
import { DOCUMENTED_CODES } from '../harness/apiDocument';
import { run } from '../harness/engine';
import { ALL_OPERATIONS, OPERATIONS, prepare, quickParameters } from '../harness/operations';
import { useGateway } from '../harness/sandboxAccount';
import { runAndWait } from '../harness/waiting';

const docs = join(__dirname, '../../docs');
const pages = readdirSync(docs).filter((file) => file.endsWith('.md'));
const isUpdate = process.env.UPDATE !== undefined;

const MARKED = /^<!-- generated: ([^\n]+) -->\n(.*?)^<!-- end -->$/gms;

/** The place in docs/ with this name. */
function placeOf(name: string) {
	const places = pages.flatMap((page) => {
		const text = readFileSync(join(docs, page), 'utf8');
		return [...text.matchAll(MARKED)]
			.filter((match) => match[1] === name)
			.map((match) => ({ page, text, content: match[2]!.trim(), match: match[0] }));
	});
	expect(places.map(({ page }) => page)).toHaveLength(1);
	return places[0]!;
}

function compare(name: string, current: string) {
	const { page, text, content, match } = placeOf(name);
	if (!isUpdate) expect(content).toBe(current);
	const updated = `<!-- generated: ${name} -->\n\n${current}\n\n<!-- end -->`;
	if (isUpdate)
		writeFileSync(
			join(docs, page),
			text.replace(match, () => updated),
		);
}

test('every generated place is known', () => {
	const names = pages.flatMap((page) =>
		[...readFileSync(join(docs, page), 'utf8').matchAll(MARKED)].map(([, name]) => name!),
	);
	const known = [...ALL_OPERATIONS.map(({ title }) => title), ...Object.keys(ERRORS)];
	expect(names.sort()).toEqual(known.sort());
});

describe('the item of each operation', () => {
	const gateway = useGateway();
	const MAX_WIDTH = 100;
	const file = { data: 'QUJD', mimeType: 'text/plain', fileName: 'a.txt' };

	/** Times, delivery keys, the sandbox's ids of messages, and QR codes. */
	const VARIABLE: Array<[RegExp, string]> = [
		[/^\d{4}-\d\d-\d\dT/, '…'],
		[/^[\da-f]{8}-[\da-f-]{27}$/, '…'],
		[/^3EB0[\dA-F]+$/, '3EB0…'],
		[/^2@/, '2@…'],
	];

	/** Without what differs from run to run. */
	const stable = (value: unknown): unknown => {
		if (typeof value !== 'object' || value === null) return stableText(value);
		if (Array.isArray(value)) return value.map(stable);
		const entries = Object.entries(value) as Array<[string, unknown]>;
		const stableEntry = (key: string, entry: unknown) =>
			key === 'fileSize' ? 1000 : stable(entry);
		return Object.fromEntries(entries.map(([key, entry]) => [key, stableEntry(key, entry)]));
	};

	function stableText(value: unknown): unknown {
		if (typeof value !== 'string') return value;
		return VARIABLE.find(([pattern]) => pattern.test(value))?.[1] ?? value;
	}

	function block(item: unknown): string {
		const json = stable(item);
		const line = JSON.stringify(json, null, 1).replace(/\n\s*/g, ' ').replace('{ }', '{}');
		const text = line.length > MAX_WIDTH ? JSON.stringify(json, null, '\t') : line;
		return `\`\`\`json\n${text}\n\`\`\``;
	}

	test.each(OPERATIONS.map((operation) => [operation.title, operation] as const))(
		'%s',
		async (title, operation) => {
			const parameters = await prepare(operation, gateway.account, gateway);
			const { items } = await run({
				account: gateway.account,
				parameters: { ...quickParameters(operation), ...parameters } as Record<string, string>,
				items: [{ json: {}, binary: { data: file } }],
			});
			compare(title, block(items[0]!.json));
		},
	);

	test('Message > Send and Wait for Response', async () => {
		const { parameters, title } = ALL_OPERATIONS[1]!;
		const waiting = await runAndWait({
			account: gateway.account,
			parameters: parameters as Record<string, string>,
		});
		const { text } = JSON.parse(gateway.theRequest().bodyText!) as { text: string };
		const link = /https?:\S+/.exec(text)![0];
		const { resumed } = await waiting.post(link, { approved: 'true' });
		compare(title, block(resumed!.items[0]!.json));
	});
});

const response = (status: number, body: unknown, headers = {}) => {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return rejection(readResponse({ status, headers, bytes: Buffer.from(text) }, (value) => value));
};

interface Entry {
	/** What the user sees in brackets, or how the machine names it. */
	label: string;
	text: ErrorText;
}

const rejected = (status: number, code?: string): Entry => ({
	label: code ? `${status} \`${code}\`` : String(status),
	text: errorMessage(response(status, code ? { error: code } : {}), 0),
});
const notConnected = (code: string): Entry => ({
	label: `\`${code}\``,
	text: errorMessage(connectionFailure(code), 0),
});
const notDownloaded = (label: string, failure: Parameters<typeof downloadError>[1]): Entry => {
	const { message, description } = downloadError(new URL('https://x.example/a.pdf'), failure, 0);
	return { label, text: { message, description } };
};
const session = (text: ErrorText): Entry => ({ label: '', text });

const WEB_PAGE = '<!doctype html><html><body>Sign in</body></html>';
const STATUSES = [400, 401, 403, 404, 405, 408, 409, 413, 500, 302, 418];
const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CERT_HAS_EXPIRED', 'EPROTO'].concat(
	...['PROXY_CLOSED', 'PROXY_SIGN_IN', 'BLOCKED_BY_N8N', 'PAUSED'],
);
const NO_RESPONSE = [
	'ETIMEDOUT',
	'ECONNRESET',
	'EHOSTUNREACH',
	'RESPONSE_TOO_LARGE',
	'ERR_CANCELED',
];

/** One list of entries per heading. */
const ERRORS: Record<string, () => Record<string, Entry[]>> = {
	errors: () => ({
		'The gateway rejected the request, with a code': [
			...DOCUMENTED_CODES.map(([status, code]) => rejected(status, code)),
			rejected(409, 'session_offline'),
		],
		'The gateway rejected the request, without a known code': [
			...STATUSES.map((status) => rejected(status)),
			{
				label: '200, a web page',
				text: errorMessage(response(200, WEB_PAGE, { 'content-type': 'text/html' }), 0),
			},
			{ label: '200, a denial', text: errorMessage(response(200, { success: false }), 0) },
		],
		'Nothing was sent': NOT_SENT.map(notConnected),
		'The outcome is unknown': NO_RESPONSE.map(notConnected),
		'The session': [
			session(offline('DISCONNECTED')),
			session(notOnline('AWAITING_QR', 120)),
			session(notOnline(undefined, 120)),
			session(noQrCode('DISCONNECTED', 60)),
			session(permanentStatus('AUTH_FAILURE')!),
			session(permanentStatus('BANNED')!),
		],
		'The file of Media URL': [
			...[401, 404, 429, 500].map((status) => notDownloaded('', response(status, 'Not here'))),
			...['ECONNREFUSED', 'ENOTFOUND', 'CERT_HAS_EXPIRED', 'BLOCKED_BY_N8N', 'ETIMEDOUT'].map(
				(code) => notDownloaded(`\`${code}\``, connectionFailure(code)),
			),
			notDownloaded('`ERR_FR_TOO_MANY_REDIRECTS`', connectionFailure('ERR_FR_TOO_MANY_REDIRECTS')),
			notDownloaded('`ECONNRESET`', connectionFailure('ECONNRESET')),
		],
	}),
};

test.each(Object.entries(ERRORS))('the list of %s', (name, sections) => {
	const lists = Object.entries(sections()).map(([heading, entries]) => {
		const lines = entries.map(({ label, text: { message, description } }) => {
			const title = message.replace(/ \(\d{3}(, \w+)?\)$/, '');
			return wrapped(`- **${title}**${label && ` (${label})`}. ${description}`);
		});
		return `## ${heading}\n\n${[...new Set(lines)].join('\n')}`;
	});
	compare(name, lists.join('\n\n'));
});

const LINE = 150;

/** Lines of a list entry. */
function wrapped(entry: string): string {
	const lines = [''];
	for (const word of entry.split(' ')) {
		if (lines.at(-1)!.length + word.length > LINE) lines.push(' ');
		lines.push([lines.pop(), word].filter(Boolean).join(' '));
	}
	return lines.join('\n');
}
