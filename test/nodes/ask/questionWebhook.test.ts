import { linkHint } from '../../../nodes/MessagingGateway/ask/questionWebhook';
import type { Outcome } from '../../harness/engine';
import { useGateway } from '../../harness/sandboxAccount';
import { ask as askIn } from './ask';

const gateway = useGateway();

const ask = async (parameters: object = {}) => await askIn(gateway, parameters);

type Asked = Awaited<ReturnType<typeof askIn>>;

/** Opens and answers the question with a link that may do neither. */
async function expectRefused({ get, post }: Asked, link: string, status: number) {
	for (const page of [await get(link), await post(link, { approved: 'true' })]) {
		expect([page.status, page.resumed]).toEqual([status, undefined]);
		expect(page.html).not.toContain('May we?');
	}
}

// n8n checks only the token in front of the slash, and `$execution.resumeUrl` contains it.
test.each([
	['the resume token and the node', [`${'a'.repeat(64)}/gateway`], 403],
	['two signatures', ['a'.repeat(64), 'b'.repeat(64)], 403],
	['uppercase letters', ['A'.repeat(64)], 403],
	['the signature of another question', ['a'.repeat(64)], 410],
])('a link with %s shows and answers nothing', async (_, signatures, status) => {
	const asked = await ask();
	const other = new URL(asked.link);
	other.searchParams.delete('signature');
	for (const signature of signatures) other.searchParams.append('signature', signature);
	await expectRefused(asked, other.href, status);
});

const contextOf = ({ run }: Outcome) =>
	run.data.executionData!.contextData['node:Messaging Gateway'] as { question: string };

// n8n shows the context of a node also to those who may not see the data of the execution.
test('n8n stores the question so that only its link opens it, each time with other bytes', async () => {
	const { outcome } = await ask();
	const context = JSON.stringify(outcome.run.data.executionData!.contextData);
	const decoded = Buffer.from(contextOf(outcome).question, 'base64').toString('latin1');
	for (const text of ['May we?', '4915123456789']) expect(context + decoded).not.toContain(text);
	expect(contextOf((await ask()).outcome)).not.toEqual(contextOf(outcome));
});

// Another version of the node may have stored something else, or another question of the same node.
test.each<[string, (sealed: Buffer) => string]>([
	['an object', () => '{"question":{"text":"May we?"}}'],
	['less than it needs', (sealed) => sealed.subarray(0, 10).toString('base64')],
	['other bytes', (sealed) => Buffer.from(sealed.map((byte) => byte ^ 1)).toString('base64')],
])('if n8n stores %s, the question is closed', async (_name, changed) => {
	const asked = await ask();
	const context = contextOf(asked.outcome);
	context.question = changed(Buffer.from(context.question, 'base64'));
	await expectRefused(asked, asked.link, 410);
});

test.each([
	['http://[::1]:5678', /this machine/],
	['http://192.168.0.2:5678', /^undefined$/],
	['https://localhost.example.com', /^undefined$/],
])('the hint for a link to %s is %s', (link, hint) => {
	expect(String(linkHint(link))).toMatch(hint);
});
