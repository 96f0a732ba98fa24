import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	tryToParseDateTime,
	WAIT_INDEFINITELY,
} from 'n8n-workflow';

import { InvalidInput } from '../../../gateway/invalidInput';
import { oneOf } from '../../../gateway/inputValues';
import { isObject } from '../../../gateway/json';
import type { Options } from './messageFields';

/** The same fields as in n8n's own nodes. */
export const limitWaitTime: INodeProperties = {
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'fixedCollection',
	default: { values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' } },
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [
				{
					displayName: 'Limit Type',
					name: 'limitType',
					type: 'options',
					options: [
						{
							name: 'After Time Interval',
							value: 'afterTimeInterval',
							description: 'Waits for a certain amount of time',
						},
						{
							name: 'At Specified Time',
							value: 'atSpecifiedTime',
							description: 'Waits until the set date and time',
						},
					],
					default: 'afterTimeInterval',
				},
				{
					displayName: 'Amount',
					name: 'resumeAmount',
					type: 'number',
					typeOptions: { minValue: 0, numberPrecision: 2 },
					default: 1,
					description: 'How many of the unit',
					displayOptions: { show: { limitType: ['afterTimeInterval'] } },
				},
				{
					displayName: 'Unit',
					name: 'resumeUnit',
					type: 'options',
					options: [
						{ name: 'Minutes', value: 'minutes' },
						{ name: 'Hours', value: 'hours' },
						{ name: 'Days', value: 'days' },
					],
					default: 'hours',
					displayOptions: { show: { limitType: ['afterTimeInterval'] } },
				},
				{
					displayName: 'Max Date and Time',
					name: 'maxDateAndTime',
					type: 'dateTime',
					default: '',
					displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
				},
			],
		},
	],
	description:
		'How long to wait for the answer. After that, the workflow continues with the input item, in which answered is false.',
};

const UNITS_MS = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
type Unit = keyof typeof UNITS_MS;

/** Until when to wait, from the time at which the question was sent. */
export function waitLimit(
	options: Options,
	now: number,
	timezone: string,
): (sentAt: number) => Date {
	if (!Object.hasOwn(options, 'limitWaitTime')) return () => WAIT_INDEFINITELY;
	const { limitWaitTime: entered } = options;
	const values = isObject(entered) && isObject(entered.values) ? entered.values : {};
	const { limitType = 'afterTimeInterval', resumeAmount = 1, resumeUnit = 'hours' } = values;
	if (
		oneOf(limitType, ['afterTimeInterval', 'atSpecifiedTime'], 'Limit Type') === 'atSpecifiedTime'
	) {
		const limit = dateAndTime(values.maxDateAndTime, now, timezone);
		return () => limit;
	}
	const units = Object.keys(UNITS_MS) as Unit[];
	const waitMs = Number(resumeAmount) * UNITS_MS[oneOf(resumeUnit as Unit, units, 'Unit')];
	const limitFrom = (time: number) => new Date(time + waitMs);
	if (waitMs > 0 && limitFrom(now) <= WAIT_INDEFINITELY) return limitFrom;
	throw new InvalidInput(
		"'Amount' of Limit Wait Time is not a number above 0",
		'Enter how long to wait for the answer, e.g. 1 hour, or remove the option.',
	);
}

/** Without an offset, a time is one of the workflow's time zone, as in n8n's Wait node. */
function dateAndTime(entered: unknown, now: number, timezone: string): Date {
	const limit = parsed(typeof entered === 'number' ? new Date(entered) : entered, timezone);
	if (limit && limit.getTime() > now && limit <= WAIT_INDEFINITELY) return limit;
	throw new InvalidInput(
		"'Max Date and Time' of Limit Wait Time is not a date and time in the future",
		'Enter until when to wait for the answer, or remove the option.',
	);
}

function parsed(entered: unknown, timezone: string): Date | undefined {
	try {
		return tryToParseDateTime(entered, timezone).toJSDate();
	} catch {
		return undefined;
	}
}

/**
 * n8n passes the input on if the wait ends without an answer, so nothing in it may look like one. In a review, n8n
 * takes several fields for the answer, and the input contains the model's call and the agent's input.
 */
export function markUnanswered(context: IExecuteFunctions, isReview: boolean): void {
	const unanswered = ({ json, ...item }: INodeExecutionData): INodeExecutionData => {
		const kept = isReview ? [] : Object.entries(json).filter(([name]) => !LIKE_AN_ANSWER.has(name));
		return { ...item, json: { ...Object.fromEntries(kept), answered: false } };
	};
	const execution = context.getExecuteData();
	// The items belong to the previous node as well.
	execution.data.main = execution.data.main!.map((items) => items?.map(unanswered) ?? null);
	// n8n disables the node of the run that waits. Other runs that are due share it, and would pass on their input unasked.
	execution.node = { ...execution.node };
	// Otherwise, the output of any sub-workflow that ends meanwhile is the answer. This execution is not its own sub-workflow.
	context.setMetadata({ waitingChildExecutionIds: [context.getExecutionId()] });
}

/** n8n stores the item and turns its own `__proto__` into its prototype. */
const LIKE_AN_ANSWER = new Set(['data', '__proto__']);
