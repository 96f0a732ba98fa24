import { type Account, run } from '../harness/engine';
import { useGateway } from '../harness/sandboxAccount';

const gateway = useGateway();

const [ALLOWED, VICTIM] = ['4915123456789', '447700900123'];
const limited = (allowedRecipients: string): Account => ({
	...gateway.account,
	...{ sendTo: 'allowed', allowedRecipients },
});

/** sha256sum of the number. */
const PREFIX = 'to-c0f8f0bebbbac96451ee8d8d-';

async function outcomesOf(account: Account, chatId: string) {
	const { items } = await run({
		account,
		parameters: {
			...{ resource: 'message', operation: 'send', chatId, text: 'Hello' },
			options: { idempotencyKey: 'order-17' },
		},
	});
	return items.map(({ json }) => json.outcome);
}

// Whoever may write to one person could use the key of an order of someone else, whose message the gateway would then drop.
test('no key of a limited credential drops a message to someone else', async () => {
	expect(await outcomesOf(limited(ALLOWED), ALLOWED)).toEqual(['sent']);
	const both = limited(`${ALLOWED}\n${VICTIM}`);
	expect(await outcomesOf(both, VICTIM)).toEqual(['sent']);
	expect(await outcomesOf(gateway.account, VICTIM)).toEqual(['sent']);
	// This gateway does drop what has the same key, also in another spelling of the number.
	expect(await outcomesOf(both, '+44 7700 900123')).toEqual(['duplicate']);
});

// sha256sum of the number of the test.
const TEST_PREFIX = 'test-37c2e62707b6bba70410ca94-';

describe.each<[string, string, () => Account]>([
	['allowed recipients', PREFIX, () => limited('+49*')],
	[
		'a test number',
		TEST_PREFIX,
		() => ({ ...gateway.account, sendTo: 'testNumber', testRecipient: '+49 151 99999999' }),
	],
	['no limits', '', () => gateway.account],
])('with %s, the node writes the prefix before', (_, written, account) => {
	const keysOf = async (parameters: object) => {
		const binary = { data: { data: 'QUJD', mimeType: 'text/plain', fileName: 'a.txt' } };
		const { error } = await run({
			account: account(),
			items: [{ json: {}, binary }],
			parameters: { resource: 'message', chatId: '+49 151 23456789', text: 'Hello', ...parameters },
		});
		expect(error).toBeUndefined();
		return gateway.requests().map(({ bodyText }) => {
			const { idempotencyKey, idempotency_key: legacy } = JSON.parse(bodyText!) as {
				[name: string]: string;
			};
			return idempotencyKey ?? legacy;
		});
	};
	const send = { operation: 'send' };
	const media = { operation: 'sendMedia', mediaType: 'file' };
	const keyed = { idempotencyKey: 'order-1' };
	const parts = { ...send, text: `${'a'.repeat(60)} ${'b'.repeat(60)}` };

	test.each<[string, object, string[]]>([
		['a key of yours', { ...send, options: keyed }, ['order-1']],
		['a legacy key', { ...send, options: { ...keyed, fieldNames: 'legacy' } }, ['order-1']],
		['the key of a file', { ...media, options: keyed }, ['order-1']],
		[
			'a key in Additional Fields',
			{ ...media, options: { additionalFields: '{"idempotency_key":"order-1"}' } },
			['order-1'],
		],
		[
			'the keys of parts',
			{ ...parts, options: { ...keyed, splitLongText: 100 } },
			['order-1-part-1', 'order-1-part-2'],
		],
	])('%s', async (_what, parameters, keys) => {
		expect(await keysOf(parameters)).toEqual(keys.map((one) => written + one));
	});

	test.each([send, media])('an automatic key: %j', async (parameters) => {
		const [sent] = await keysOf({ ...parameters, options: { idempotencyKey: 'automatic' } });
		expect(sent!.slice(0, written.length)).toBe(written);
		expect(sent!.slice(written.length)).toMatch(/^n8n-[0-9a-f]{40}$/);
	});
});

// As docs/guardrails.md says.
test('an expression can compute the prefix for Send Custom JSON', async () => {
	const key = "'to-' + $json.identity.hash('sha256').slice(0, 24) + '-order 17'";
	const fields = `chatId: $json.identity, type: 'text', text: 'Hello', idempotencyKey: ${key}`;
	const { items } = await run({
		account: limited('+49*\n120363012345678901@g.us'),
		items: [ALLOWED, '120363012345678901@g.us'].map((identity) => ({ json: { identity } })),
		parameters: {
			...{ resource: 'message', operation: 'sendJson' },
			body: `={{ JSON.stringify({ ${fields} }) }}`,
		},
	});
	expect(items.map(({ json }) => json.outcome)).toEqual(['sent', 'sent']);
});

test('Check allows what Send sends, and outputs the key as you wrote it', async () => {
	const { items } = await run({
		account: limited(ALLOWED),
		parameters: {
			...{ resource: 'message', operation: 'check', text: 'Hello', chatId: ALLOWED },
			options: { idempotencyKey: 'order-1' },
		},
	});
	expect(items[0]!.json).toMatchObject({ allowed: true, idempotencyKey: 'order-1' });
});
