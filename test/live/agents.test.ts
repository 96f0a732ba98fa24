/** Models that call the node without a workflow: n8n Agents, and the Assistant, which runs a single node. */
import type { Turn } from '../../dev/sandbox/model/completion';
import { startScriptedModel } from './examples/scriptedModel';
import { live } from './live';
import { callN8n, createCredential, type Json, waitFor } from './n8n';
import { useEmptyN8n } from './ownN8n';
import { sandbox, useSandbox } from './sandbox';

const FRIEND = '447700900123';
const LIMIT_REACHED =
	/Not sent: (this chat has 0 of 5|the account has 0 of 20) messages left, and the call needs 1\. Wait ten minutes/;
const TOO_SLOW =
	/Nothing was sent: at their pace, 30 messages take about 8\d seconds, and n8n ends this execution in \d\d seconds/;
const DUPLICATE = /"outcome\W+duplicate/;
const turns: Turn[] = [];
let model: Awaited<ReturnType<typeof startScriptedModel>>;

beforeAll(async () => {
	model = await startScriptedModel(turns);
});
afterAll(() => model.close());

const { restart } = useEmptyN8n(() => ({
	// Without instance-ai, which is the Assistant.
	N8N_DISABLED_MODULES: 'mcp-registry',
	N8N_INSTANCE_AI_MODEL: 'openai/scripted',
	N8N_INSTANCE_AI_MODEL_URL: model.credential.url,
	N8N_INSTANCE_AI_MODEL_API_KEY: model.credential.apiKey,
	// Keeps n8n from downloading a list of models and prices.
	...{ NODE_USE_ENV_PROXY: '1', https_proxy: 'http://127.0.0.1:9' },
	no_proxy: '127.0.0.1,localhost',
}));
useSandbox();

const delivered = async () => (await sandbox.state()).delivered;
const projectId = async () => (await callN8n<{ id: string }>('GET', '/projects/personal')).id;

/** The node limits each account. It takes the same gateway under another name for another account. */
const otherAccount = async () =>
	await createCredential({ baseUrl: live.account.baseUrl.replace('127.0.0.1', 'localhost') });

describe('n8n Agents', () => {
	/** Creates an agent with Send as a tool. The returned function has its model make these calls in one step, and returns what it is told. */
	async function agentWith(messagingGatewayApi: Json) {
		const { id: credential } = await createCredential(model.credential, 'openAiApi');
		const fromModel = (name: string) => `={{ $fromAI('${name}') }}`;
		const node = {
			nodeType: 'n8n-nodes-messaging-gateway.messagingGatewayTool',
			nodeTypeVersion: 1,
			nodeParameters: { chatId: fromModel('chatId'), text: fromModel('text') },
			credentials: { messagingGatewayApi },
		};
		const schema = {
			...{ name: 'Agent', model: 'openai/scripted', credential, instructions: 'Send messages.' },
			tools: [{ type: 'node', name: 'Send', node }],
			config: { toolCallConcurrency: 10 },
		};
		const agents = `/projects/${await projectId()}/agents/v2`;
		const { id } = await callN8n<{ id: string }>('POST', agents, { name: 'Agent', schema });
		return async (messages: Array<{ chatId: string; text: string }>) => {
			turns.push(
				messages.map((args) => ({ tool: 'Send', args })),
				'Done.',
			);
			const response = await fetch(`${live.urls.n8n}/rest${agents}/${id}/chat`, {
				method: 'POST',
				headers: { 'content-type': 'application/json', cookie: live.cookie },
				body: JSON.stringify({ message: 'Send them.' }),
			});
			// The stream of what the agent does ends with it.
			expect(await response.text()).toContain('"type":"done"');
			return model.toolResults();
		};
	}

	test('of 40 different messages, 5 reach a chat and 20 leave the account, and the model is told why', async () => {
		const send = await agentWith(await createCredential());
		const chats = [
			...Array<string>(10).fill(FRIEND),
			...Array.from({ length: 30 }, (_, at) => `4477009002${at + 10}`),
		];
		const results = await send(chats.map((chatId, at) => ({ chatId, text: `Text ${at}` })));
		const arrived = await delivered();
		expect(arrived).toHaveLength(20);
		expect(arrived.filter(({ chatId }) => chatId === FRIEND)).toHaveLength(5);
		const refused = results.filter((result) => !result.includes('"outcome":"sent"'));
		expect(refused).toHaveLength(20);
		for (const result of refused) expect(result).toMatch(LIMIT_REACHED);
	});

	test('the same message is sent once, also after a restart of n8n', async () => {
		const send = await agentWith(await otherAccount());
		const message = { chatId: FRIEND, text: 'Your table is booked' };
		const both = await send([message, message]);
		expect(both.filter((result) => DUPLICATE.test(result))).toHaveLength(1);
		await restart();
		expect(await send([message])).toEqual([expect.stringMatching(DUPLICATE)]);
		expect(await delivered()).toMatchObject([message]);
	});
});

describe('the Assistant', () => {
	beforeAll(async () => {
		const permissions = { executeNode: 'always_allow' };
		await callN8n('PUT', '/instance-ai/settings', { permissions });
	});

	/** Has the Assistant run Send with these parameters and input items. Returns what its model reads. */
	async function execute(parameters: Json, input: Json[]) {
		const messagingGatewayApi = await createCredential();
		const args = {
			...{ action: 'execute', type: 'n8n-nodes-messaging-gateway.messagingGateway', version: 1 },
			config: { parameters, credentials: { messagingGatewayApi } },
			...{ input, timeoutMs: 30_000 },
		};
		const first = turns.push({ tool: 'nodes', args }, 'Done.');
		const threadId = crypto.randomUUID();
		const thread = { projectId: await projectId(), threadId, source: 'assistant_page' };
		await callN8n('POST', '/instance-ai/threads', thread);
		const chat = { message: 'Send them.', timeZone: 'UTC' };
		await callN8n('POST', `/instance-ai/chat/${threadId}`, chat);
		await waitFor('the Assistant', async () => model.requests.length === first || undefined);
		return model.toolResults();
	}

	test('a run of 90 seconds, which n8n cancels after 30, sends nothing and says why', async () => {
		const options = { pace: { values: { messagesPerMinute: 20 } } };
		const fields = { chatId: '={{ $json.to }}', text: 'Hello', options };
		const input = Array.from({ length: 30 }, (_, at) => ({ json: { to: `4477009001${at + 10}` } }));
		const [result] = await execute(fields, input);
		expect(await delivered()).toEqual([]);
		expect(result).toMatch(TOO_SLOW);
	});
});
