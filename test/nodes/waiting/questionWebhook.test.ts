import { linkHint } from '../../../nodes/MessagingGateway/waiting/questionWebhook';
import type { Outcome } from '../../harness/engine';
import { useGateway } from '../../harness/sandboxAccount';
import { ask as askIn, form } from './ask';

const gateway = useGateway();

let later = 0;
beforeEach(() => {
	const now = Date.now.bind(Date);
	later = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => now() + later);
});
afterEach(() => jest.restoreAllMocks());

const ask = async (parameters: object = {}) => await askIn(gateway, parameters);

// n8n checks only the token in front of the slash, and `$execution.resumeUrl` contains it.
test.each([
	['the resume token and the node', [`${'a'.repeat(64)}/gateway`]],
	['two signatures', ['a'.repeat(64), 'b'.repeat(64)]],
	['uppercase letters', ['A'.repeat(64)]],
])('a link with %s instead of its signature shows and answers nothing', async (_, signatures) => {
	const { get, post, link } = await ask();
	const other = new URL(link);
	other.searchParams.delete('signature');
	for (const signature of signatures) other.searchParams.append('signature', signature);
	for (const page of [await get(other.href), await post(other.href, { approved: 'true' })]) {
		expect([page.status, page.resumed]).toEqual([403, undefined]);
		expect(page.html).not.toContain('May we?');
	}
});

describe('n8n stores the question', () => {
	const contextOf = ({ run }: Outcome) =>
		run.data.executionData!.contextData['node:Messaging Gateway'] as { question: string };

	// n8n shows the context of a node also to those who may not see the data of the execution.
	test('so that only its link opens it, each time with other bytes', async () => {
		const { outcome, get, post, link } = await ask();
		const context = JSON.stringify(outcome.run.data.executionData!.contextData);
		const decoded = Buffer.from(contextOf(outcome).question, 'base64').toString('latin1');
		for (const text of ['May we?', '4915123456789']) expect(context + decoded).not.toContain(text);
		expect(contextOf((await ask()).outcome)).not.toEqual(contextOf(outcome));
		const other = new URL(link);
		other.searchParams.set('signature', 'a'.repeat(64));
		for (const page of [await get(other.href), await post(other.href, { approved: 'true' })]) {
			expect([page.status, page.resumed]).toEqual([410, undefined]);
		}
	});

	// Another version of the node may have stored something else, or another question of the same node.
	test.each<[string, (sealed: Buffer) => string]>([
		['an object', () => '{"question":{"text":"May we?"}}'],
		['less than it needs', (sealed) => sealed.subarray(0, 20).toString('base64')],
		['other bytes', (sealed) => Buffer.from(sealed.map((byte) => byte ^ 1)).toString('base64')],
	])('and if it is %s, the question is closed', async (_name, changed) => {
		const { outcome, get, post, link } = await ask();
		const context = contextOf(outcome);
		context.question = changed(Buffer.from(context.question, 'base64'));
		for (const page of [await get(link), await post(link, { approved: 'true' })]) {
			expect([page.status, page.resumed]).toEqual([410, undefined]);
			expect(page.html).not.toContain('May we?');
		}
	});
});

const all = form(
	{ fieldLabel: 'Name', fieldType: 'text', requiredField: true },
	{ fieldLabel: 'Note', fieldType: 'textarea' },
);

test('does not repeat an answer that is too long', async () => {
	const { post, link } = await ask(all);
	const { status, html, resumed } = await post(link, { 'field-1': 'x'.repeat(100_001) });
	expect([status, resumed]).toEqual([413, undefined]);
	expect(html).toContain('100,000 characters');
	expect(html.length).toBeLessThan(10_000);
});

test('shows ten rejected answers a minute again, from the first one on, and still takes a valid one', async () => {
	const { post, link } = await ask(all);
	const reject = async () => (await post(link, { data: { 'field-1': 'My note' } })).status;
	const statuses: number[] = [];
	// The last two are a minute after the first.
	for (const pause of [0, ...Array<number>(10).fill(5_900), 1_001, 0]) {
		later += pause;
		statuses.push(await reject());
	}
	expect(statuses).toEqual([...Array<number>(10).fill(422), 429, 422, 422]);
	for (let times = 0; times < 9; times++) await reject();
	expect(await reject()).toBe(429);
	const { resumed } = await post(link, { data: { 'field-0': 'Ada' } });
	expect(resumed).toBeDefined();
});

test.each([
	['http://[::1]:5678', /this machine/],
	['http://127.0.0.1', /this machine/],
	['http://n8n:5678', /same network/],
	['http://n8n.local', /same network/],
	['http://172.20.0.2:5678', /same network/],
	['http://100.101.102.103', /same network/],
	['http://172.32.0.1', /^undefined$/],
	['http://100.128.0.1', /^undefined$/],
	['https://localhost.example.com', /^undefined$/],
])('the hint for a link to %s is %s', (link, hint) => {
	expect(String(linkHint(link))).toMatch(hint);
});
