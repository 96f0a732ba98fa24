import fc from 'fast-check';

import { depth, seedFrom } from '../harness/depth';
import { type Account, run } from '../harness/engine';
import { useGateway } from '../harness/sandboxAccount';
import { namesOf } from '../../gateway/wire/guard';

const gateway = useGateway();
const seed = seedFrom('NAMES_SEED');

const PEOPLE: Record<string, string> = {
	'Ada Lovelace': '+49 (151) 234-56789',
	'Grace Hopper (Team 2)': '+52 1 55 1234 5678',
	'Алан Тьюринг': '0044 7700 900123',
	Ärzte: '120363012345678901@g.us',
};
const UNNAMED = '+44 7700 900999';
const LIST = Object.entries(PEOPLE)
	.map(([name, to]) => ` ${name}=${to}`)
	.concat(UNNAMED, '+43*')
	.join('\n');
const account = (more: Partial<Account> = {}): Account => ({
	...gateway.account,
	...{ sendTo: 'allowed', allowedRecipients: LIST, testRecipient: '+44 7700 900555', ...more },
});

/** The last digits of everyone, which no spelling lacks. */
const DIGITS = [...Object.values(PEOPLE), UNNAMED, '900555'].map((to) =>
	to.replace(/\D/g, '').slice(-6),
);
const withoutDigits = (stored: string) => {
	const text = stored.replace(/[\s().+\\-]/g, '');
	expect(DIGITS.filter((each) => text.includes(each))).toEqual([]);
};

const name = fc.constantFrom(...Object.keys(PEOPLE));
const spelledName = fc
	.tuple(
		name,
		fc.constantFrom('NFD', 'NFC', 'NFKD'),
		fc.constantFrom('', ' ', '\u00a0', '\n'),
		fc.boolean(),
	)
	.map(
		([each, form, space, isUpper]) => space + (isUpper ? each.toUpperCase() : each).normalize(form),
	);

/** How a gateway may repeat a recipient. */
const spelled = fc
	.tuple(
		fc.constantFrom(...Object.values(PEOPLE), UNNAMED),
		fc.constantFrom<(to: string) => unknown>(
			(to) => to,
			(to) => to.replace(/[^\d@a-z.]/g, ''),
			(to) => Number(to.replace(/\D/g, '')),
			(to) => `true_${to.replace(/[^\d@a-z.]/g, '')}@c.us_3EB0`,
			(to) => `order 10 ${to.replace(/\D/g, '').replace(/(...)/g, '$1-')} is not on the list`,
			(to) => `0${to.replace(/\D/g, '').slice(2)}`,
			(to) => ({ [to]: { wa_id: to.replace(/\D/g, '') } }),
			(to) => [to, { chatId: '447700900998', phone: `447700900998 ${to}` }],
		),
	)
	.map(([to, spell]) => spell(to));

const OPERATIONS = ['send', 'sendMedia', 'check', 'sendJson', 'getAll', 'inviteInfo'] as const;
const NO_LIMITS = { maxMessages: 0, maxPerChat: 0, maxPerTenMinutes: 0 };

const call = async (operation: string, chatId: string, more: Partial<Account>, onError: boolean) =>
	await run({
		account: account(more),
		asTool: true,
		isHostile: true,
		parameters: {
			...{ resource: operation === 'getAll' ? 'deferred' : 'message', operation, text: 'Hello' },
			...(operation.startsWith('send') && { options: NO_LIMITS }),
			...{ chatId, mediaType: 'file', returnAll: true, inviteCode: 'AbC123' },
			body: '{"chatId":"4915123456789","type":"text","text":"x"}',
		},
		items: [
			{ json: {}, binary: { data: { data: 'QUJD', mimeType: 'text/plain', fileName: 'a' } } },
		],
		settings: onError ? { onError: 'continueRegularOutput' } : {},
	});

test('a tool takes names and returns no digits of a recipient, whatever the gateway says', async () => {
	const sendTo = fc.constantFrom('allowed', 'testNumber', 'nobody');
	const cases = fc.tuple(
		fc.constantFrom(...OPERATIONS),
		spelledName,
		spelled,
		fc.constantFrom(200, 400, 404, 500),
		sendTo,
		fc.boolean(),
	);
	const property = fc.asyncProperty(
		cases,
		async ([operation, chatId, about, status, to, onError]) => {
			gateway.reset();
			gateway.setStatus('ONLINE');
			// The test number is a recipient only in a test.
			const said = to === 'testNumber' ? [about, '+44 7700 900555'] : about;
			const body = { success: status === 200, error: said, chatId: said, data: [said] };
			gateway.answerWith(
				{ contentType: 'application/json', text: JSON.stringify(body) },
				{ status },
			);
			const { run: stored } = await call(operation, chatId, { sendTo: to }, onError);
			const { nodeExecutionStack: _, ...executionData } = stored.data.executionData!;
			// The workflow itself has what its author entered.
			const withoutNode = JSON.stringify(
				[stored.data.resultData, executionData],
				(key, value: unknown) => (key === 'node' ? undefined : value),
			);
			withoutDigits(withoutNode);
			const sent = gateway.requests().filter(({ method }) => method === 'POST');
			if (operation !== 'inviteInfo')
				expect(sent.length > 0).toBe(
					to !== 'nobody' && operation.startsWith('send') && operation !== 'sendJson',
				);
		},
	);
	await fc.assert(property, { numRuns: depth(60, 400), seed });
});

test('a tool takes nothing but a name, exactly as listed', async () => {
	for (const chatId of ['+49 151 23456789', 'Ada Lovelac', 'Ada  Lovelace', '', 'groups']) {
		const { error } = await call('send', chatId, {}, false);
		expect(error?.message).toMatch(
			/^'Chat ID' is not a name on the list of the credential \[item 0]$/,
		);
	}
	expect(gateway.requests()).toEqual([]);
});

test('a workflow takes names, numbers and IDs', async () => {
	const recipients = ['ADA LOVELACE ', '4915123456789', 'ärzte'];
	const { items } = await run({
		account: account(),
		items: recipients.map((to) => ({ json: { to } })),
		parameters: {
			resource: 'message',
			operation: 'check',
			chatId: { __rl: true, mode: 'id', value: '={{ $json.to }}' },
			text: 'x',
		},
	});
	expect(items.map(({ json }) => json.chatId)).toEqual([
		...['4915123456789', '4915123456789', '120363012345678901@g.us'],
	]);
});

test.each([
	['Ada = +49*', 1],
	['Ada = groups', 1],
	['Ada =', 1],
	['= +49 151 23456789', 1],
	['+43 1 2345678 = +49 151 23456789', 1],
	['Ada 23456 = +49 151 23456789', 1],
	['Ada@x = +49 151 23456789', 1],
	['Ada = +49 151 23456789\n\nADA=+49 151 23456780', 3],
	['Groß = +49 151 23456789\nGROSS = +49 151 23456780', 2],
	['ﬁ = +49 151 23456789\nFI = +49 151 23456780', 2],
])('the list %j allows nobody: line %d', (allowedRecipients, line) => {
	expect(() => namesOf({ sendTo: 'allowed', allowedRecipients })).toThrow(`line ${line}`);
});
