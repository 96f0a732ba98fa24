import { isObject } from '../../gateway/json';
import type { Fields } from '../harness/exampleCode';

const DONE: Fields = {
	outcome: ['sent', 'deferred', 'duplicate'],
	result: ['sent', 'deferred', 'duplicate', 'cancelled'],
	status: ['sent', 'deferred', 'failed', 'unknown', 'counted', 'opted out'],
	...{ sent: [true], deleted: [true], success: [true], counted: [true] },
};
const SENT_TEXT = /\bwas sent\b|^Sent\b|scan this code|[1-9]\d* of \d+ messages were accepted/i;

/** What a value says that has happened to a person: in fields, texts and rows of tables. What is marked as a test says nothing. */
export function claimsIn(value: unknown): string[] {
	if (typeof value === 'string') return SENT_TEXT.exec(value) ?? [];
	if (Array.isArray(value)) return value.flatMap(claimsIn);
	if (!isObject(value)) return [];
	return Object.entries(value).flatMap(([name, inner]) => {
		// What happened to the test number, and the question to the tester.
		if (name === 'testNumber') return [];
		const isClaim = (DONE[name] as unknown[] | undefined)?.includes(inner) && value.isTest !== true;
		const isCount = name === 'cancelled' && inner !== 0;
		const isTime = name === 'sentAt' && (inner ?? '') !== '';
		return isClaim || isCount || isTime ? [`${name}: ${String(inner)}`] : claimsIn(inner);
	});
}
