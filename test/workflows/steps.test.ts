import { runInNewContext } from 'node:vm';

import { codeOf } from '../harness/exampleCode';

const CODE = codeOf('Steps');

interface Choice {
	name: string;
	action: string;
}

/** Runs the node's code as n8n does. */
function run(choice: Choice, names = ['Spring offer'], trigger = 'Choice') {
	const nodes: Record<string, Choice | undefined> = { [trigger]: choice };
	const $ = (node: string) => ({
		isExecuted: nodes[node] !== undefined,
		first: () => ({ json: nodes[node] }),
	});
	const items =
		names.length > 0 ? names.map((name, id) => ({ json: { id, name } })) : [{ json: {} }];
	const $input = { all: () => items };
	const steps = runInNewContext(`(() => {${CODE}\n})()`, { $, $input }) as Array<{
		json: Record<string, string>;
	}>;
	return steps.map(({ json }) => json);
}

/** The states before and after: of the campaign, then of its rows. */
const steps = (action: string) =>
	run({ name: 'Spring offer', action }).map(({ name, action: chosen, ...states }) => {
		expect([name, chosen]).toEqual(['Spring offer', action]);
		return Object.values(states);
	});

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

test.each(['start', ' START '])('takes %j for Start', (action) => {
	expect(run({ name: 'Spring offer', action })).toMatchObject([
		{ action: 'Start', campaignTo: 'running' },
	]);
});

// In the editor, the user types the action.
test.each(['Begin', '', 'constructor'])('says which actions there are, instead of %j', (action) => {
	expect(() => steps(action)).toThrow(
		`'action' is '${action}'. Use one of: Show the report, Start, Pause, Resume, Stop.`,
	);
});

test.each([
	[' spring OFFER ', ['Opening', 'Spring offer'], 'Spring offer'],
	['Spring offer', ['SPRING OFFER', 'Spring offer'], 'Spring offer'],
	// It is not known which one the user means.
	['spring offer', ['SPRING OFFER', 'Spring offer'], 'spring offer'],
	['Spring', ['Spring offer'], 'Spring'],
	['undefined', [], 'undefined'],
])('finds the name %j in %j', (name, names, expected) => {
	for (const trigger of ['Form', 'Choice']) {
		expect(run({ name, action: 'Start' }, names, trigger)).toMatchObject([{ name: expected }]);
	}
});
