import { type INodeProperties, tryToParseDateTime, WAIT_INDEFINITELY } from 'n8n-workflow';

import { InvalidInput } from '../../../gateway/inputValues';
import { choice, duration, group, shownFor } from '../fields/field';
import { choiceOf, type FieldReader, groupReader } from '../fields/read';
import { isDate } from './question';

// The fields are the same as in n8n's own nodes.
const limitType = choice('limitType', 'Limit Type', 'afterTimeInterval', [
	['afterTimeInterval', 'After Time Interval', 'Waits for a certain amount of time'],
	['atSpecifiedTime', 'At Specified Time', 'Waits until the set date and time'],
])();

const interval = duration('Limit Wait Time', {
	names: ['resumeAmount', 'resumeUnit'],
	units: ['minutes', 'hours', 'days'],
	preset: 1,
	precision: 2,
	advice: 'Enter how long to wait for the answer',
});

const maxDateAndTime: INodeProperties = {
	displayName: 'Max Date and Time',
	name: 'maxDateAndTime',
	type: 'dateTime',
	required: true,
	default: '',
};

export const limitWaitTime = group(
	'limitWaitTime',
	'Limit Wait Time',
	{ values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' } },
	['values', 'Values'],
	[
		limitType,
		...shownFor({ limitType: ['afterTimeInterval'] }, ...interval.fields),
		...shownFor({ limitType: ['atSpecifiedTime'] }, maxDateAndTime),
	],
)(
	'How long to wait for the answer. After that, the workflow continues with the input item, in which answered is false.',
);

/** Returns a function, because an interval starts only when the question was sent. Throws InvalidInput. */
export function waitLimit(
	option: FieldReader,
	now: number,
	timezone: string,
): (sentAt: number) => Date {
	const values = groupReader(limitWaitTime, option);
	if (!values) return () => WAIT_INDEFINITELY;
	if (choiceOf(limitType, values) === 'atSpecifiedTime') {
		const limit = dateAndTime(values('maxDateAndTime'), now, timezone);
		return () => limit;
	}
	const waitMs = interval.read(values);
	return (sentAt) => new Date(Math.min(sentAt + waitMs, WAIT_INDEFINITELY.getTime()));
}

/** Reads a time without an offset in the workflow's time zone, as n8n's Wait node does. */
function dateAndTime(entered: unknown, now: number, timezone: string): Date {
	const limit = parsedDate(entered, timezone);
	if (limit && limit.getTime() > now) return limit < WAIT_INDEFINITELY ? limit : WAIT_INDEFINITELY;
	throw new InvalidInput(
		"'Max Date and Time' of Limit Wait Time is not a date and time in the future",
		'Enter until when to wait for the answer, e.g. 2026-12-31 17:00, or remove the option.',
	);
}

/** n8n would misread other forms: 12/11/2026 as 11 December, and a date with text after it in the time zone of the machine. */
const DATE_AND_TIME =
	/^\s*(\d{4}-\d\d-\d\d)([T ]\d\d:\d\d(:\d\d([.,]\d{1,9})?)?( ?(Z|[+-]\d\d(:?\d\d)?))?)?\s*$/i;

function parsedDate(entered: unknown, timezone: string): Date | undefined {
	if (typeof entered === 'number') return new Date(entered);
	if (typeof entered === 'string' && !isDate(DATE_AND_TIME.exec(entered)?.[1])) return undefined;
	try {
		return tryToParseDateTime(entered, timezone).toJSDate();
	} catch {
		return undefined;
	}
}
