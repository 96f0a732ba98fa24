import type { INodeExecutionData } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { type Account, run, type RunOptions } from '../../harness/engine';
import { OPERATIONS, quickParameters } from '../../harness/operations';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import { answeredAt, chat, receivedAt, textsDelivered } from '../../harness/messages';

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

describe('a credential with expressions', () => {
	const items = () => [item(0, first.account), item(1, second.account)];

	test.each(OPERATIONS)('$title uses the account of each item', async (operation) => {
		const parameters = quickParameters(operation) as RunOptions['parameters'];
		await run({ account: BY_ITEM, items: items(), parameters });
		for (const gateway of [first, second]) {
			expect(gateway.requests().length).toBeGreaterThan(0);
			expect(gateway.requests().map(({ status }) => status)).not.toContain(401);
		}
	});
});

test('a credential can read a secret store ($secrets), and sends nothing if a value is missing there', async () => {
	const { token, secret, baseUrl } = first.account;
	const [tokenIn, secretIn] = ['token', 'secret'].map((name) => `={{ $secrets.store.${name} }}`);
	const account = { baseUrl, token: tokenIn!, secret: secretIn! };
	const job = { account, items: [item(0, {})], parameters: message };
	const { error } = await run({ ...job, secretStore: { token } });
	expect(error?.message).toContain('Could not load secrets');
	expect(first.requests()).toEqual([]);
	await run({ ...job, secretStore: { token, secret } });
	expect(textsDelivered(first)).toEqual(['Message 0']);
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

test.each<[string, () => Account, number]>([
	['run if it has no expression', () => first.account, 1],
	['item if it has one', () => BY_ITEM, 20],
])('n8n reads the credential once per %s', async (_what, account, expected) => {
	let reads = 0;
	const counting = new Proxy(account(), {
		ownKeys(target) {
			reads += 1;
			return Reflect.ownKeys(target);
		},
	});
	const items = Array.from({ length: 20 }, (_, index) => item(index, first.account));
	await run({ account: counting, items, parameters: message });
	expect(first.state().delivered).toHaveLength(20);
	expect(reads).toBe(expected);
});
