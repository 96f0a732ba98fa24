import type { ListedDelivery } from '../../../gateway/answer';
import { withoutKey } from './deliveries';

const MOST_BYTES = 500;
const LONGEST_KEY = 200;
/** More would hardly fit, and looking at each of them takes its time with 10,000 deliveries. */
const MOST_FIELDS = 20;
/** Characters that are left of long texts: as many as there is room for. */
const TEXT_LENGTHS = [200, 100, 50, 20];

const BRACES = 2;
const COMMA = 1;

/** As n8n stores it: the trigger's JSON text as a value within n8n's own, where every quote takes one byte more. */
const storedBytes = (value: unknown) =>
	Buffer.byteLength(JSON.stringify(JSON.stringify(value))) - 2;

/** What is worth remembering of a delivery, in few bytes: files and nested things go first, then the ends of long texts. */
export function inShort(listed: ListedDelivery): ListedDelivery {
	const delivery = withoutKey(listed);
	const whole = { key: listed.key, delivery };
	if (storedBytes(whole) <= MOST_BYTES) return whole;
	const key = cut(listed.key, fittingLength(listed.key));
	const room = MOST_BYTES - storedBytes({ key, delivery: {} });
	return { key, delivery: fitted(plain(delivery), room) };
}

/** A key is told in full, unless it is longer than any that is one. */
function fittingLength(key: string): number {
	const lengths = [key.length, ...TEXT_LENGTHS, 10];
	return lengths.find((length) => storedBytes(cut(key, length)) <= LONGEST_KEY) ?? 0;
}

/** Without the end of a pair of surrogates. */
function cut(text: string, length: number): string {
	if (text.length <= length) return text;
	return `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
}

const FILE = /^(data:[^,]*,)?[\w+/\r\n-]{64,}={0,2}\s*$/;

const isPlain = (value: unknown) =>
	typeof value === 'string' ? !FILE.test(value) : typeof value !== 'object' || value === null;

const plain = (object: Record<string, unknown>) =>
	Object.fromEntries(
		Object.entries(object)
			.filter(([, value]) => isPlain(value))
			.slice(0, MOST_FIELDS),
	);

function fitted(object: Record<string, unknown>, room: number): Record<string, unknown> {
	let short = object;
	for (const length of TEXT_LENGTHS) {
		if (storedBytes(short) - BRACES <= room) return short;
		short = Object.fromEntries(
			Object.entries(object).map(([name, value]) => [
				name,
				typeof value === 'string' ? cut(value, length) : value,
			]),
		);
	}
	let left = room;
	const isFitting = (entry: [string, unknown]) => {
		const bytes = storedBytes(Object.fromEntries([entry])) - BRACES + COMMA;
		if (bytes > left) return false;
		left -= bytes;
		return true;
	};
	return Object.fromEntries(Object.entries(short).filter(isFitting));
}
