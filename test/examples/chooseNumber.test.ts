import { runCode } from '../harness/exampleCode';

const PEOPLE = Array.from({ length: 3000 }, (_, i) => ({ identity: String(447_700_900_000 + i) }));

/** The number of each person, and those that take over from it. */
const choose = (numbers: string) =>
	runCode<{ number: string; otherNumbers: string }>('Choose number', {
		nodes: { Settings: [{ numbers }] },
		input: PEOPLE,
	});

const numbersOf = (numbers: string) => choose(numbers).map(({ number }) => number);

const shareOf = (list: string[], number: string) =>
	list.filter((each) => each === number).length / list.length;

test('moves few people to the tenth number that is added, and all people of a number that is removed', () => {
	const ten = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'];
	const [nine, all] = [numbersOf(ten.slice(0, 9).join()), numbersOf(ten.join())];
	const moved = nine.filter((number, i) => number !== all[i]);
	expect(moved.length / PEOPLE.length).toBeGreaterThan(0.08);
	expect(moved.length / PEOPLE.length).toBeLessThan(0.12);
	// Seen from ten numbers, the tenth is removed: the people of the others stay.
	expect(all.filter((number, i) => number !== 'J' && number !== nine[i])).toEqual([]);
});

test('shares people evenly, and those of a number that is offline among the others', () => {
	const choices = choose('A, B, C, D');
	const ofA = choices.flatMap(({ number }, i) => (number === 'A' ? [i] : []));
	expect(ofA.length / PEOPLE.length).toBeGreaterThan(0.22);
	expect(ofA.length / PEOPLE.length).toBeLessThan(0.28);
	expect(choices.every(({ number, otherNumbers }) => !otherNumbers.includes(number))).toBe(true);
	const seconds = ofA.map((i) => choices[i]!.otherNumbers.split(',')[0]!);
	for (const number of ['B', 'C', 'D']) {
		expect(shareOf(seconds, number)).toBeGreaterThan(0.27);
		expect(shareOf(seconds, number)).toBeLessThan(0.4);
	}
	// The same number as if A had been removed, in whatever order the others are listed.
	const withoutA = numbersOf('D,C,B');
	expect(ofA.map((i) => withoutA[i])).toEqual(seconds);
});
