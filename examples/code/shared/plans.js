// Plans of numbers, such as the daily caps: one for all, or one after the other. '1000', '20, 40, 80 from 2026-06-01' (one limit
// per day, and the last one for all later days), or '1000; B: 20, 40, 80 from 2026-06-01' (for B, and for the others).

const PLAN = /^(?:([^:]*):)?\s*(\d+(?:\s*,\s*\d+)*)(?:\s+from\s+(\d{4}-\d\d-\d\d))?$/;
/** 1,000 can be one limit, or two. */
const IS_AMBIGUOUS = /\d,\d{3}(?!\d)/;
const AMBIGUOUS =
	'can be one number or two. Write one without a comma, and a plan with spaces: 20, 40, 80';
const EXAMPLE = "An example, if B is one of 'numbers': 1000; B: 20, 40, 80 from 2026-06-01";
const EVER = '2000-01-01';

/** Days since 1970. A day has 23 to 25 hours, and not always a midnight, so days are counted without a time zone. */
const dayNumber = (date) => Date.parse(date) / (24 * 60 * 60_000);

/** A plan, or what is wrong with it. */
function planIn(text, numbers) {
	const [, named, list, from = EVER] = PLAN.exec(text.trim()) ?? [];
	const name = (named ?? '').trim();
	const isNameless = named !== undefined && name === '';
	if (list === undefined || isNameless || !DateTime.fromISO(from).isValid)
		return { problem: `'${text.trim()}' is no plan. ${EXAMPLE}` };
	if (name !== '' && !numbers.includes(name))
		return { problem: `'${name}' is not one of 'numbers'` };
	if (IS_AMBIGUOUS.test(list)) return { problem: `'${list}' ${AMBIGUOUS}` };
	return { name, limits: list.split(',').map(Number), firstDay: dayNumber(from) };
}

/**
 * The plan of each number, and under '' that of the others. Undefined with the `problem` if one cannot be read, if there are two
 * for the same numbers, or none for one of them.
 */
function plansIn(text, numbers) {
	const plans = new Map();
	for (const each of String(text ?? '').split(/[;\n]/)) {
		if (each.trim() === '') continue;
		const { problem, name, ...plan } = planIn(each, numbers);
		if (problem) return { problem };
		if (plans.has(name)) return { problem: `there are two plans for ${name || 'all numbers'}` };
		plans.set(name, plan);
	}
	if (plans.size === 0) return { problem: `it is empty. ${EXAMPLE}` };
	const without = numbers.find((number) => !plans.has(number) && !plans.has(''));
	if (without === undefined) return { plans };
	const name = without ? `'${without}'` : 'messages without a number';
	return { problem: `there is no plan for ${name}` };
}

/** What the plan of a number allows on a date such as '2026-06-01'. */
function limitOn(date, plans, number) {
	const { limits, firstDay } = plans.get(number) ?? plans.get('') ?? { limits: [0], firstDay: 0 };
	const day = dayNumber(date) - firstDay;
	return day < 0 ? 0 : limits[Math.min(day, limits.length - 1)];
}

module.exports = { plansIn, limitOn };
