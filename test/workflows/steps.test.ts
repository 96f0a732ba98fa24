import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

const CODE = readFileSync(join(__dirname, '../../workflows/code/steps.js'), 'utf8');

/** Runs the node's code as n8n does, and returns the states before and after: of the campaign, then of its rows. */
function steps(action: string): string[][] {
	const $input = { first: () => ({ json: { name: 'Spring offer', action } }) };
	const items = runInNewContext(`(() => {${CODE}\n})()`, { $input }) as Array<{
		json: Record<string, string>;
	}>;
	return items.map(({ json: { name, ...states } }) => {
		expect(name).toBe('Spring offer');
		return Object.values(states);
	});
}

test('changes the campaign and its rows', () => {
	expect(steps('Start')).toEqual([['draft', 'running', 'draft', 'pending']]);
	expect(steps('Pause')).toEqual([['running', 'paused', 'pending', 'paused']]);
	expect(steps('Resume')).toEqual([['paused', 'running', 'paused', 'pending']]);
	expect(steps('Stop')).toEqual([
		['draft', 'stopped', 'draft', 'stopped'],
		['running', 'stopped', 'pending', 'stopped'],
		['paused', 'stopped', 'paused', 'stopped'],
	]);
	expect(steps('Show the report')).toEqual([['-', '-', '-', '-']]);
});

// In the editor, the user types the action.
test.each(['start', '', 'constructor'])('says which actions there are, instead of %j', (action) => {
	expect(() => steps(action)).toThrow(
		`'action' is '${action}'. Use one of: Show the report, Start, Pause, Resume, Stop.`,
	);
});
