/** The examples that keep a text before it is sent reject one with a placeholder when they get it. */
import { Expression, type IWorkflowDataProxyData } from 'n8n-workflow';

import { PLACEHOLDER } from '../../gateway/text/missingValue';
import { EXAMPLES, parametersOf, runCode } from '../harness/exampleCode';

interface Conditions {
	conditions: { conditions: Array<{ leftValue: string }> };
}
const { conditions } = parametersOf('11-outbox-in', 'Valid request?') as unknown as Conditions;
const expression = new Expression('UTC');

/** Whether n8n takes the request. */
const isStored = (body: object) => {
	const $json = { headers: { 'content-type': 'application/json' }, body };
	const data = () => ({ $json }) as unknown as IWorkflowDataProxyData;
	return conditions.conditions.every(
		({ leftValue }) => expression.resolveSimpleParameterValue(leftValue, data()) === true,
	);
};

const to = '+44 7700 900123';

test.each([
	...['Hi undefined', 'See you Invalid DateTime', '[object Object]', 'Hi {name}', 'Hi {{ name'],
])('11 responds to the text %j with 422', (text) => {
	expect(isStored({ to, text: 'Hello', id: 5 })).toBe(true);
	expect(isStored({ to, text })).toBe(false);
	expect(isStored({ to, text: 'Hello', id: text })).toBe(false);
});

test('13 reports the row as invalid, without the value, which a stranger may have written', () => {
	const rowsWith = (name: string) =>
		runCode('Text', {
			nodes: { Settings: [{ text: 'Hello {name}', optOutPage: 'x' }] },
			input: [{ phone: '1', name }],
		});
	for (const name of ['undefined', '[object Object]', '{send_to_all}', '{{ x }}']) {
		const reason = 'The text has a placeholder, such as undefined, in place of a value';
		expect(rowsWith(name)).toEqual([{ phone: '1', name, text: '', reason }]);
	}
	expect(rowsWith('Ada')[0]).toMatchObject({ text: 'Hello Ada', reason: '' });
});

test('the copies of the node are the same', () => {
	const copies = ['11-outbox-in.json', '13-campaign-prepare.json'].map((name) => {
		const { nodes } = EXAMPLES.find(({ file }) => file === name)!;
		return nodes
			.flatMap(({ parameters }) => Object.values(parameters))
			.map(textOf)
			.join('\n');
	});
	for (const copy of copies) expect(copy.split(String(PLACEHOLDER))).toHaveLength(2);
});

/** All texts in a value. */
function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	return Object.values(value ?? {})
		.map(textOf)
		.join('\n');
}
