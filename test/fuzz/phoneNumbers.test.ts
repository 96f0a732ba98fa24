import { getCountries } from 'libphonenumber-js/max';

import { chatId, identityOf } from '../../gateway/text/chatId';
import { InvalidInput } from '../../gateway/inputValues';
import type { Country } from '../../gateway/text/countries';
import { depth, seedFrom } from '../harness/depth';
import { exitCodes, type Sample, samplesOf, usualNumbers } from './numberingPlans';
import * as spellings from './spellings';

const COUNTRIES = getCountries();
const SEED = seedFrom('NUMBERS_SEED');
/** Numbers per country: `node dev/tools/fuzz.mjs` sets FUZZ_CASES to 100000, so it tries 1,000. */
const COUNT = Number(process.env.FUZZ_CASES ?? depth(400, 4_000)) / 100;
/** Only to end a test that hangs. */
const TIMEOUT_MS = 300_000 + COUNT * 20_000;
/** `npm test` writes each number in some of the ways. */
const STRIDE = depth(8, 1);

const samples = COUNTRIES.flatMap((country) => samplesOf(country, COUNT, SEED));
const codes = new Map(COUNTRIES.map((country) => [country, exitCodes(country)]));

/** Gabon's numbers have a new form, and Google writes both in the same way: they are the same phone. */
const isSame = (id: string, { digits, country }: Sample) =>
	id === digits || (country === 'GA' && id === digits.replace(/^241(?=\d{7}$)/, '2410'));

/** Counts what was entered, without mailboxes and pagers that were rejected. `wrong` has the messages that would have gone to someone else. */
class Tally {
	count = 0;
	accepted = 0;
	/** Nobody can tell a text from the same text for a number of the Default Country, which gets the message. */
	shared = 0;
	wrong: string[] = [];

	constructor(readonly name: string) {}

	enter(text: string, country: Country | undefined, sample: Sample): void {
		this.count += 1;
		try {
			const id = chatId(text, country);
			if (isSame(id, sample)) this.accepted += 1;
			else if (country && usualNumbers(text, country).includes(id)) this.shared += 1;
			else this.wrong.push(`${this.name}, ${country}: ${text} became ${id}`);
		} catch (thrown) {
			if (!(thrown instanceof InvalidInput)) throw thrown;
			if (sample.isMachine) this.count -= 1;
		}
	}
}

type CallerOf = (sample: Sample, index: number) => Country | undefined;
const home: CallerOf = ({ country }) => country;
/** Any country, and all of them in turn. */
const abroad: CallerOf = (_, index) => COUNTRIES[(index * 101) % COUNTRIES.length];

/** Writes the numbers in each way, and enters them with the Default Country that `callerOf` returns. */
function enterAll(
	ways: Record<string, spellings.Spelling>,
	callerOf: CallerOf,
	numbers = samples,
): Tally[] {
	return Object.entries(ways).map(([name, spelling], way) => {
		const tally = new Tally(name);
		for (let index = way % STRIDE; index < numbers.length; index += STRIDE) {
			const sample = numbers[index]!;
			const caller = callerOf(sample, index + way);
			const itsCodes = (caller && codes.get(caller)) ?? [];
			const text = spelling(sample, itsCodes[index % itsCodes.length] ?? '00');
			if (text !== undefined) tally.enter(text, caller, sample);
		}
		return tally;
	});
}

const numberTest = (title: string, check: () => void) =>
	test(`${title} (NUMBERS_SEED=${SEED})`, check, TIMEOUT_MS);

const wrongOf = (tallies: Tally[]) => tallies.flatMap(({ wrong }) => wrong);
/** The ways with less than this share of accepted numbers. */
const rare = (tallies: Tally[], share: number) =>
	tallies.filter(({ accepted, count }) => accepted / count < share).map(({ name }) => name);
/** The ways in which more than this share of the numbers was taken for one of the Default Country. */
const shared = (tallies: Tally[], share: number) =>
	tallies.filter((tally) => tally.shared / tally.count > share).map(({ name }) => name);

const { DIGITS_ONLY, WITHOUT_PLUS, WITH_EXIT_CODE, WITH_PLUS } = spellings;

numberTest('accepts numbers of the Default Country, and none as another number', () => {
	const usual = enterAll(spellings.USUAL, home);
	const others = enterAll({ ...DIGITS_ONLY, ...WITHOUT_PLUS }, home);
	const all = [...usual, ...others];
	expect(wrongOf(all)).toEqual([]);
	expect(rare(usual, 0.97)).toEqual([]);
	expect(shared(all, 0)).toEqual([]);
});

numberTest('takes no foreign number for another number', () => {
	const [plain, separated] = [enterAll(DIGITS_ONLY, abroad), enterAll(WITHOUT_PLUS, abroad)];
	expect(wrongOf([...plain, ...separated])).toEqual([]);
	expect(shared(plain, 0.03)).toEqual([]);
	expect(shared(separated, 0.01)).toEqual([]);
});

numberTest('drops a zero only where people dial one', () => {
	// Gabon and Poland no longer dial it.
	const others = samples.filter(
		({ country, trunkPrefix }) => trunkPrefix[0] !== '0' && !['GA', 'PL'].includes(country),
	);
	const withZero = enterAll({ zero: ({ number }) => `0${number}` }, home, others);
	expect(withZero[0]!.count).toBeGreaterThan(100);
	expect(withZero[0]!.accepted).toBe(0);
});

numberTest('leaves numbers after + and 00 as they are', () => {
	for (const callerOf of [() => undefined, home, abroad]) {
		const withPlus = enterAll(WITH_PLUS, callerOf);
		const withExitCode = enterAll(WITH_EXIT_CODE, callerOf);
		expect(wrongOf([...withPlus, ...withExitCode])).toEqual([]);
		expect(rare(withPlus, 1)).toEqual([]);
		expect(rare(withExitCode, 0.95)).toEqual([]);
	}
});

numberTest('takes no number without its area code for another number', () => {
	const tally = new Tally('local');
	for (const sample of samples) {
		for (const text of sample.local) tally.enter(text, sample.country, sample);
	}
	expect(tally.wrong).toEqual([]);
	expect(tally.count).toBeGreaterThan(250);
});

// All samples are different numbers, so no two of them have the same identity.
numberTest('gives each number the identity that is the number itself, in all spellings', () => {
	for (const [name, spelling] of Object.entries(spellings.ADDRESSES)) {
		const addresses = samples
			.map((sample) => ({ sample, address: spelling(sample, '00') }))
			.filter(({ address }) => address !== undefined);
		const wrong = addresses.filter(
			({ sample, address }) => identityOf(chatId(address)) !== sample.digits,
		);
		expect(wrong.map(({ sample, address }) => `${name}, ${sample.country}: ${address}`)).toEqual(
			[],
		);
		expect(addresses.length).toBeGreaterThan(0);
	}
	expect(new Set(samples.map(({ country }) => country)).size).toBe(COUNTRIES.length);
});
