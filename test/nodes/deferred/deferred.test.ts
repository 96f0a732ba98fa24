import { LoadOptionsContext } from 'n8n-core';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { additionalData, run, type RunOptions, workflowOf } from '../../harness/engine';
import { deliveryWindow, jsonBody, runner, sending } from '../../harness/messages';
import { useGateway } from '../../harness/sandboxAccount';

const gateway = useGateway();

const deferred = async (operation: string, parameters = {}, more: Partial<RunOptions> = {}) =>
	await runner(gateway, { resource: 'deferred', operation })(parameters, more);

/** Defers messages while the phone is offline; returns their keys. */
async function defer(...texts: string[]): Promise<unknown[]> {
	gateway.setStatus('DISCONNECTED');
	const items = texts.map((text) => ({ json: { to: '4915123456789', text } }));
	const outcome = await run(sending(gateway, { items, options: deliveryWindow(60) }));
	gateway.clearRequests();
	return outcome.items.map(({ json }) => json.deliveryKey);
}

test('whoever reads the texts of deferred questions cannot answer them', async () => {
	const link = 'https://n8n.example/webhook-waiting/12/gateway?signature=';
	const [deliveryKey] = await defer(`May I send this?\n\n${link}${'0f'.repeat(32)}`);
	for (const outcome of [await deferred('getAll'), await deferred('get', { deliveryKey })]) {
		expect(outcome.items).toHaveLength(1);
		const text = JSON.stringify(outcome.items);
		expect(text).toContain(`${link}***`);
		expect(text).not.toContain('0f0f');
	}
});

test('Limit and Return All determine how many are returned', async () => {
	const waiting = Array.from({ length: 60 }, (_, deliveryKey) => ({ deliveryKey }));
	gateway.answerWith(jsonBody({ deferred: waiting }));
	expect((await deferred('getAll')).items).toHaveLength(50);
	expect((await deferred('getAll', { limit: 3 })).items).toHaveLength(3);
	expect((await deferred('getAll', { returnAll: true })).items).toHaveLength(60);
});

// test/gateway/responses/deliveries.test.ts has the forms of lists and deliveries.
test('Get Many returns no items if none is waiting, and fails if there is no list', async () => {
	expect(await deferred('getAll')).toMatchObject({ items: [], error: undefined });
	gateway.answerWith(jsonBody({ messages: ['The gateway restarts'] }));
	const { items, error } = await deferred('getAll');
	expect(items).toEqual([]);
	expect(error?.message).toMatch(/^The response .* contains no list of deferred deliveries/);
});

test('keeps all digits of a numeric key, from Get Many to Delete', async () => {
	const text = '{"deferred":[{"deliveryKey":9007199254740993,"attempts":2}]}';
	gateway.answerWith(jsonBody(text));
	const { items } = await deferred('getAll');
	expect(items[0]?.json).toEqual({ deliveryKey: '9007199254740993', attempts: 2 });
	gateway.clearRequests();
	await deferred('delete', { deliveryKey: '={{ $json.deliveryKey }}' }, { items });
	expect(gateway.theRequest().url).toMatch(/\/9007199254740993$/);
});

test('adds query parameters', async () => {
	// n8n drops names that every JavaScript object has.
	const entered = { state: 'waiting now', tag: 'a&b', '': '', constructor: 'p' };
	const parameters = Object.entries(entered).map(([name, value]) => ({ name, value }));
	parameters.push({ name: 'tag', value: 'c' });
	await deferred('getAll', { queryParameters: { parameters } });
	expect(gateway.theRequest().url).toBe(
		`/api/whatsapp/${gateway.token}/deferred?state=waiting%20now&tag=a%26b&tag=c`,
	);
});

test('deletes a delivery and then no longer finds it', async () => {
	const [deliveryKey] = await defer('one');
	const { items } = await deferred('delete', { deliveryKey });
	expect(items).toEqual([{ json: { deleted: true }, pairedItem: { item: 0 } }]);
	expect(gateway.state().deferred).toEqual([]);
	const { error } = await deferred('get', { deliveryKey });
	expect(error?.message).toBe('There is no deferred delivery with this key (404) [item 0]');
});

test('Get takes a delivery out of its envelope, and fails if there is none', async () => {
	const delivery = { deliveryKey: 'a', attempts: 2, error: 'offline' };
	gateway.answerWith(jsonBody({ success: true, data: delivery }), { times: 1 });
	const { items } = await deferred('get', { deliveryKey: 'a' });
	expect(items[0]?.json).toEqual({ deliveryKey: 'a', attempts: 2, gatewayError: 'offline' });
	gateway.answerWith(jsonBody({ data: null }));
	const { error } = await deferred('get', { deliveryKey: 'a' });
	expect(error?.message).toBe('The response of the gateway contains no deferred delivery [item 0]');
	expect(error?.description).toContain('Deferred Delivery > Get Many lists the current ones.');
});

const NOT_A_KEY = 'not the key of a delivery';
test.each<[unknown, string]>([
	[' ', 'empty'],
	[null, 'empty'],
	[{ __rl: true, mode: 'list', value: '={{ "" }}' }, 'empty'],
	['a/%2e%2e/x', NOT_A_KEY],
	['={{ "\\ud800" }}', NOT_A_KEY],
	[2 ** 53, 'not text but not an exact number'],
])('the key %j is rejected before a request', async (deliveryKey, reason) => {
	const { error } = await deferred('delete', { deliveryKey });
	expect(error?.message).toContain(`'Delivery Key' is ${reason}`);
	expect(gateway.requests()).toEqual([]);
});

test('with Sign Deferred Requests off, sends no signature', async () => {
	await deferred('getAll', {}, { account: { ...gateway.account, signDeferred: false } });
	const { headers, status } = gateway.theRequest();
	expect(status).toBe(200);
	expect(Object.keys(headers).filter((name) => name.startsWith('x-api'))).toEqual([]);
});

describe('Delivery Key', () => {
	const chosen = (mode: string, value: unknown) => ({
		deliveryKey: { __rl: true, mode, value, cachedResultName: '4915123456789' },
	});

	test.each([
		['chosen from the list', (key: unknown) => chosen('list', key)],
		['an expression by key', () => chosen('id', '={{ $json.key }}')],
		['plain text, as saved before there was a list', (deliveryKey: unknown) => ({ deliveryKey })],
		['an expression for the whole field', () => ({ deliveryKey: '={{ $json.key }}' })],
	])('can be %s', async (_, parameters) => {
		const [key] = await defer('one', 'two');
		const items = [{ json: { key } }] as INodeExecutionData[];
		const { items: found } = await deferred('get', parameters(key), { items });
		expect(found).toMatchObject([{ json: { deliveryKey: key, text: 'one' } }]);
		const asTool = await deferred('delete', parameters(key), { items, asTool: true });
		expect(asTool.items).toMatchObject([{ json: { deleted: true } }]);
	});

	test('that is left empty is an issue before the run', async () => {
		await expect(deferred('get', chosen('list', ''))).rejects.toThrow("'Delivery Key' is empty");
	});

	/** Calls the method of the list as n8n's editor does. */
	const search = async (filter?: string, more: INodeParameters = {}) => {
		const parameters = { resource: 'deferred', operation: 'get', ...more };
		const options = { account: gateway.account, parameters } as RunOptions;
		const workflow = workflowOf(options);
		const node = workflow.getNode('Messaging Gateway')!;
		const additional = { ...additionalData(options), currentNodeParameters: parameters };
		const context = new LoadOptionsContext(workflow, node, additional, 'parameters.deliveryKey');
		return await new MessagingGateway().methods.listSearch.searchDeliveries.call(context, filter);
	};

	test('the list has recipient, kind, time and text, and can be searched by them and the key', async () => {
		const keys = await defer('one', 'two');
		const { results } = await search();
		expect(results.map(({ value }) => value)).toEqual(keys);
		const NAME = /^4915123456789 · text · \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC · (.*)$/;
		expect(results.map(({ name }) => NAME.exec(name)?.[1])).toEqual(['one', 'two']);
		expect((await search(String(keys[1]).toUpperCase())).results).toEqual([results[1]]);
		expect((await search('TEXT')).results).toHaveLength(2);
		expect((await search('none')).results).toEqual([]);
	});

	test('the list shows no name as a gateway wrote it', async () => {
		const deliveries = [{ deliveryKey: 'a', chatId: '4915\u202e1', type: 'te\x1b]0;x\x07xt' }];
		gateway.answerWith(jsonBody({ deliveries }));
		expect((await search()).results).toEqual([{ name: '4915 1 · te ]0;x xt', value: 'a' }]);
	});

	test('a list that cannot be read, and a rejected request, say what to do', async () => {
		gateway.answerWith(jsonBody({ hello: 1 }));
		await expect(search()).rejects.toThrow('no list of deferred deliveries');
		gateway.faults([{ status: 401, code: 'invalid_token' }]);
		await expect(search()).rejects.toThrow('The gateway does not know the token');
		gateway.clearRequests();
		const requestOptions = { proxy: 'no address' };
		await expect(search('', { requestOptions })).rejects.toThrow("'Proxy' under Request Options");
		expect(gateway.requests()).toEqual([]);
	});
});

test('Get Many returns the lists of many items, each as long as a list can be', async () => {
	const keys = Array.from({ length: 10_000 }, (_, index) => `key-${index}`);
	gateway.answerWith(jsonBody({ deferred: keys }));
	const items = Array.from({ length: 20 }, () => ({ json: {} }));
	const { items: output, error } = await run({
		account: gateway.account,
		parameters: { resource: 'deferred', operation: 'getAll', returnAll: true },
		items,
	});
	expect(error).toBeUndefined();
	expect(output).toHaveLength(200_000);
});
