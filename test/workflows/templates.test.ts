/** What `npm run templates` writes, by the guidelines of n8n's template library. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

const FOLDER = join(__dirname, '../../workflows');
const TOOL = join(__dirname, '../../tools/templates.mjs');
const names = readdirSync(FOLDER)
	.filter((name) => name.endsWith('.json'))
	.map((name) => name.replace('.json', ''));

/** As a title has to begin: with what the workflow does. */
const VERBS =
	/^(Approve|Ask|Call|Cancel|Check|Defer|Forget|Manage|Notify|Offer|Pair|Prepare|Rehearse|Send|Store) \S/;
/** Several workflows whose names begin alike, so that n8n lists them together. 15 has the name of the nodes that call it. */
const HAS_OWN_NAME = /^1[135]-/;

interface Workflow {
	name: string;
	nodes: INode[];
}

const target = mkdtempSync(join(tmpdir(), 'templates-'));
beforeAll(() => execFileSync(process.execPath, [TOOL, target]));
afterAll(() => rmSync(target, { recursive: true }));

const read = (name: string) => readFileSync(join(target, name), 'utf8');
const original = (name: string) =>
	JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Workflow;

test('writes two files for each example', () => {
	const expected = names.flatMap((name) => [`${name}.json`, `${name}.md`]);
	expect(readdirSync(target).sort()).toEqual(expected.sort());
});

describe.each(names)('%s', (name) => {
	test('has a title that begins with a verb, in the case of a sentence', () => {
		const title = /^# (.*)\n/.exec(read(`${name}.md`))![1]!;
		expect(title).toMatch(VERBS);
		expect(title.length).toBeLessThanOrEqual(60);
		const capitals = title.match(/(?<!^)\b[A-Z]\w*/g) ?? [];
		expect(
			capitals.filter((word) => !['AI', 'CRM', 'CSV', 'HTTP', 'MCP', 'Request'].includes(word)),
		).toEqual([]);
		expect((JSON.parse(read(`${name}.json`)) as Workflow).name).toBe(title);
		if (!HAS_OWN_NAME.test(name)) expect(original(name).name.replace(/^\w+\. /, '')).toBe(title);
	});

	test('has a description in Markdown, with a picture, all parts and absolute links', () => {
		const description = read(`${name}.md`);
		const [, picture, disclaimer, intro] = description.split('\n\n');
		expect(picture).toMatch(/^!\[[^\]]{20,}\]\(https:\/\/raw\.githubusercontent\.com\/.*\.png\)$/);
		expect(disclaimer).toMatch(
			/community node `n8n-nodes-messaging-gateway`.* self-hosted n8n only/,
		);
		expect(intro).toMatch(/^[A-Z].{30,}[.)]$/s);
		const headings = description.match(/^## .*/gm)!;
		const parts = ["Who's it for", 'How it works', 'How to set up', 'Requirements'];
		if (name !== '11-outbox-send' && name !== '13-campaign-prepare') parts.push('How to customize');
		expect(headings).toEqual(parts.map((part) => `## ${part}`));
		for (const part of description.split(/^## .*\n/m)) expect(part.trim()).toMatch(/^.{20,}/s);
		expect(description).toMatch(/^1\. .*^2\. .*^3\. /ms);
		// No HTML, and no link that is relative to the repository.
		expect(description).not.toMatch(/<\w|\]\((?!https:)/);
		const words = description.match(/[\p{L}\d]\S*/gu)!.length;
		expect(words).toBeGreaterThan(140);
		expect(words).toBeLessThan(300);
	});

	test('says nothing about the sandbox, and contains no credential', () => {
		const { nodes, ...workflow } = JSON.parse(read(`${name}.json`)) as Workflow;
		expect(Object.keys(workflow).sort()).toEqual(['connections', 'name', 'settings', 'tags']);
		const notes = nodes
			.filter(({ type }) => type.endsWith('.stickyNote'))
			.map(({ parameters }) => parameters.content as string);
		expect([read(`${name}.md`), ...notes].join('\n')).not.toMatch(/sandbox|npm start/i);
		const { nodes: originals } = original(name);
		expect(nodes).toEqual(originals.map(({ credentials: _, ...node }) => node));
	});
});
