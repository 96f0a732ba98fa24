import type { INodeExecutionData } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { type Account, run, type RunOptions } from '../../harness/engine';
import { OPERATIONS, quickParameters } from '../../harness/operations';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import { answeredAt, chat, receivedAt } from '../../harness/messages';

useVirtualTime();
const [first, second] = [useNewGateways(), useNewGateways()];

/** Each item brings its own account. */
const BY_ITEM: Account = {
	baseUrl: '={{ $json.baseUrl }}',
	token: '={{ $json.token }}',
	secret: '={{ $json.secret }}',
};

const item = (index: number, account: object): INodeExecutionData => ({
	json: { ...account, to: chat(index), text: `Message ${index}` },
	binary: { data: { mimeType: 'text/plain', fileName: 'a.txt', data: 'aGk=' } },
});

const message = {
	resource: 'message',
	operation: 'send',
	chatId: '={{ $json.to }}',
	text: '={{ $json.text }}',
};

test.each(OPERATIONS)('$title uses the account of each item', async (operation) => {
	const parameters = quickParameters(operation) as RunOptions['parameters'];
	const items = [item(0, first.account), item(1, second.account)];
	await run({ account: BY_ITEM, items, parameters });
	for (const gateway of [first, second]) {
		expect(gateway.requests().length).toBeGreaterThan(0);
		expect(gateway.requests().map(({ status }) => status)).not.toContain(401);
	}
});

test('a credential that n8n cannot read sends every item to the error output', async () => {
	/** E.g. because it was deleted. */
	class Unreadable extends MessagingGatewayApi {
		get unreadable() {
			return true;
		}
	}
	const account = new Proxy(first.account, {
		ownKeys() {
			throw new Error('Credential with ID "1" does not exist');
		},
	});
	for (const { parameters } of OPERATIONS) {
		const { items, errorItems } = await run({
			account,
			credentialType: new Unreadable(),
			items: [item(0, {}), item(1, {})],
			parameters,
			settings: { onError: 'continueErrorOutput' },
		});
		expect(items).toEqual([]);
		expect(errorItems).toHaveLength(2);
		expect(errorItems[0]!.json.error).toMatch(/^Credential with ID "1" does not exist/);
	}
});

test('queues, rate and limits go by account', async () => {
	first.faults([{ status: 429, retryAfter: '0.5', times: 1 }]);
	const items = [item(0, first.account), item(0, second.account), item(0, first.account)];
	const { error } = await run({ account: BY_ITEM, items, parameters: message });
	expect(error).toBeUndefined();
	// The second account does not wait for the pause of the first one.
	const [held, next] = first.requests();
	expect(receivedAt(next) - answeredAt(held)).toBe(500);
	expect(receivedAt(second.requests()[0])).toBe(answeredAt(held));
	expect(first.state().delivered).toHaveLength(2);
});

test('n8n reads a credential without expressions once per run', async () => {
	const ownKeys = jest.fn((target: Account) => Reflect.ownKeys(target));
	const account = new Proxy<Account>(first.account, { ownKeys });
	const items = [0, 1, 2].map((index) => item(index, first.account));
	await run({ account, items, parameters: message });
	expect(first.state().delivered).toHaveLength(3);
	expect(ownKeys).toHaveBeenCalledTimes(1);
});
