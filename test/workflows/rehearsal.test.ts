/** With Nobody (Rehearsal), every node of the examples runs as it would, and changes nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import { type Outcome, run } from '../harness/engine';
import { OPERATIONS, prepare } from '../harness/operations';
import { useFileServer } from '../harness/fileServer';
import { useGateway } from '../harness/sandboxAccount';
import { runAndWait } from '../harness/waiting';

const FOLDER = join(__dirname, '../../workflows');
const GATEWAY = /\.messagingGateway(Tool|HitlTool)?$/;
const examples = readdirSync(FOLDER)
	.filter((name) => name.endsWith('.json'))
	.map((file) => ({
		file,
		nodes: (JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as { nodes: INode[] }).nodes,
	}));
const nodes = examples.flatMap(({ file, nodes: all }) =>
	all.filter(({ type }) => GATEWAY.test(type)).map((node) => ({ file, name: node.name, node })),
);

const gateway = useGateway();
const files = useFileServer();
const PNG = { data: 'iVBORw0KGgoA', mimeType: 'image/png', fileName: 'a.png' };

/** What the expressions return in a run. A tool does not send the same text twice. */
const samplesOf = ({ id }: INode): Record<string, string> => ({
	text: `Hello ${id}`,
	mediaUrl: `${files.url}/a.png`,
	chatId: '+44 7700 900123',
	message: 'May we?',
	caption: 'For you',
	idempotencyKey: 'order-1',
});

const sampled = (value: unknown, samples: Record<string, string>, name = ''): unknown => {
	if (typeof value === 'string') return value.startsWith('=') ? samples[name] : value;
	if (typeof value !== 'object' || value === null) return value;
	const entries = Object.entries(value).map(([key, each]) => [key, sampled(each, samples, key)]);
	return Object.fromEntries(entries);
};

async function runNode(node: INode, sendTo: string): Promise<Outcome> {
	const { type, parameters, onError } = node;
	const { descriptionType: _, toolDescription: __, ...own } = parameters;
	const isReview = type.endsWith('HitlTool');
	const { resource = 'message', operation = isReview ? 'sendAndWait' : 'send' } = own;
	gateway.reset();
	files.file('/a.png', Buffer.from(PNG.data, 'base64'), { 'Content-Type': 'image/png' });
	const known = OPERATIONS.find(
		({ parameters: of }) => of.resource === resource && of.operation === operation,
	);
	if (known)
		own.deliveryKey = (await prepare(known, gateway.account, gateway)).deliveryKey as string;
	else gateway.setStatus('ONLINE');
	gateway.clearRequests();
	const options = {
		account: { ...gateway.account, sendTo },
		parameters: { resource, operation, ...(sampled(own, samplesOf(node)) as object), timeout: 1 },
		items: [{ json: {}, binary: { data: PNG } }],
		settings: { onError },
		asTool: type.endsWith('messagingGatewayTool'),
	};
	return operation === 'sendAndWait' ? (await runAndWait(options)).outcome : await run(options);
}

/** Lookups change nothing. */
const changes = () =>
	gateway
		.requests()
		.filter(({ method, url }) => method !== 'GET' && !/\/(invite|channel)-info$/.test(url));

test('the sample has every example that can send', () => {
	const files = new Set(nodes.map(({ file }) => file));
	expect(files.size).toBeGreaterThan(14);
});

// The engine of the tests compares each item with the schema of its operation.
test.each(nodes)('$file: $name', async ({ node }) => {
	const live = await runNode(node, 'anyone');
	const isChange = changes().length > 0;
	const rehearsed = await runNode(node, 'nobody');
	expect(changes()).toEqual([]);
	expect(live.error).toBeUndefined();
	expect(rehearsed.error).toBeUndefined();
	const count = ({ items, errorItems }: Outcome) => [items.length, errorItems.length];
	expect(count(rehearsed)).toEqual(count(live));
	for (const { json } of rehearsed.items) {
		expect(json.outcome).toBe(isChange ? 'rehearsed' : undefined);
	}
	expect(rehearsed.run.waitTill === undefined).toBe(live.run.waitTill === undefined);
});
