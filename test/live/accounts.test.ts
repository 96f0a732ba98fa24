import { type Sandbox, startSandbox } from '../../sandbox/sandbox';
import { createWorkflow, manualTrigger, messagingGateway, startWorkflow } from './createWorkflow';
import { type Execution, waitForExecution } from './executions';
import { callN8n, type Json } from './n8n';

/** Two customers, each with an account at another gateway. */
let customers: Sandbox[];
beforeAll(async () => {
	customers = [await startSandbox(), await startSandbox()];
});
afterAll(async () => await Promise.all(customers.map(async (customer) => await customer.close())));

/** Runs the node with one item per customer, and a credential that takes its values from the item. */
async function runPerCustomer(parameters: Json, items: Json[]): Promise<Execution> {
	const { id, name } = await callN8n<{ id: string; name: string }>('POST', '/credentials', {
		name: 'Account of the item',
		type: 'messagingGatewayApi',
		data: {
			baseUrl: '={{ $json.baseUrl }}',
			gatewayToken: '={{ $json.token }}',
			gatewaySecret: '={{ $json.secret }}',
			signDeferred: true,
		},
	});
	const list = {
		id: 'list',
		name: 'List',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: JSON.stringify({ items }), options: {} },
	};
	const split = {
		id: 'split',
		name: 'Split',
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: { fieldToSplitOut: 'items', options: {} },
	};
	const node = {
		...messagingGateway(parameters),
		credentials: { messagingGatewayApi: { id, name } },
		onError: 'continueErrorOutput',
	};
	const workflow = await createWorkflow([manualTrigger, list, split, node]);
	const execution = await waitForExecution(await startWorkflow(workflow));
	// The editor would choose it for new nodes, as the newest credential.
	await callN8n('DELETE', `/credentials/${id}`);
	return execution;
}

const itemOf = ({ baseUrl, token, secret }: Sandbox, more: Json = {}): Json => ({
	baseUrl,
	token,
	secret,
	...more,
});

test('sends each message from the account of its item; a failed item keeps its input', async () => {
	for (const customer of customers) customer.setStatus('ONLINE');
	const items = [
		...customers.map((customer, index) => itemOf(customer, { text: `Message ${index}` })),
		{ ...itemOf(customers[0]!), token: 12345, text: 'a number' },
		{ text: 'nothing' },
	];
	const { outputs } = await runPerCustomer(
		{ chatId: '447700900123', text: '={{ $json.text }}' },
		items,
	);
	const [sent, failed] = outputs('Messaging Gateway');
	expect(sent!.map(({ outcome }) => outcome)).toEqual(['sent', 'sent']);
	const details = { cause: 'invalid_setup', retry: 'later' };
	expect(failed).toEqual([
		{
			...items[2],
			error: "'Token' of the credential is not text but of type number [item 2]",
			details,
		},
		{ ...items[3], error: "'Token' of the credential is empty [item 3]", details },
	]);
	customers.forEach((customer, index) => {
		expect(customer.state().delivered.map(({ text }) => text)).toEqual([`Message ${index}`]);
	});
});

test('pairs each customer with the QR code of its own account', async () => {
	for (const customer of customers) customer.setStatus('DISCONNECTED');
	const { outputs } = await runPerCustomer(
		{ resource: 'session', operation: 'pair' },
		customers.map((customer) => itemOf(customer)),
	);
	const codes = outputs('Messaging Gateway')[0]!.map(({ qr }) => qr);
	const own = await Promise.all(
		customers.map(async ({ baseUrl, token }) => {
			const response = await fetch(`${baseUrl}/api/whatsapp/${token}/qr`);
			return ((await response.json()) as { qr: string }).qr;
		}),
	);
	expect(new Set(own).size).toBe(2);
	expect(codes).toEqual(own);
});
