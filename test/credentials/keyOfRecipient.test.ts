import fc from 'fast-check';

import { depth, seedFrom } from '../harness/depth';
import { type Account, run } from '../harness/engine';
import { useGateway } from '../harness/sandboxAccount';
import { ForAnyNode, sendAsOtherNode } from './otherNode';

const gateway = useGateway();

const [ALLOWED, VICTIM] = ['4915123456789', '447700900123'];
const KEY = 'outbox request order 17';
const limited = (allowedRecipients: string): Account => ({
	...gateway.account,
	...{ sendTo: 'allowed', allowedRecipients },
});

/** sha256sum of the numbers of both. */
const DIGESTS = ['c0f8f0bebbbac96451ee8d8d', '033134b911b137918338415e'];
const prefix = fc.constantFrom(
	...Array<string>(5).fill(`to-${DIGESTS[0]}-`),
	...DIGESTS.flatMap((digest) => [`to-${digest}-`, `test-${digest}-`]),
	...['', 'to-', ' ', '\u0000'],
);
const key = fc
	.tuple(fc.array(prefix, { maxLength: 3 }), fc.constantFrom(KEY, KEY.toUpperCase(), ` ${KEY}`))
	.map(([first, own]) => first.join('') + own);
const name = fc.constantFrom(
	...['idempotencyKey', 'idempotency_key', 'idempotency\\u004bey', 'IdempotencyKey'],
);
const escaped = (json: string) =>
	json.replace(/[^"]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
/** What follows the name of the key. */
const value = fc.constantFrom<(json: string) => string>(
	...Array<(json: string) => string>(5).fill((json) => json),
	(json) => `[${json}]`,
	(json) => escaped(json),
	(json) => `${json}, "idempotencyKey": "${KEY}"`,
	(json) => `${json}, "idempotency_key": ${json}`,
);
const body = fc
	.tuple(key, name, value, fc.constantFrom(ALLOWED, `${ALLOWED}@c.us`, '+49 151 23456789'))
	.map(
		([own, nameOfKey, write, to]) =>
			`{"chatId":"${to}","type":"text","text":"Hello","${nameOfKey}":${write(JSON.stringify(own))}}`,
	);
const many = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 40, maxLength: 40 });

async function operate(operation: string, account: Account, items: Array<Record<string, string>>) {
	return await run({
		account,
		items: items.map((json) => ({ json })),
		parameters: {
			...{ resource: 'message', operation, text: 'Hello', body: '={{ $json.body }}' },
			chatId: '={{ $json.chatId }}',
			options: operation === 'send' ? { idempotencyKey: '={{ $json.key }}' } : {},
		},
		settings: { onError: 'continueErrorOutput' },
	});
}

const outcomesOf = async (account: Account, chatId: string) =>
	(await operate('send', account, [{ chatId, key: KEY }])).items.map(({ json }) => json.outcome);

// Whoever may write to one person could use the key of an order of someone else, whose message the gateway would then drop.
test('no key that a limited credential has used drops a message to someone else', async () => {
	let accepted = 0;
	const property = fc.asyncProperty(many(body), many(key), async (bodies, keys) => {
		gateway.reset();
		gateway.setStatus('ONLINE');
		const account = limited(ALLOWED);
		const url = `${gateway.baseUrl}/api/whatsapp/{token}/sendMessage`;
		const requests = bodies.map((text) => ({ method: 'POST', uri: url, body: text }));
		const credentialType = new ForAnyNode();
		const errors = await sendAsOtherNode(requests, { account, credentialType });
		const json = bodies.map((text) => ({ body: text }));
		const { items } = await operate('sendJson', account, json);
		accepted += items.length + errors.filter((error) => error === undefined).length;
		const sent = await operate(
			'send',
			account,
			keys.map((own) => ({ chatId: ALLOWED, key: own })),
		);
		expect(sent.errorItems).toEqual([]);

		const both = limited(`${ALLOWED}\n${VICTIM}`);
		expect(await outcomesOf(both, VICTIM)).toEqual(['sent']);
		expect(await outcomesOf(gateway.account, VICTIM)).toEqual(['sent']);
		// This gateway does drop what has the same key, also in another spelling of the number.
		expect(await outcomesOf(both, '+44 7700 900123')).toEqual(['duplicate']);
		expect(await outcomesOf(gateway.account, VICTIM)).toEqual(['duplicate']);
	});
	const numRuns = depth(2, 60);
	await fc.assert(property, { numRuns, seed: seedFrom('KEY_SEED'), endOnFailure: true });
	expect(accepted).toBeGreaterThan(10);
});

// sha256sum of the number of the test.
const TEST_PREFIX = 'test-37c2e62707b6bba70410ca94-';

describe.each<[string, string, () => Account]>([
	['allowed recipients', `to-${DIGESTS[0]}-`, () => limited('+49*')],
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
