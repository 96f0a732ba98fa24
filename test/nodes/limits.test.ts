import { run } from '../harness/engine';
import { ITEM } from '../harness/operations';
import { useNewGateways } from '../harness/sandboxAccount';

const gateway = useNewGateways();

const LIMIT = 4_096;
const chatId = '4915123456789';

const list = { resource: 'deferred', operation: 'getAll' };
const query = (value: string) => ({ parameters: [{ name: 'filter', value }] });

/** Each field with the parameters around it. */
test.each<[label: string, parametersWith: (value: string) => object, limit?: number]>([
	['Chat ID', (value) => ({ operation: 'send', chatId: value, text: 'x' })],
	['Text', (text) => ({ operation: 'send', chatId, text }), 1_000_000],
	['Invite Code', (inviteCode) => ({ operation: 'inviteInfo', inviteCode })],
	['Caption', (caption) => ({ operation: 'sendMedia', chatId, caption }), 1_000_000],
	['Value of a query parameter', (value) => ({ ...list, queryParameters: query(value) })],
])('%s accepts its limit, and nothing longer', async (label, parametersWith, limit = LIMIT) => {
	const shared = { resource: 'message', timeout: 1, pollInterval: 0.5 };
	const outcomeOf = async (length: number) => {
		const parameters = { ...shared, ...parametersWith('A'.repeat(length)) };
		return await run({ account: gateway.account, parameters, items: [ITEM] });
	};
	const { error } = await outcomeOf(limit + 1);
	expect(error?.message).toBe(`'${label}' is longer than ${limit} characters [item 0]`);
	expect(gateway.requests()).toEqual([]);
	// It depends on the value what happens then.
	expect((await outcomeOf(limit)).error?.message ?? '').not.toContain('longer');
});

test.each([
	['Base URL', { baseUrl: `http://localhost/${'/'.repeat(40_000)}` }],
	['Token', { token: 'A'.repeat(LIMIT + 1) }],
	['Secret', { secret: 'A'.repeat(LIMIT + 1) }],
])('%s of the credential has a limit', async (label, changed) => {
	const { error } = await run({
		account: { ...gateway.account, ...changed },
		parameters: { resource: 'session', operation: 'ping' },
	});
	expect(error?.message).toBe(
		`'${label}' of the credential is longer than ${LIMIT} characters [item 0]`,
	);
});
