import { createHash } from 'node:crypto';

import fc from 'fast-check';

import type { RecordedRequest } from '../../dev/sandbox/sandbox';
import { depth, seedFrom } from '../harness/depth';
import { type Account, type Outcome, run, type RunOptions } from '../harness/engine';
import { useGateway } from '../harness/sandboxAccount';
import { ForAnyNode, sendAsOtherNode } from './otherNode';

const gateway = useGateway({ basePath: '/gw', token: 'token-abc', secret: 'secret-xyz' });
const seed = seedFrom('GUARD_SEED');

const LIST =
	'+49 (151) 234-56789\r\n\n  0044 7700 900123 \n+52 55 1234 5678\n+43 1*\n120363012345678901@g.us\nchannels';
const limited = (more: object = {}): Account => ({
	...gateway.account,
	...{ sendTo: 'allowed', allowedRecipients: LIST, allowedHttpRequestDomains: 'all' },
	...more,
});

/** Chat IDs as a gateway may get them. */
const ALLOWED = [
	...['4915123456789', '4915123456789@c.us', '447700900123', '43123456789', '525512345678'],
	...['5215512345678', '120363012345678901@g.us', '120363077@newsletter'],
];
/** As users may enter them in a field. */
const ALLOWED_ENTERED = [
	...[...ALLOWED, '+49 151 23456789', '+43 (1) 2345678', '4915123456789@S.WhatsApp.net'],
];
const STRANGERS = [
	...['4915123456780', '491512345678', '49151234567890', '439123456789', '447700900124'],
];
const OTHER_ENTERED = [
	...[...STRANGERS, '120363012345678902@g.us', 'AbC-2@g.us'],
	...['+1 212 555 0100', '4915123456789@g.us'],
];

interface Sent {
	method?: string;
	path?: string;
	body?: unknown;
	json?: boolean;
}

/** Sends each request as n8n's HTTP Request node, or as another node with n8n's current helper. */
const sendAsOthers = async (requests: Sent[], options: RunOptions) =>
	await sendAsOtherNode(
		requests.map(({ path = '/sendMessage', ...request }, index) => {
			const url = `${gateway.baseUrl}/api/whatsapp/{token}${path}`;
			return { method: 'POST', headers: {}, ...request, [index % 2 === 1 ? 'url' : 'uri']: url };
		}),
		options,
	);

const sendAll = async (requests: Sent[], account = limited()) =>
	await sendAsOthers(requests, { account, credentialType: new ForAnyNode() });

async function operate(
	operation: string,
	fields: Array<Record<string, string>>,
	{ asTool = false, account = limited(), parameters = {} } = {},
): Promise<Outcome> {
	const data = { data: 'QUJD', mimeType: 'text/plain', fileName: 'a.txt' };
	return await run({
		account,
		asTool,
		items: fields.map((json) => ({ json, binary: { data } })),
		parameters: {
			...{ resource: 'message', operation, text: 'Hello', mediaType: 'file' },
			...{ chatId: '={{ $json.chatId }}', body: '={{ $json.body }}', ...parameters },
		},
		settings: { onError: 'continueErrorOutput' },
	});
}

/** What a key for an allowed recipient begins with. */
const prefixOf = (to: string) => {
	const person = to.replace('5215', '525').replace('@c.us', '');
	return `to-${createHash('sha256').update(person).digest('hex').slice(0, 24)}-`;
};

const digitsOf = (text: string) => text.replace(/\D/g, '');

/**
 * What any gateway could take for a recipient: each text and number in the body, in whatever encoding and at whatever place. The
 * other texts of these tests have neither five digits nor an @.
 */
function recipientsIn({ bodyText }: RecordedRequest): string[] {
	const text = (bodyText ?? '')
		.replaceAll('\0', '')
		.replace(/\\u([\da-f]{4})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
	const values = text.match(/"[^"]*"|[\d.eE+-]+/g) ?? [];
	return values
		.map((value) => value.replaceAll('"', ''))
		.filter((value) => digitsOf(value).length >= 5 || value.includes('@'));
}

/** Readers that drop all but the digits of a number see another one in 4915123456789.0. */
const isAllowed = (recipient: string) =>
	ALLOWED.includes(recipient) ||
	(!/@(g\.us|newsletter)/.test(recipient) &&
		ALLOWED.some((id) => /^\d+$/.test(id) && digitsOf(recipient) === id));

function expectOnlyAllowed(): void {
	const requests = gateway.requests();
	expect(requests.flatMap(recipientsIn).filter((to) => !isAllowed(to))).toEqual([]);
	// The sandbox does not read the body of a request to an endpoint that it does not have.
	expect(requests.filter(({ endpoint }) => endpoint === null)).toEqual([]);
}

const escaped = (text: string) =>
	[...text].map((mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** JSON text of fields in this order, of which a name may occur twice. */
const written = (fields: Array<[name: string, json: string]>) =>
	`{${fields.map(([name, json]) => `"${name}":${json}`).join(',')}}`;

const stranger = fc.constantFrom(...OTHER_ENTERED);
const allowed = fc.constantFrom(...ALLOWED);
const usual: Array<[string, string]> = [
	['type', '"text"'],
	['text', '"Hello"'],
];
const otherName = fc.constantFrom(
	...['to', 'recipient', 'chat_id', 'ChatID', 'chatid', 'Phone', 'jid', 'number', 'contacts'],
	...['__proto__', 'participants', 'c\\u0068atid'],
);
/** With a recipient who is allowed, and one who is not. */
const withBoth = <T = null>(
	bodyOf: (good: string, bad: string, more: T) => string | Buffer,
	more: fc.Arbitrary<T> = fc.constant(null as T),
) => fc.tuple(allowed, stranger, more).map((parts) => bodyOf(...parts));

/** Bodies that some gateway could read as a message to a stranger. */
const hostileBody: fc.Arbitrary<string | Buffer> = fc.oneof(
	// Another recipient, in each of the documented names, plain or escaped.
	withBoth(
		(_, to, [name, write]) => written([[name, `"${write(to)}"`], ...usual]),
		fc.tuple(
			fc.constantFrom('chatId', 'phone', 'c\\u0068atId'),
			fc.constantFrom(escaped, (to: string) => to),
		),
	),
	// Two recipients, in either order, of which one is allowed.
	{
		weight: 4,
		arbitrary: withBoth(
			(good, bad, [names, isFirst]) => {
				const [a, b] = names.split(' ') as [string, string];
				const [first, last] = isFirst ? [bad, good] : [good, bad];
				return written([[a, `"${first}"`], ...usual, [b, `"${last}"`]]);
			},
			fc.tuple(
				fc.constantFrom('chatId chatId', 'chatId c\\u0068atId', 'phone phone', 'chatId phone'),
				fc.boolean(),
			),
		),
	},
	// Another name next to an allowed recipient, also inside.
	withBoth(
		(good, bad, name) => written([['chatId', `"${good}"`], [name, `"${bad}"`], ...usual]),
		otherName,
	),
	withBoth(
		(good, bad, name) =>
			written([
				['phone', `"${good}"`],
				...usual.filter(([own]) => own !== name),
				[name, `{"chatId":"${bad}"}`],
			]),
		fc.constantFrom('chatId', 'media', 'text', 'type'),
	),
	withBoth((good, bad) => written([['chatId', `["${good}","${bad}"]`], ...usual])),
	withBoth((good, bad) => `[{"chatId":"${good}"},{"chatId":"${bad}"}]`),
	withBoth((good, bad) => `{"chatId":"${good}"}\n{"chatId":"${bad}"}`),
	// A number that some readers understand as another one.
	fc
		.constantFrom(
			...['"4915123456789.0"', '"4915123456789:12@c.us"', '"4915123456789.0:12@s.whatsapp.net"'],
			...['4.915123456789e12', '4915123456789', '"+49 (0) 151 23456789"', '"004915123456789"'],
			...['"4915123456789,4915123456780"', '"4915123456789;ext=1"', '"0151 23456789"'],
			...['["4915123456780"]', 'null', '""', '"4915123456789@g.us@c.us"'],
			...[' ', '\\n', '\\u200b'].map((mark) => `"4915123456780@newsletter${mark}"`),
			...['"4915123456780@NEWSLETTER"', '" 4915123456780@newsletter"'],
			...['"4915123456780\\u200b@newsletter"', '"４915123456780"'],
		)
		.map((json) => written([['chatId', json], ...usual])),
	// Bytes that are not one JSON text in UTF-8.
	withBoth(
		(_, to, encoding) =>
			Buffer.from(`\ufeff${written([['chatId', `"${to}"`], ...usual])}`, encoding),
		fc.constantFrom<BufferEncoding>('utf16le', 'latin1'),
	),
	// Some readers take these two bytes for a quotation mark.
	withBoth((good, bad) =>
		Buffer.from(
			`{"chatId":"${good}","text":"\xc0\xa2,\xc0\xa2chatId\xc0\xa2:\xc0\xa2${bad}"}`,
			'latin1',
		),
	),
	withBoth((good, bad) => `{"chatId":"${good}","text":"a","b":/*","chatId":"${bad}"*/1}`),
	stranger.map((to) => `chatId=${encodeURIComponent(to)}&type=text&text=Hello`),
);

const hostileRequest: fc.Arbitrary<Sent> = fc
	.tuple(
		fc.constantFrom('/sendMessage', '/sendMedia', '/invite-info', '/channel-info'),
		hostileBody,
		fc.constantFrom('text', 'object', 'bytes'),
		fc.boolean(),
	)
	.map(([path, body, form, json]) => ({ path, json, body: bodyAs(form, body) }));

/** As the nodes of n8n pass it on. */
function bodyAs(form: string, body: string | Buffer): unknown {
	if (form === 'bytes' || Buffer.isBuffer(body)) return Buffer.from(body);
	if (form === 'text') return body;
	try {
		return JSON.parse(body) as unknown;
	} catch {
		return body;
	}
}

const BATCH = 40;
const numRuns = depth(4, 150);
const many = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: BATCH, maxLength: BATCH });

describe('the gateway never sees a body for someone who is not on the list', () => {
	test('from the request hook, whatever the node checks', async () => {
		const property = fc.asyncProperty(many(hostileRequest), async (requests) => {
			gateway.reset();
			await sendAll(requests);
			expectOnlyAllowed();
		});
		await fc.assert(property, { numRuns, seed, endOnFailure: true });
	});

	test.each([false, true])('from the node (as a tool: %p)', async (asTool) => {
		const hostile = OTHER_ENTERED.flatMap((to) =>
			[written([['chatId', `"${to}"`], ...usual]), written([...usual, ['to', `"${to}"`]])].map(
				(body) => ({ chatId: to, body }),
			),
		);
		const lookup = {
			...{ inviteCode: 'AbCdEf123456', channel: 'AbCdEf123456' },
			options: { additionalFields: '={{ $json.body }}' },
		};
		for (const operation of ['send', 'sendMedia', 'sendJson', 'inviteInfo', 'channelInfo']) {
			const parameters = operation.endsWith('Info') ? lookup : {};
			const { items, errorItems } = await operate(operation, hostile, { asTool, parameters });
			expect(items).toEqual([]);
			expect(errorItems).toHaveLength(hostile.length);
		}
		expect(gateway.requests()).toEqual([]);
	});
});

describe('the node checks before the request hook', () => {
	test('and loads no file for a recipient who is not allowed', async () => {
		const { errorItems } = await operate('sendMedia', [{ chatId: STRANGERS[0]! }], {
			parameters: { mediaSource: 'url', mediaUrl: 'http://127.0.0.1:1/a.pdf' },
		});
		expect(errorItems[0]?.json.error).toMatch(/^The credential does not allow messages to/);
	});

	test('an expression without a value allows nobody', async () => {
		const account = limited({ sendTo: '={{ $json.missing }}' });
		const { errorItems } = await operate('send', [{ chatId: ALLOWED[0]! }], { account });
		expect(errorItems[0]?.json).toMatchObject({
			error: "'Send Messages To' of the credential is none of its choices [item 0]",
			details: { cause: 'invalid_setup', retry: 'later' },
		});
		expect(await sendAll([{ body: { chatId: ALLOWED[0] } }], account)).not.toEqual([undefined]);
		expect(gateway.requests()).toEqual([]);
	});

	test('limits that differ per item apply to each item', async () => {
		const account = limited({ allowedRecipients: '={{ $json.list }}' });
		const lists = ['+43*', '+49*'].map((list) => ({ chatId: '4915123456789', list }));
		const { items } = await operate('send', lists, { account });
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
	});
});

describe('everyone on the list gets messages', () => {
	test.each(['send', 'sendMedia'])('from %s, in each spelling', async (operation) => {
		const items = ALLOWED_ENTERED.map((chatId) => ({ chatId }));
		const { items: sent, errorItems } = await operate(operation, items);
		expect(errorItems).toEqual([]);
		expect(sent.map(({ json }) => json.outcome)).toEqual(items.map(() => 'sent'));
	});

	test('from bodies in each form, byte for byte', async () => {
		const bodies = ALLOWED.flatMap((to) => [
			JSON.stringify({ chatId: to, type: 'text', text: 'He said "hi", \\ and {chatId: 1}' }),
			` {\n\t"type" : "text", "idempotency_key":"${prefixOf(to)}a ${to}", "window_ms": 60000,\r\n "message":"é😀", "phone":"${escaped(to)}"}  `,
			written([['c\\u0068atId', `"${to}"`], ...usual, ['windowMs', '60000']]),
		]);
		const received = () => gateway.requests().map(({ bodyText }) => bodyText);
		const items = bodies.map((body) => ({ body }));
		expect((await operate('sendJson', items)).errorItems).toEqual([]);
		expect(received().sort()).toEqual([...bodies].sort());
		// Read as another type, the same bytes can contain another recipient: in UTF-7, +ACI- is a quotation mark. So only the node
		// sends them, always as JSON, and nobody sees a signature (nodes/secrets.test.ts) with which they could be repeated.
		const types = gateway.requests().map(({ headers }) => headers['content-type']);
		expect(new Set(types)).toEqual(new Set(['application/json']));
		gateway.clearRequests();
		const forms = bodies.flatMap((body) => [body, Buffer.from(body)]);
		const errors = await sendAll(forms.map((body) => ({ body, json: false })));
		expect(errors).toEqual(forms.map(() => undefined));
		expect(received()).toEqual(bodies.flatMap((body) => [body, body]));
	});
});

describe('the request hook', () => {
	const to = (chatId: string) => ({ body: { chatId, type: 'text', text: 'Hello' } });

	test('says that nothing was sent in a rehearsal, where lookups still pass', async () => {
		const account = limited({ sendTo: 'nobody' });
		const changes: Sent[] = [
			...[to(ALLOWED[0]!), { path: '/start' }, { path: '/refresh' }, { path: '/terminate' }],
			{ path: '/deferred/key', method: 'DELETE' },
		];
		const errors = await sendAll([...changes, ...changes], account);
		expect(errors.map(String)).toEqual(
			errors.map(() => expect.stringContaining('not sent, because this is a rehearsal') as string),
		);
		expect(gateway.requests()).toEqual([]);
		const lookup = { path: '/invite-info', body: { inviteCode: 'AbC123' } };
		const lookups = [lookup, lookup, { path: '/status', method: 'GET' }];
		expect(await sendAll(lookups, account)).toEqual(lookups.map(() => undefined));
	});

	// The signature covers no path, so a proxy could forward the same bytes as a message.
	test.each(['allowed', 'testNumber', 'nobody'])(
		'signs no lookup with a message (%s)',
		async (sendTo) => {
			const account = limited({ sendTo, testRecipient: '+49 151 23456789' });
			const body = { inviteCode: 'AbC123', chatId: STRANGERS[0], type: 'text', text: 'Hello' };
			// The deletion of a deferred delivery is signed, too.
			const deletion = { path: '/deferred/key', method: 'DELETE', body };
			const hostile = [
				...[
					{ path: '/invite-info', body },
					{ path: '/channel-info', body },
				],
				...[deletion, deletion],
			];
			expect(await sendAll(hostile, account)).not.toContain(undefined);
			expect(gateway.requests()).toEqual([]);
			const lookups = [{ inviteCode: 'AbC123' }, { inviteLink: 'https://h/channel/AbC123' }].map(
				(fields) => ({ path: '/channel-info', body: fields }),
			);
			expect(await sendAll(lookups, account)).toEqual([undefined, undefined]);
		},
	);
});

test.each([
	['allowed', { allowedRecipients: LIST }],
	['testNumber', { testRecipient: '+49 151 23456789' }],
	['nobody', {}],
])(
	'with recipients that are limited (%s), no other node sends anything, even if its owner allows HTTP Request nodes',
	async (sendTo, more) => {
		const requests: Sent[] = [
			{ body: { chatId: ALLOWED[0], type: 'text', text: 'Hello' } },
			{ path: '/invite-info', body: { inviteCode: 'x' } },
			{ path: '/status', method: 'GET' },
			{ path: '/deferred/key', method: 'DELETE' },
		].flatMap((request) => [request, request]);
		const account = { ...limited({ sendTo }), ...more };
		const errors = await sendAsOthers(requests, { account });
		expect(errors.map(String)).toEqual(
			requests.map(() => expect.stringContaining('does not allow HTTP Request nodes') as string),
		);
		expect(gateway.requests()).toEqual([]);
	},
);
