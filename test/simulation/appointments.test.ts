/** Appointments in virtual time: example 17 and the outbox, from their own JSON, in n8n's engine. */
import { depth, seedFrom } from '../harness/depth';
import { Business, isQuiet, MINUTE_MS, type Plan } from './appointments';

const weeks: Plan = {
	...{ seed: seedFrom('APPOINTMENTS_SEED'), days: 28, appointments: 500, outages: 8, kills: 60 },
	// Summer time begins on 29 March.
	startMs: Date.UTC(2026, 2, 9),
};
const days: Plan = {
	...{ ...weeks, days: 0.5, appointments: 30, outages: 1, kills: 5 },
	startMs: Date.UTC(2026, 2, 28, 14),
};
const PLAN = [days, weeks][depth(0, 1)]!;
// Four weeks take about half an hour of CPU time, most of it in n8n's expressions.
jest.setTimeout(3 * 3_600_000);

test(`whatever happens to calendar and n8n, each reminder is right, and sent once (APPOINTMENTS_SEED=${PLAN.seed})`, async () => {
	const business = new Business(PLAN);
	const messages = await business.play();
	const nameOf = ({ kind, startsAt, person }: Omit<(typeof messages)[0], 'at' | 'text'>) =>
		`${kind} ${person} ${new Date(startsAt).toISOString()}`;
	const wrong = (isWrong: (message: (typeof messages)[0]) => boolean) =>
		messages.filter(isWrong).map((each) => `${nameOf(each)} at ${new Date(each.at).toISOString()}`);
	expect([...business.violations]).toEqual([]);
	const twice = messages.map(nameOf).filter((name, index, all) => all.indexOf(name) !== index);
	expect(twice).toEqual([]);
	expect(wrong((each) => !business.isRight(each))).toEqual([]);
	expect(wrong(({ at, startsAt }) => at >= startsAt)).toEqual([]);
	expect(wrong(({ at }) => isQuiet(at))).toEqual([]);
	expect(
		wrong(({ at, person }) => at > (business.optedOut.get(person) ?? Infinity) + MINUTE_MS),
	).toEqual([]);

	const sent = new Set(messages.map(nameOf));
	const unsent = business.expected().filter((each) => !sent.has(nameOf(each)));
	expect(unsent.filter(({ hadTime }) => hadTime).map(nameOf)).toEqual([]);
	const unsaid = unsent.filter(({ kind, person, startsAt, isSeen }) => {
		const said = business.said.get(`${person} ${startsAt}`);
		return (
			isSeen && !said?.has(`${kind}: not sent: too late (booked late, or n8n or the phone was off)`)
		);
	});
	expect(unsaid.map(nameOf)).toEqual([]);
	// Whose time may be given to others.
	const comesAfterAll = business.answers.filter(
		({ answer, text, at }) =>
			answer === 'coming' &&
			business.answers.some(
				(each) => each.text === text && each.answer === 'cancel' && each.at < at,
			),
	);
	expect(comesAfterAll).toEqual([]);
	// The scenario has what the rules are about.
	expect(messages.length).toBeGreaterThan(depth(5, 500));
	expect(business.optedOut.size).toBeGreaterThan(depth(0, 10));
	expect(business.answers.length).toBeGreaterThan(depth(0, 20));
	const evenings = [...business.gateway.arrivals.keys()].filter((key) => key.includes('evening'));
	expect(evenings.length).toBeGreaterThan(PLAN.days / 2);
});
