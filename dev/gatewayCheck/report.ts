import { isObject } from '../../gateway/json';
import { NAMES } from '../../gateway/responses/dialect';
import type { Endpoint } from '../../gateway/wire/endpoints';
import { isWebPage, type GatewayResponse } from '../../gateway/wire/response';
import { version } from '../../package.json';
import type { Finding, Result } from './finding';
import type { Exchange, Signing } from './gateway';
import { gatewayText } from './gatewayText';

const KEPT_HEADERS = ['content-type', 'date', 'retry-after'];
/** Its year and hour look like a phone number. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
const MAX_DEPTH = 6;
const MAX_NAMES = 50;
/** A longer name is none of the package's. */
const plain = (name: string) => name.slice(0, 100).toLowerCase().replace(/[_-]/g, '');

/** Their words are what the package reads. */
const WORD_NAMES = [...NAMES.sessionStatuses, ...NAMES.codes, 'type', 'outcome', 'result'];

/** For a bug report: neither token, secret, host, phone number nor the content of messages. */
export function reportOf(results: Result[], url: URL): string {
	const path = url.pathname === '/' ? 'no path' : 'a path';
	return `# Check of a gateway

- n8n-nodes-messaging-gateway ${version}, Node ${process.versions.node}
- Base URL: ${url.protocol}//, ${url.port ? 'a port' : 'no port'}, ${path}
- ${summaryOf(results)}

Responses show names and types. Of texts, only statuses, codes and error messages are shown, with digits and addresses masked.
${results.map(section).join('')}`.replaceAll(url.hostname, '<host>');
}

export function summaryOf(results: Result[]): string {
	const findings = results.filter((result) => 'answer' in result);
	const differing = findings.filter(({ differs }) => differs).length;
	const skipped = results.length - findings.length;
	const differ = differing === 1 ? 'differs' : 'differ';
	return `${findings.length} findings, of which ${differing} ${differ} from what the package assumes; ${skipped} not checked`;
}

export const answerOf = (result: Result): string =>
	'answer' in result ? result.answer : `Not checked: ${result.reason}.`;

function section(result: Result, index: number): string {
	return `
## ${index + 1}. ${result.question}

${answerOf(result)}
${'answer' in result ? details(result) : ''}`;
}

function details({ assumption, differs, exchanges }: Finding): string {
	return `
${differs ? '**Differs** from what' : 'As'} the package assumes: ${assumption}

\`\`\`
${exchanges.map(exchangeText).join('\n\n')}
\`\`\`
`;
}

function exchangeText({ endpoint, signing, tookMs, response, failure }: Exchange): string {
	const head = `${endpoint.method} ${endpoint.path} (${signingText(endpoint, signing)})`;
	if (!response) return `${head}\n${failure}, after ${tookMs} ms`;
	const headers = KEPT_HEADERS.filter((name) => response.headers[name] !== undefined).map(
		(name) => `\n${name}: ${headerText(response.headers[name]!)}`,
	);
	return `${head}\n${response.status}, after ${tookMs} ms${headers.join('')}\n${bodyOf(response)}`;
}

const headerText = (value: string) => (HTTP_DATE.test(value) ? value : gatewayText(value));

function signingText({ signed }: Endpoint, signing: Signing): string {
	if (typeof signing !== 'string') return `timestamp off by ${signing.offByMs / 60_000} min`;
	if (signing === 'wrong secret') return 'signed with a wrong secret';
	return signing === 'none' || signed === 'no' ? 'not signed' : 'signed';
}

function bodyOf(response: GatewayResponse): string {
	const { data, bytes, status } = response;
	if (data === undefined) return '<no body>';
	if (isWebPage(response)) return `<web page, ${bytes.length} bytes>`;
	const isError = status >= 400;
	return JSON.stringify(described(data, '', isError, 0), null, 2);
}

/** The names, and what kind of values they have. */
function described(value: unknown, name: string, isError: boolean, depth: number): unknown {
	if (depth > MAX_DEPTH) return '…';
	if (Array.isArray(value)) {
		const [first] = value as unknown[];
		const entries = `<${value.length} entries>`;
		return value.length === 0 ? [] : [described(first, name, isError, depth + 1), entries];
	}
	if (isObject(value)) {
		const entries = Object.entries(value).slice(0, MAX_NAMES);
		return Object.fromEntries(
			entries.map(([key, member]) => [
				gatewayText(key),
				described(member, plain(key), isError, depth + 1),
			]),
		);
	}
	if (typeof value === 'string') return describedText(value, name, isError);
	if (typeof value === 'number') {
		return Math.abs(value) < 1_000 ? value : `<number, ${String(value).length} digits>`;
	}
	return value;
}

function describedText(text: string, name: string, isError: boolean): string {
	if (WORD_NAMES.includes(name) && /^[a-z][a-z_-]{0,39}$/i.test(text)) return text;
	if (isError && [...NAMES.messages, ...NAMES.errors].includes(name)) return gatewayText(text);
	const kind = URL.canParse(text)
		? 'URL'
		: /^\+?\d+$/.test(text)
			? 'digits'
			: /^\d{4}-\d\d-\d\dT/.test(text)
				? 'date'
				: 'text';
	return `<${kind}, ${text.length} characters>`;
}
