/** What `node dev/tools/templates.mjs` writes, by the guidelines of n8n's template library. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import { example, EXAMPLES } from '../harness/exampleCode';

const TOOL = join(__dirname, '../../dev/tools/templates.mjs');
const names = EXAMPLES.map(({ file }) => file.replace('.json', ''));

const target = mkdtempSync(join(tmpdir(), 'templates-'));
beforeAll(() => execFileSync(process.execPath, [TOOL, target]));
afterAll(() => rmSync(target, { recursive: true }));

const read = (name: string) => readFileSync(join(target, name), 'utf8');

test('writes two files for each example', () => {
	const expected = names.flatMap((name) => [`${name}.json`, `${name}.md`]);
	expect(readdirSync(target).sort()).toEqual(expected.sort());
});

test.each(names)('%s: absolute links, nothing about the sandbox, and no credential', (name) => {
	const description = read(`${name}.md`);
	expect(description).toMatch(
		/^# \S.*\n\n!\[[^\]]{20,}\]\(https:\/\/raw\.githubusercontent\.com\/.*\.png\)\n/,
	);
	// No HTML, and no link that is relative to the repository.
	expect(description).not.toMatch(/<\w|\]\((?!https:)/);
	const { nodes, ...workflow } = JSON.parse(read(`${name}.json`)) as { nodes: INode[] };
	expect(Object.keys(workflow).sort()).toEqual(['connections', 'name', 'settings', 'tags']);
	const notes = nodes
		.filter(({ type }) => type.endsWith('.stickyNote'))
		.map(({ parameters }) => parameters.content as string);
	expect([description, ...notes].join('\n')).not.toMatch(/sandbox|npm start/i);
	expect(nodes).toEqual(example(name).nodes.map(({ credentials: _, ...node }) => node));
});
