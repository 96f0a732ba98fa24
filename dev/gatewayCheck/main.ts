import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { InvalidInput } from '../../gateway/inputValues';
import { chatId } from '../../gateway/text/chatId';
import { errorCode } from '../../gateway/responses/find';
import { connectionFailure } from '../../gateway/responses/failure';
import { parseBaseUrl } from '../../gateway/wire/baseUrl';
import { checkedSecrets } from '../../gateway/wire/signature';
import { isWebPage } from '../../gateway/wire/response';
import { isAuthorized, type Result } from './finding';
import { type Exchange, Gateway } from './gateway';
import { messageChecks } from './messages';
import { answerOf, reportOf, summaryOf } from './report';
import { checkSignature, checkStatus, lookupLimit, signedChecks } from './requests';
import { Terminal } from './terminal';

const HELP = `
  npm run check-gateway -- <base URL>   finds out what docs/gateway-api.md leaves open, on a real account

  It asks for token and secret without showing them, or reads them from the environment variables GATEWAY_TOKEN and
  GATEWAY_SECRET. It sends messages only to a number that you enter, and says before each message what it sends. It neither
  starts nor ends the session.

  --report FILE   where to write the report (default: gateway-check.md). It has neither token, secret, host nor phone numbers,
                  so that you can attach it to a bug report.
`;

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: { report: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
	});
	const [baseUrl] = positionals;
	if (values.help || baseUrl === undefined) {
		process.stdout.write(HELP);
		process.exitCode = values.help ? 0 : 1;
		return;
	}
	const url = parseBaseUrl(baseUrl);
	const terminal = new Terminal();
	const results: Result[] = [];
	try {
		await check(url, terminal, (result) => {
			results.push(result);
			const mark = 'reason' in result ? '–' : result.differs ? '≠' : '✓';
			terminal.say(`${mark} ${result.question}\n  ${answerOf(result)}\n`);
		});
	} finally {
		terminal.close();
		if (results.length > 0) {
			const file = resolve(values.report ?? 'gateway-check.md');
			writeFileSync(file, reportOf(results, url), { mode: 0o600 });
			terminal.say(`${summaryOf(results)}.\nReport: ${file}`);
		}
	}
}

async function check(url: URL, terminal: Terminal, add: (result: Result) => void): Promise<void> {
	const token = process.env.GATEWAY_TOKEN ?? (await terminal.askHidden('Token (not shown): '));
	const secret = process.env.GATEWAY_SECRET ?? (await terminal.askHidden('Secret (not shown): '));
	const gateway = new Gateway({
		baseUrl: url.href,
		...checkedSecrets({ gatewayToken: token, gatewaySecret: secret }),
	});

	const status = await checkStatus(gateway);
	stopIfUnusable(status.exchanges, url);
	const signature = await checkSignature(gateway);
	stopIfUnusable(signature.exchanges, url);
	add(status);
	add(signature);
	const { isOnline } = status;
	const sendingChecks = messageChecks(isOnline);
	const skip = (checks: Array<{ question: string }>, reason: string) =>
		checks.forEach(({ question }) => add({ question, reason }));
	if (!signature.isCredentialValid) {
		skip([...signedChecks, ...sendingChecks, lookupLimit], 'the correct signature was rejected');
		return;
	}
	for (const { question, run } of signedChecks) add({ question, ...(await run(gateway)) });

	const recipient = await askForRecipient(terminal);
	if (recipient === '') {
		skip(sendingChecks, 'you entered no number');
	} else {
		if (!isOnline) terminal.say('The session is offline, so messages are rejected or deferred.');
		const conversation = { gateway, terminal, chatId: recipient, isOnline };
		for (const { question, run } of sendingChecks) add({ question, ...(await run(conversation)) });
	}
	terminal.say('To find the rate limit, it can send up to 60 lookups, which send no message.');
	if (await terminal.confirm('Send them?')) {
		add({ question: lookupLimit.question, ...(await lookupLimit.run(gateway)) });
	} else {
		skip([lookupLimit], 'you chose not to send them');
	}
}

const TOKEN_CODES = ['invalid_token', 'token_inactive', 'token_expired', 'token_deleted'];

/** With a wrong address or token, the results would say nothing about the gateway. */
function stopIfUnusable([exchange]: Exchange[], { origin }: URL): void {
	const { response, failure } = exchange!;
	if (!response) throw new Error(`No response from ${origin} (${failure}). ${adviceFor(failure)}`);
	if (isWebPage(response)) {
		throw new Error(
			`${origin} returned a web page (${response.status}). This is not the address of a gateway. Check the base URL.`,
		);
	}
	const code = errorCode(response);
	if (!isAuthorized(exchange!) && TOKEN_CODES.includes(code)) {
		throw new Error(
			`The gateway rejected ${nameOf('Token')} (${response.status} ${code}). Copy the token from the gateway's console again, and check that the base URL is the address it belongs to.`,
		);
	}
}

function adviceFor(code = ''): string {
	const failure = connectionFailure(code);
	return failure.kind === 'notSent' && failure.cause === 'tls'
		? 'No secure connection could be established. If the gateway does not use TLS at this port, the base URL must not start with https://.'
		: 'Check the base URL for typos, and that this machine can reach the gateway.';
}

/** Asks until the answer is a recipient or empty. */
async function askForRecipient(terminal: Terminal): Promise<string> {
	return await terminal.askFor(
		'A phone number that may get test messages, with its country code (empty: none): ',
		(number) => (number === '' ? '' : recipientOf(number)),
		'This is not a number with its country code, e.g. +49 151 23456789. Try again.',
	);
}

function recipientOf(number: string): string | undefined {
	try {
		return chatId(number);
	} catch (error) {
		if (!(error instanceof InvalidInput)) throw error;
		return undefined;
	}
}

/** Where the user entered a field of the credential. */
function nameOf(field: string): string {
	if (field === 'Base URL') return 'the base URL';
	const variable = `GATEWAY_${field.toUpperCase()}`;
	const name = `the ${field.toLowerCase()}`;
	return process.env[variable] === undefined
		? `${name} that you entered`
		: `${name} in ${variable}`;
}

/** The package's texts are about fields of the credential and their expressions. */
function textOf(error: Error): string {
	if (!(error instanceof InvalidInput)) return error.message;
	const [label, field = ''] = /^'(.+)' of the credential/.exec(error.message) ?? [];
	if (label === undefined) return `${error.message}\n${error.description}`;
	const name = nameOf(field);
	const problem = error.message.slice(label.length);
	const whatToDo =
		field === 'Base URL'
			? error.description
			: "Copy it from the gateway's console, then try again.";
	return `${name[0]!.toUpperCase()}${name.slice(1)}${problem}. ${whatToDo}`;
}

main().catch((error: Error) => {
	process.stderr.write(`${textOf(error)}\n`);
	process.exitCode = 1;
});
