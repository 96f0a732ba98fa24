import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** The lists are ES modules, which Jest does not load. */
function mutationsIn(list: string): Array<{ file: string; find: string }> {
	const program = `import { mutations } from './${list}'; console.log(JSON.stringify(mutations));`;
	const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
		cwd: root,
		encoding: 'utf8',
	});
	return JSON.parse(output) as Array<{ file: string; find: string }>;
}

// Most of them are tried in CI only now and then.
test('each mutation of the sending engine changes one place', () => {
	const mutations = mutationsIn('test/simulation/mutationList.mjs');
	expect(mutations.length).toBeGreaterThan(20);
	const outdated = mutations.filter(
		({ file, find }) => readFileSync(join(root, file), 'utf8').split(find).length !== 2,
	);
	expect(outdated).toEqual([]);
});
