import { asNumber } from '../../../gateway/inputValues';
import { choice, number } from './field';
import { choiceOf, type Read } from './read';

const UNITS = {
	seconds: ['Seconds', 1_000],
	minutes: ['Minutes', 60_000],
	hours: ['Hours', 3_600_000],
	days: ['Days', 86_400_000],
} as const;
type Unit = keyof typeof UNITS;

interface Duration {
	names: [amount: string, unit: string];
	units: Unit[];
	/** The amount that n8n enters for the user. */
	preset: number;
	precision?: number;
}

/** An amount and its unit: the two fields, and how they are read. */
export function duration(label: string, { names, units, preset, precision }: Duration) {
	const [amountName, unitName] = names;
	const amountField = number(amountName, 'Amount', [0], preset, {
		typeOptions: { numberPrecision: precision },
	})('How many of the unit');
	const unitField = choice(
		unitName,
		'Unit',
		'hours',
		units.map((unit) => [unit, UNITS[unit][0]]),
	)();
	return {
		fields: [amountField, unitField],

		/** In milliseconds; undefined if the amount is not a number above 0. */
		read(read: Read): number | undefined {
			const amount = asNumber(read(amountName, preset));
			if (typeof amount !== 'number' || !(amount > 0)) return undefined;
			const unit = choiceOf({ ...unitField, displayName: `${label} Unit` }, read);
			const milliseconds = Math.ceil(amount * UNITS[unit][1]);
			return Number.isSafeInteger(milliseconds) ? milliseconds : undefined;
		},
	};
}
