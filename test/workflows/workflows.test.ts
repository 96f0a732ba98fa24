import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { type INode, NodeHelpers } from 'n8n-workflow';

import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGateway/MessagingGatewayTrigger.node';

const FOLDER = join(__dirname, '../../workflows');
const OURS = /^n8n-nodes-messaging-gateway\.messagingGateway(Tool|HitlTool|Trigger)?$/;

interface Workflow {
	id: string;
	name: string;
	nodes: INode[];
	connections: Record<string, Record<string, Array<Array<{ node: string }>>>>;
	active: boolean;
}

interface DataTableParameters {
	tableName?: string;
	dataTableId?: object;
	columns?: { column?: Array<{ name: string }>; value?: object };
	filters?: { conditions: Array<{ keyName: string }> };
}

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
const workflows = files.map(
	(file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Workflow,
);
const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';

test('uses every id only once across all examples', () => {
	const ids = workflows.flatMap(({ id, nodes }) => [id, ...nodes.map((node) => node.id)]);
	const webhooks = workflows.flatMap(({ nodes }) => nodes.flatMap((node) => node.webhookId ?? []));
	expect(new Set(ids).size).toBe(ids.length);
	expect(new Set(webhooks).size).toBe(webhooks.length);
});

test('lists every example in the README', () => {
	const list = readFileSync(join(FOLDER, 'README.md'), 'utf8');
	const linked = [...list.matchAll(/\]\((\d[^)]*\.json)\)/g)].map(([, file]) => file);
	expect(linked.sort()).toEqual(files.sort());
});

test('escapes text in the HTML of a document', () => {
	const documents = workflows
		.flatMap(({ nodes }) => nodes)
		.filter(({ type }) => type === 'n8n-nodes-base.html')
		.map(({ parameters }) => parameters.html as string);
	expect(documents).toHaveLength(1);
	const hostile = `<script>"'\``;
	const $json = { number: hostile, customer: hostile, total: 1 };
	const html = documents[0]!.replace(
		/\{\{(.*?)\}\}/gs,
		(_, expression: string) => runInNewContext(expression, { $json }) as string,
	);
	expect(html).not.toContain('<script>');
	expect(html).toContain('<p>For &#60;script&#62;&#34;&#39;&#96;</p>');
	expect(html).toContain('<strong>1.00 €</strong>');
});

test('creates every column of the data table that the outbox uses', () => {
	const tables = workflows
		.flatMap(({ nodes }) => nodes)
		.filter(({ type }) => type === 'n8n-nodes-base.dataTable')
		.map(({ parameters }) => parameters as DataTableParameters);
	const [created, ...others] = tables.filter(({ tableName }) => tableName);
	expect(others).toEqual([]);
	const columns = ['id', 'updatedAt', ...created!.columns!.column!.map(({ name }) => name)];
	const users = tables.filter((table) => table !== created);
	expect(users).toHaveLength(9);
	for (const { dataTableId, columns: written, filters } of users) {
		expect(dataTableId).toEqual({ __rl: true, mode: 'name', value: created!.tableName });
		expect(columns).toEqual(expect.arrayContaining(Object.keys(written?.value ?? {})));
		const filtered = filters?.conditions.map(({ keyName }) => keyName) ?? [];
		expect(columns).toEqual(expect.arrayContaining(filtered));
	}
});

describe.each(workflows)('$name', ({ nodes, connections, ...workflow }) => {
	test('is inactive and contains no data of the n8n it was exported from', () => {
		expect(Object.keys(workflow).sort()).toEqual(['active', 'id', 'name', 'settings', 'tags']);
		expect(workflow.active).toBe(false);
	});

	test('sets only existing parameters of our node, and all required ones', () => {
		const ours = nodes.filter(({ type }) => OURS.test(type));
		for (const node of ours) {
			const { description } = node.type.endsWith('Trigger')
				? new MessagingGatewayTrigger()
				: new MessagingGateway();
			const { properties } = description;
			const { descriptionType: _, toolDescription: __, ...set } = node.parameters;
			// n8n hides this field of a human review step.
			const isReview = node.type.endsWith('HitlTool');
			const parameters = isReview ? { operation: 'sendAndWait', ...set } : set;
			const known = NodeHelpers.getNodeParameters(
				properties,
				parameters,
				true,
				false,
				node,
				description,
			)!;
			expect(known).toMatchObject(parameters);
			const filledIn = { ...node, parameters: known };
			expect(NodeHelpers.getNodeParametersIssues(properties, filledIn, description)).toBeNull();
		}
	});

	test('uses the sandbox credential in every node that can', () => {
		const withCredential = nodes.filter(
			({ type, parameters }) =>
				OURS.test(type) || parameters.nodeCredentialType === 'messagingGatewayApi',
		);
		// The first half of the outbox only stores what the second half sends.
		if (workflow.id !== 'outboxIn00000011') expect(withCredential.length).toBeGreaterThan(0);
		for (const { credentials } of withCredential) {
			expect(credentials).toEqual({
				messagingGatewayApi: { id: 'messagingGateway01', name: 'Messaging Gateway (sandbox)' },
			});
		}
	});

	test('requires authentication at every entry point', () => {
		const entries = nodes.filter(({ type }) =>
			/\.(webhook|formTrigger|chatTrigger|mcpTrigger)$/.test(type),
		);
		for (const { name, parameters, credentials = {} } of entries) {
			// The CRM signs its requests instead.
			if (name === 'CRM event') continue;
			const isMcp = name === 'MCP server';
			expect(parameters.authentication).toBe(isMcp ? 'bearerAuth' : 'basicAuth');
			expect(Object.keys(credentials)).toEqual([isMcp ? 'httpBearerAuth' : 'httpBasicAuth']);
		}
	});

	test('explains in sticky notes what it does and what to change', () => {
		const notes = nodes.filter(isNote).map(({ parameters }) => parameters.content as string);
		expect(notes[0]).toMatch(/^## \w/);
		expect(notes[1]).toMatch(/^## To change\n/);
		// Bold text in a note is the name of a node.
		const named = notes[1]!.matchAll(/\*\*([^*]+)\*\*/g);
		const names = nodes.map(({ name }) => name);
		expect([...named].map(([, name]) => name).filter((name) => !names.includes(name!))).toEqual([]);
	});

	test('lays out nodes and notes without overlaps', () => {
		const boxes = nodes.map(boxOf);
		const overlaps = boxes.flatMap((box, index) =>
			boxes
				.slice(index + 1)
				.filter((other) => overlap(box, other))
				.map((other) => [box.name, other.name]),
		);
		expect(overlaps).toEqual([]);
	});

	test('connects every node', () => {
		const linked = Object.entries(connections).flatMap(([from, types]) => [
			from,
			...Object.values(types)
				.flat(2)
				.map(({ node }) => node),
		]);
		const unconnected = nodes.filter((node) => !isNote(node) && !linked.includes(node.name));
		expect(unconnected.map(({ name }) => name)).toEqual([]);
	});
});

/** The area of a node in the editor, including its labels. Nodes with sub-nodes are wider. */
function boxOf({ name, type, position: [x, y], parameters }: INode) {
	if (type === 'n8n-nodes-base.stickyNote') {
		return { name, x, y, width: Number(parameters.width), height: Number(parameters.height) };
	}
	const isWide = /(\.agent|\.mcpTrigger|HitlTool)$/.test(type);
	return { name, x, y, width: isWide ? 224 : 96, height: 140 };
}

type Box = ReturnType<typeof boxOf>;

const overlap = (a: Box, b: Box) =>
	a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
