import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { InvalidInput } from '../gateway/invalidInput';
import { chatId } from '../gateway/text/chatId';
import { parseBaseUrl } from '../gateway/wire/baseUrl';
import { checkedSecrets } from '../gateway/wire/credentials';
import type { Finding } from './finding';
import { Gateway } from './gateway';
import * as messages from './messages';
import { reportOf } from './report';
import * as requests from './requests';
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
	const findings: Finding[] = [];
	try {
		await check(url, terminal, (finding) => {
			findings.push(finding);
			const mark = finding.differs ? '≠' : '✓';
			terminal.say(`${mark} ${finding.question}\n  ${finding.answer}\n`);
		});
	} finally {
		terminal.close();
		if (findings.length > 0) {
			const file = resolve(values.report ?? 'gateway-check.md');
			writeFileSync(file, reportOf(findings, url), { mode: 0o600 });
			const differing = findings.filter(({ differs }) => differs).length;
			terminal.say(
				`${findings.length} findings, ${differing} of them (≠) differ from what the package assumes.\nReport: ${file}`,
			);
		}
	}
}

async function check(url: URL, terminal: Terminal, add: (finding: Finding) => void): Promise<void> {
	const token = process.env.GATEWAY_TOKEN ?? (await terminal.askHidden('Token (not shown): '));
	const secret = process.env.GATEWAY_SECRET ?? (await terminal.askHidden('Secret (not shown): '));
	const gateway = new Gateway({ baseUrl: url.href, ...checkedSecrets({ token, secret }) });

	const status = await requests.checkStatus(gateway);
	add(status);
	if (!status.isGateway)
		throw new Error('This is not the address of a gateway. Check the base URL.');
	const signature = await requests.checkSignature(gateway);
	add(signature);
	if (!signature.isCredentialValid) return;
	add(await requests.checkTimestamps(gateway));
	add(await requests.checkDeferredSignature(gateway));
	add(await requests.checkDeferredList(gateway));
	add(await requests.checkUnknownDelivery(gateway));

	const recipient = await askForRecipient(terminal);
	if (recipient !== undefined) {
		const { isOnline } = status;
		if (!isOnline) terminal.say('The session is offline, so messages are rejected or deferred.');
		await checkMessages({ gateway, terminal, chatId: recipient, isOnline }, add);
	}
	terminal.say('To find the rate limit, it can send up to 60 lookups, which send no message.');
	if (await terminal.confirm('Send them?')) add(await requests.checkLookupLimit(gateway));
}

/** Asks until the answer is a recipient or empty. */
async function askForRecipient(terminal: Terminal): Promise<string | undefined> {
	for (;;) {
		const number = await terminal.ask(
			'A phone number that may get test messages, with its country code (empty: none): ',
		);
		if (number === '') return undefined;
		try {
			return chatId(number);
		} catch (error) {
			if (!(error instanceof InvalidInput)) throw error;
			terminal.say('This is not a number with its country code, e.g. +49 151 23456789. Try again.');
		}
	}
}

async function checkMessages(
	conversation: messages.Conversation,
	add: (finding: Finding) => void,
): Promise<void> {
	const online = [messages.checkIdempotency, messages.checkMessageLimit];
	const steps = [
		messages.checkMessage,
		messages.checkDeliveryWindow,
		...(conversation.isOnline ? online : []),
	];
	for (const step of steps) {
		const finding = await step(conversation);
		if (finding) add(finding);
	}
}

main().catch((error: Error) => {
	const hint = error instanceof InvalidInput ? `\n${error.description}` : '';
	process.stderr.write(`${error.message}${hint}\n`);
	process.exitCode = 1;
});
