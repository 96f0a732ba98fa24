import { runInNewContext } from 'node:vm';

import { codeOf } from '../harness/exampleCode';

const CODE = codeOf('Choose number');
const PEOPLE = Array.from({ length: 3000 }, (_, i) => String(447_700_900_000 + i));

interface Choice {
	number: string;
	otherNumbers: string;
}

/** Runs the node's code as n8n does. */
function choose(numbers: string): Choice[] {
	const $ = () => ({ first: () => ({ json: { numbers } }) });
	const $input = { all: () => PEOPLE.map((identity) => ({ json: { identity } })) };
	const items = runInNewContext(`(() => {${CODE}\n})()`, { $, $input }) as Array<{ json: Choice }>;
	return items.map(({ json }) => json);
}

/** The number of each person. */
const numbersOf = (numbers: string) => choose(numbers).map(({ number }) => number);

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

test('moves few people to the tenth number that is added, and all people of a number that is removed', () => {
	const ten = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'];
	const [nine, all] = [numbersOf(ten.slice(0, 9).join()), numbersOf(ten.join())];
	const moved = nine.filter((number, i) => number !== all[i]);
	expect(moved.length / PEOPLE.length).toBeGreaterThan(0.08);
	expect(moved.length / PEOPLE.length).toBeLessThan(0.12);
	// Seen from ten numbers, the tenth is removed: the people of the others stay.
	expect(all.filter((number, i) => number !== 'J' && number !== nine[i])).toEqual([]);
});

test('shares the people of a number that is offline among the others', () => {
	const choices = choose('A, B, C, D');
	expect(choices.every(({ number, otherNumbers }) => !otherNumbers.includes(number))).toBe(true);
	const seconds = choices
		.filter(({ number }) => number === 'A')
		.map(({ otherNumbers }) => otherNumbers.split(',')[0]!);
	for (const number of ['B', 'C', 'D']) {
		expect(shareOf(seconds, number)).toBeGreaterThan(0.27);
		expect(shareOf(seconds, number)).toBeLessThan(0.4);
	}
	// The same number as if A had been removed.
	const withoutA = numbersOf('B, C, D');
	const indexes = choices.flatMap(({ number }, i) => (number === 'A' ? [i] : []));
	expect(indexes.map((i) => withoutA[i])).toEqual(seconds);
});

test('has one number without a name by default', () => {
	expect(new Set(numbersOf(''))).toEqual(new Set(['']));
	expect(new Set(choose('').map(({ otherNumbers }) => otherNumbers))).toEqual(new Set(['']));
});
