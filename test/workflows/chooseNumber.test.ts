import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

const CODE = readFileSync(join(__dirname, '../../workflows/code/chooseNumber.js'), 'utf8');
const PEOPLE = Array.from({ length: 3000 }, (_, i) => String(447_700_900_000 + i));

/** The number of each person. Runs the node's code as n8n does. */
function numbersOf(numbers: string): string[] {
	const $ = () => ({ first: () => ({ json: { numbers } }) });
	const $input = { all: () => PEOPLE.map((chatId) => ({ json: { chatId } })) };
	const items = runInNewContext(`(() => {${CODE}\n})()`, { $, $input }) as Array<{
		json: { number: string };
	}>;
	return items.map(({ json }) => json.number);
}

const shareOf = (list: string[], number: string) =>
	list.filter((each) => each === number).length / list.length;

test('shares people evenly among the numbers', () => {
	const chosen = numbersOf('A, B, C');
	for (const number of ['A', 'B', 'C']) {
		expect(shareOf(chosen, number)).toBeGreaterThan(0.3);
		expect(shareOf(chosen, number)).toBeLessThan(0.37);
	}
});

test('keeps the number of a person, in whatever order the numbers are listed', () => {
	expect(numbersOf('C,B,A')).toEqual(numbersOf('A, B, C'));
});

test('moves only people to a number that is added', () => {
	const [before, after] = [numbersOf('A, B'), numbersOf('A, B, C')];
	const moved = after.filter((number, i) => number !== before[i]);
	expect(new Set(moved)).toEqual(new Set(['C']));
	expect(moved.length / PEOPLE.length).toBeLessThan(0.37);
});

test('has one number without a name by default', () => {
	expect(new Set(numbersOf(''))).toEqual(new Set(['']));
});
