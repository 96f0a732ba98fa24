import { createWorkflow, messagingGateway, webhook } from './createWorkflow';
import { executionsOf } from './executions';
import { live } from './live';
import { publishWorkflow } from './n8n';
import { sandbox } from './sandbox';

beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});

/** Most of them the node computes itself. n8n's isolate evaluates the others. */
const TEMPLATES = [
	'={{ $json.value }}',
	'={{$json["value"]}}',
	"=Hello {{ $json.name }}, order {{ $json['order no'] }}:\n{{ $json.value }}",
	'={{ $json.chat }}{{ $json.value }}{{ $json.isNew }}{{ $json["is sent"] }}',
	'=}} { {{ $json.customer.tags[0].label }} } }}',
	'= {{ $json.value }}',
	'={{ $json.chat }} {{ $json.missing }}{{ $json.nothing }}',
	'={{ $json.chat }} {{ $json.toString }} {{ $json["hasOwnProperty"] }}',
	'={{ $json.chat }} {{ $json.customer.tags.length }} {{ $json.customer.tags["0"].label }}',
	'=\\{{ $json.chat }} {{ $json.chat }} \\\\',
	'={{ $json.chat + 1 }}',
];

/** As JSON text, because -0 and lone surrogates do not survive JSON.stringify. A number that may have lost digits is rejected. */
const VALUES = [
	'"Grüße 🍝"',
	String.raw`"{{ $json.chat }} \\ \"quoted\" \u2028 \u0000 \ud83d end"`,
	'"=not an expression"',
	'" padded\\n"',
	'-0',
	'0.30000000000000004',
	'1e-7',
];

const itemsJson = VALUES.map(
	(value, index) => `{
	"chat": "4915100${100 + index}", "value": ${value}, "name": "Ada", "order no": ${index}, "nothing": null,
	"isNew": true, "is sent": false,
	"toString": "own", "hasOwnProperty": 1, "customer": { "tags": [{ "label": ${value} }, 2] } }`,
);

test('sends the same texts as n8n evaluates', async () => {
	const path = crypto.randomUUID();
	const sends = TEMPLATES.map((text, index) => ({
		...messagingGateway({ chatId: `={{ $json.chat }}${10 + index}`, text }),
		id: `send${index}`,
		name: `Send ${index}`,
	}));
	const toNext = (...names: string[]) => ({
		main: [names.map((node) => ({ node, type: 'main', index: 0 }))],
	});
	const workflow = await createWorkflow(
		[webhook(path, 'lastNode'), splitOut, evaluated, ...sends],
		{
			connections: {
				Webhook: toNext('Split Out'),
				'Split Out': toNext('Evaluated'),
				Evaluated: toNext(...sends.map(({ name }) => name)),
			},
		},
	);
	await publishWorkflow(workflow);
	const response = await fetch(`${live.urls.n8n}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: `{ "items": [${itemsJson.join(',')}] }`,
	});
	expect(await response.json()).toMatchObject({ success: true });

	const [execution] = await executionsOf(workflow);
	expect(execution?.status).toBe('success');
	const items = execution!.outputs('Evaluated')[0]!;
	expect(items).toHaveLength(VALUES.length);
	const expected = items.flatMap(({ chat, texts }) =>
		(texts as unknown[]).map((text, index) => ({
			chatId: `${String(chat)}${10 + index}`,
			text: String(text),
		})),
	);
	const { delivered } = await sandbox.state();
	const texts = delivered.map(({ chatId, text }) => ({ chatId, text }));
	expect(inOrder(texts)).toEqual(inOrder(expected));
});

const inOrder = <Message extends { chatId: string }>(messages: Message[]) =>
	messages.sort((a, b) => Number(a.chatId) - Number(b.chatId));

const splitOut = {
	id: 'split',
	name: 'Split Out',
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: 'body.items', options: {} },
};

/** n8n's own values of all templates. */
const evaluated = {
	id: 'evaluated',
	name: 'Evaluated',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		includeOtherFields: true,
		assignments: {
			assignments: TEMPLATES.map((value, index) => ({
				id: String(index),
				name: `texts[${index}]`,
				type: 'string',
				value,
			})),
		},
		options: {},
	},
};
